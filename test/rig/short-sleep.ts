import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the PATH in which `sleep` takes next to no time: scripts that try again need not be waited for. */
export async function shortSleep(folder: string): Promise<string> {
  const bin = join(folder, 'short-sleep');
  await mkdir(bin);
  await writeFile(join(bin, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.02\n', { mode: 0o755 });
  return bin;
}
