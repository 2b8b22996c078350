import { mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './io-failure.ts';

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
