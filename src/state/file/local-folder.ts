import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './io-failure.ts';

/** Makes a folder for what belongs to one machine and is nobody's to review: git is told to leave it alone. */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  try {
    await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  }
}
