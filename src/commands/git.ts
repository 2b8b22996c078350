import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Catalog } from '../catalog/model.ts';
import type { RecordOrigin } from '../state/model.ts';
import { isInside } from '../text/read-file.ts';
import type { CommandContext } from './context.ts';

const SLOWEST_MS = 5000;

/** Which version of the catalog is applied; without git, or outside of a checkout, the digest says it alone. */
export async function catalogOrigin({ digest }: Catalog, context: CommandContext): Promise<RecordOrigin> {
  const commit = await commitOf(context);
  return { catalog: digest, ...(commit && { commit }) };
}

/** The commit that is checked out, with `-dirty` if the catalog has uncommitted changes. */
export async function commitOf(context: CommandContext): Promise<string | undefined> {
  const [head, changes] = await Promise.all([
    git(['rev-parse', '--verify', 'HEAD'], context),
    // What an apply itself writes below the catalog makes it no other catalog.
    git(['status', '--porcelain', '--ignore-submodules=dirty', '--', '.', ':!state', ':!.trove'], context),
  ]);
  const commit = head?.trim();
  return commit && changes !== '' ? `${commit}-dirty` : commit;
}

/** How many of these files git ignores; undefined where it can't say. The index is not read, so nothing runs for it. */
export async function countIgnored(
  files: readonly string[],
  context: CommandContext,
): Promise<number | undefined> {
  const NONE_IGNORED = 1;
  const ignored = await git(['check-ignore', '--no-index', '--', ...files], context, NONE_IGNORED);
  return ignored === undefined ? undefined : ignored.split('\n').length - 1;
}

/**
 * What git prints in the folder of the catalog; undefined if it fails. Only a repository with a `.git` counts: git also
 * takes a folder that is laid out like one, which any commit can contain, and runs the filters of its `config`.
 */
async function git(
  args: readonly string[],
  context: CommandContext,
  alsoFine?: number,
): Promise<string | undefined> {
  const folder = await run(['rev-parse', '--absolute-git-dir'], context);
  // Only its own line break: a name may end in another one.
  const real = await realpath(context.catalogPath);
  if (folder === undefined || isInside(relative(folder.replace(/\n$/, ''), real))) return undefined;
  return run(args, context, alsoFine);
}

/** What git needs to find its configuration: no credentials. */
const KEPT = /^(?:PATH|HOME|XDG_CONFIG_HOME|GIT_.*)$/;

/** Its file system monitor, any command, is left out, and so is a repository without a `.git` where git knows the setting. */
function run(
  args: readonly string[],
  context: CommandContext,
  alsoFine?: number,
): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(context.io.env).filter(([name]) => KEPT.test(name)));
  const options = { cwd: context.catalogPath, env, timeout: SLOWEST_MS };
  const settings = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];
  return new Promise((done) => {
    execFile('git', [...settings, ...args], options, (failure, stdout) =>
      done(failure && failure.code !== alsoFine ? undefined : stdout),
    );
  });
}
