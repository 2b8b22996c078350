import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './folder.ts';

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
