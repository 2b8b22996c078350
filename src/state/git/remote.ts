import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitTrouble } from '../../text/diagnostic.ts';
import { checkoutOf, runGit, saidBy } from './run-git.ts';

/** What a checkout may say about how its remote is reached; everything else in it is its own business. */
const REACHING =
  /^(?:http|https|credential|url|ssh|protocol)\.|^core\.(?:sshCommand|gitProxy)$|^remote\..+\.(?:url|pushUrl|proxy|proxyAuthMethod|uploadPack|receivePack)$/i;

/** The checkout that the catalog is in. */
export interface Checkout {
  /** A remote of its repository. */
  readonly remote: string;
  readonly catalogFolder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The branch as one commit has it. */
export interface Snapshot {
  /** Undefined: there is no such branch. */
  readonly commit: string | undefined;
  /** Path to the ID of its content. */
  readonly files: ReadonlyMap<string, string>;
}

/** Work of which one is done at a time. */
interface Queue {
  last: Promise<unknown>;
}

export function inTurn<T>(queue: Queue, work: () => Promise<T>): Promise<T> {
  const turn = queue.last.then(work);
  queue.last = turn.catch(() => undefined);
  return turn;
}

/** Changes of one branch, and what it was when this process last saw it. */
export interface SharedBranch extends Queue {
  known: Snapshot | undefined;
}

/** A repository of this machine and this command. */
export interface StateRepository {
  readonly folder: string;
  /** Where git runs: the top of the checkout. */
  readonly cwd: string;
  /** The variables with which git works in it, and reaches the remote. */
  readonly env: NodeJS.ProcessEnv;
  /** The commit of the catalog that is checked out. */
  readonly head: string | undefined;
  /** Of the IDs of objects: 40 hexadecimal digits of SHA-1, or 64 of SHA-256. */
  readonly idLength: number;
  readonly fetches: Queue;
  readonly branches: Map<string, SharedBranch>;
}

/**
 * The repositories of one command, one for each remote: environments on one branch share what is fetched. They are new,
 * so that nothing of an earlier or another run is in the way, and not in the catalog, where a commit could put one with
 * settings that run commands. The checkout stays as it is.
 */
export class StateRepositories {
  readonly #prepared = new Map<string, Promise<StateRepository | GitTrouble>>();

  of(checkout: Checkout): Promise<StateRepository | GitTrouble> {
    const key = `${checkout.catalogFolder}\0${checkout.remote}`;
    const prepared = this.#prepared.get(key) ?? prepare(checkout);
    this.#prepared.set(key, prepared);
    return prepared;
  }

  /** At the end of the command. */
  async remove(): Promise<void> {
    const prepared = await Promise.all(this.#prepared.values());
    this.#prepared.clear();
    for (const each of prepared)
      if ('folder' in each) await rm(each.folder, { recursive: true, force: true });
  }
}

/** Takes over from the checkout how its remote is reached. */
async function prepare({
  catalogFolder,
  remote,
  env: given,
}: Checkout): Promise<StateRepository | GitTrouble> {
  const env = withoutPlaces(given);
  const inCheckout = { cwd: catalogFolder, env };
  const checkout = await checkoutOf(inCheckout);
  const config = await runGit(['config', '--local', '--includes', '--list', '-z'], inCheckout);
  if (config.isMissing) return { why: 'no-git' };
  const settings = config.stdout.toString().split('\0').slice(0, -1).map(settingOf);
  // Names of remotes differ by case: git takes one that it does not know for a path.
  const url = settings.findLast(({ key }) => key === `remote.${remote}.url`)?.value;
  if (!checkout || url === undefined) return { why: 'no-remote' };
  const head = await runGit(['rev-parse', '--quiet', '--verify', 'HEAD'], inCheckout);
  const folder = await mkdtemp(join(tmpdir(), 'trove-git-'));
  const own = { ...withSettings(env, settings), GIT_DIR: folder };
  // A relative path in a setting means one from there.
  const cwd = checkout.top;
  const format = await runGit(['rev-parse', '--show-object-format'], inCheckout);
  const hash = format.stdout.toString().trim() === 'sha256' ? 'sha256' : 'sha1';
  const flags = ['--bare', '--quiet', '--template=', `--object-format=${hash}`];
  const made = await runGit(['init', ...flags, folder], { cwd, env: own });
  if (made.code !== 0) return { why: 'unreachable', said: saidBy(made) };
  const known = await runGit(['config', '--get', `remote.${remote}.url`], { cwd, env: own });
  // An older one does not know settings in variables.
  if (known.stdout.toString() !== `${url}\n`) return { why: 'no-git' };
  const commit = head.code === 0 ? head.stdout.toString().trim() : undefined;
  const shared = { fetches: { last: Promise.resolve() }, branches: new Map<string, SharedBranch>() };
  return { folder, cwd, env: own, head: commit, idLength: hash === 'sha256' ? 64 : 40, ...shared };
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

function settingOf(entry: string): Setting {
  const end = entry.indexOf('\n');
  // A setting without a value means true.
  return end === -1
    ? { key: entry, value: 'true' }
    : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}

/** In a hook of the checkout, git names its own folders to what it starts. */
function withoutPlaces(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named =
    /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|QUARANTINE_PATH|SHALLOW_FILE)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.test(name)));
}

function withSettings(env: NodeJS.ProcessEnv, settings: readonly Setting[]): NodeJS.ProcessEnv {
  const before = Number(env.GIT_CONFIG_COUNT ?? 0);
  const reaching = settings.filter(({ key }) => REACHING.test(key));
  const given = reaching.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(given), GIT_CONFIG_COUNT: String(before + reaching.length) };
}
