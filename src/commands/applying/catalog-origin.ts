import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Catalog } from '../../catalog/model.ts';
import type { RecordOrigin } from '../../state/model.ts';
import type { CommandContext } from '../invocation/context.ts';

const SLOWEST_MS = 5000;

/** Which version of the catalog is applied; without git, or outside of a checkout, the digest says it alone. */
export async function catalogOrigin(
  { digest }: Catalog,
  { catalogFolder, io }: CommandContext,
): Promise<RecordOrigin> {
  const folder = resolve(io.cwd, catalogFolder);
  const [head, changes] = await Promise.all([
    git(['rev-parse', '--verify', 'HEAD'], folder, io.env),
    // What an apply itself writes below the catalog makes it no other catalog.
    git(['status', '--porcelain', '--', '.', ':!state', ':!.trove'], folder, io.env),
  ]);
  const commit = head?.trim();
  if (!commit) return { catalog: digest };
  return { catalog: digest, commit: changes === '' ? commit : `${commit}-dirty` };
}

/** What git says; undefined where it can't. Its file system monitor, which may be any command, is left out. */
function git(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((done) => {
    const all = ['-c', 'core.fsmonitor=false', ...args];
    execFile('git', all, { cwd, env, timeout: SLOWEST_MS }, (failure, stdout) =>
      done(failure ? undefined : stdout),
    );
  });
}
