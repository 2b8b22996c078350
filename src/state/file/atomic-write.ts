import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './io-failure.ts';

const LEFTOVER = /^(?:\.journal)?\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Replaces the file at `path` by `text`, durably, and gives the new file open for more to be written at its
 * end. A crash at any point leaves the old file or the new one, never a part: the text is on disk under another
 * name in the same folder before it gets this one. Readable by its owner only, unless `mode` says otherwise.
 *
 * `suffix`, a UUID, makes that other name unique, so that two writers can't mix; after a failure it is removed.
 */
export async function replaceFile(
  path: string,
  text: string,
  suffix: string,
  mode = 0o600,
): Promise<FileHandle> {
  const temporary = `${path}.${suffix}.tmp`;
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, 'wx', mode);
    await file.writeFile(text);
    await file.sync();
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return file;
  } catch (cause) {
    await file?.close();
    await rm(temporary, { force: true });
    throw cause;
  }
}

/** `replaceFile` where nothing more is to be written. */
export async function atomicWrite(path: string, text: string, suffix: string, mode?: number): Promise<void> {
  const file = await replaceFile(path, text, suffix, mode);
  await file.close();
}

/** Removes what killed runs left half-written of `name` and its journal. Only for the holder of its lock. */
export async function removeLeftovers(folder: string, name: string): Promise<void> {
  const entries = await readdir(folder);
  const leftovers = entries.filter(
    (entry) => entry.startsWith(name) && LEFTOVER.test(entry.slice(name.length)),
  );
  await Promise.all(leftovers.map((entry) => rm(join(folder, entry), { force: true })));
}

/** Makes the names in a folder durable: a rename or a new file is only on disk once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  // Windows can't open a folder, and its file systems journal names by themselves.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates a folder and the missing ones above it, durably. */
export async function makeFolder(path: string): Promise<void> {
  const target = resolve(path);
  const first = await mkdir(target, { recursive: true });
  if (first === undefined) return;
  for (let folder = target; folder.length >= first.length; folder = dirname(folder)) {
    await syncFolder(dirname(folder));
  }
}

/**
 * The path with its links followed, whether the file and its folders exist or not: two names of one state must find one lock,
 * and a rename must replace the file that a link points to, not the link.
 */
export async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    const [target, above] = [resolve(path), dirname(resolve(path))];
    if (codeOf(cause) !== 'ENOENT' || target === above) throw cause;
    return join(await followLinks(above), basename(target));
  }
}

/** Makes a folder for what belongs to one machine and is nobody's to review: git is told to leave it alone. */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  try {
    await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  }
}
