import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Diagnostic, error, failure, type Result, type StorageAction } from '../../text/diagnostic.ts';
import { codeOf, systemCause } from '../../text/read-file.ts';

const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Replaces the file at `path` by `text`, durably, and gives the new file open for more to be written at its
 * end. A crash at any point leaves the old file or the new one, never a part: the text is on disk under another
 * name in the same folder before it gets this one. Readable by its owner only, unless `mode` says otherwise.
 */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<FileHandle> {
  const [temporary, file] = await writeBeside(path, 'tmp', text, mode);
  try {
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return file;
  } catch (cause) {
    await file.close();
    await rm(temporary, { force: true });
    throw cause;
  }
}

/** `replaceFile` if nothing more is to be written. */
export async function atomicWrite(path: string, text: string, mode?: number): Promise<void> {
  const file = await replaceFile(path, text, mode);
  await file.close();
}

/**
 * Creates a file, whole from its first moment; false if something is at `path`. Of several that try, one succeeds.
 * The name is durable once its folder is.
 */
export async function createFile(path: string, text: string, mode = 0o600): Promise<boolean> {
  const [prepared, file] = await writeBeside(path, 'new', text, mode);
  try {
    await file.close();
    await link(prepared, path).catch((cause) => linkByCopy(prepared, path, cause));
    return true;
  } catch (cause) {
    // Whoever has the lock at `path` may have cleared the prepared one away.
    if (codeOf(cause) === 'EEXIST' || codeOf(cause) === 'ENOENT') return false;
    throw cause;
  } finally {
    await rm(prepared, { force: true }).catch(() => undefined);
  }
}

/** The whole text on disk under a name of its own, which is removed after a failure. */
async function writeBeside(
  path: string,
  ending: 'tmp' | 'new',
  text: string,
  mode: number,
): Promise<[name: string, file: FileHandle]> {
  const name = `${path}.${randomUUID()}.${ending}`;
  const file = await open(name, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
    return [name, file];
  } catch (cause) {
    await file.close();
    await rm(name, { force: true });
    throw cause;
  }
}

/** For a disk without links: as exclusive, but a crash can leave a part of the file. */
async function linkByCopy(prepared: string, path: string, cause: unknown): Promise<void> {
  if (!WITHOUT_LINKS.has(codeOf(cause) ?? '')) throw cause;
  await copyFile(prepared, path, constants.COPYFILE_EXCL);
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

/** Makes a folder for what belongs to one machine and is nobody's to review: git is told to leave it alone. */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' }).catch((cause) => {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  });
}

/**
 * The path with its links followed, whether the file and its folders exist or not: two names of one state must find
 * one lock, and a rename must replace the file that a link points to, not the link.
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

/** What a failed file operation means to a user. Anything that is not one is our bug and is thrown again. */
export function ioFailure(action: StorageAction, path: string, cause: unknown): Diagnostic {
  return error('state-storage', { action, ...systemCause(cause) }, { subject: path });
}

/** What `work` gives, or the file operation that failed in it. */
export async function orIoFailure<T>(
  action: StorageAction,
  path: string,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await work();
  } catch (cause) {
    return failure(ioFailure(action, path, cause));
  }
}
