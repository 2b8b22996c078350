import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../state/file/atomic-write.ts';
import { claim } from '../../state/file/lock-file.ts';

/**
 * Writes a file that must not exist yet, whole or not at all, and makes the folders above it; false where something
 * stands there. Throws what the system says.
 */
export async function writeNewFile(path: string, text: string): Promise<boolean> {
  await makeFolder(dirname(path));
  const prepared = `${path}.${randomUUID()}.new`;
  const file = await open(prepared, 'wx', 0o666);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (cause) {
    await rm(prepared, { force: true });
    throw cause;
  } finally {
    await file.close();
  }
  const isNew = await claim(prepared, path);
  await syncFolder(dirname(path));
  return isNew;
}
