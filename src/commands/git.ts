import type { Catalog } from '../catalog/model.ts';
import { checkoutOf, runGit } from '../state/git/run-git.ts';
import type { RecordOrigin } from '../state/model.ts';
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

/** What git prints in the folder of the catalog; undefined if it fails. */
async function git(
  args: readonly string[],
  { io, catalogPath: cwd }: CommandContext,
  alsoFine = 0,
): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(io.env).filter(([name]) => KEPT.test(name)));
  if ((await checkoutOf({ cwd, env })) === undefined) return undefined;
  const { code, stdout } = await runGit(args, { cwd, env, timeout: SLOWEST_MS });
  return code === 0 || code === alsoFine ? stdout.toString() : undefined;
}

/** What git needs to find its configuration: no credentials. */
const KEPT = /^(?:PATH|HOME|XDG_CONFIG_HOME|GIT_.*)$/;
