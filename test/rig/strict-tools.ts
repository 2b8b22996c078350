import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder for the PATH of scripts under test. `sleep` takes next to no time, so that nobody waits for those that try
 * again; `find` knows only what it knows on Alpine and macOS.
 */
export async function strictTools(folder: string): Promise<string> {
  const bin = join(folder, 'tools');
  await mkdir(bin);
  const tool = (name: string, script: string) =>
    writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await tool('sleep', 'exec /bin/sleep 0.02');
  await tool(
    'find',
    'case "$*" in *-printf*) echo "find: unrecognized: -printf" >&2; exit 1 ;; esac\nexec /usr/bin/find "$@"',
  );
  return bin;
}
