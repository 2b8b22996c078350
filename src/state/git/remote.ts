import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitTrouble } from '../../text/diagnostic.ts';
import type { Shared } from '../shared/engine.ts';
import { checkoutOf, runGit, saidBy } from './run-git.ts';

/** What a checkout may say about how its remote is reached; everything else in it is its own business. */
const REACHING =
  /^(?:http|https|credential|url|ssh|protocol)\.|^core\.(?:sshCommand|gitProxy)$|^remote\..+\.(?:proxy|proxyAuthMethod|uploadPack|receivePack)$/i;

/** A setting that only a variable gives. */
const PROOF = { key: 'trove.known', value: 'true' };

/** The checkout that the catalog is in. */
export interface Checkout {
  /** A remote of its repository. */
  readonly remote: string;
  readonly catalogFolder: string;
  readonly env: NodeJS.ProcessEnv;
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
  readonly fetches: { last: Promise<unknown> };
  readonly branches: Map<string, Shared>;
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
async function prepare(given: Checkout): Promise<StateRepository | GitTrouble> {
  const env = withoutPlaces(given.env);
  const checkout = await examine({ ...given, env });
  if (!('settings' in checkout)) return checkout;
  const { top: cwd, head, isSha256, settings } = checkout;
  const known = await runGit(['config', '--get', PROOF.key], { cwd, env: withSettings(env, [PROOF]) });
  // An older one does not know settings in variables.
  if (known.code !== 0) return { why: 'no-git' };
  const folder = await mkdtemp(join(tmpdir(), 'trove-git-')).catch((cause: Error) => cause);
  if (folder instanceof Error) return { why: 'local', said: folder.message };
  const own = { ...withSettings(env, settings), GIT_DIR: folder };
  const format = `--object-format=${isSha256 ? 'sha256' : 'sha1'}`;
  const made = await runGit(['init', '--bare', '--quiet', '--template=', format, folder], { cwd, env: own });
  if (made.code !== 0) {
    await rm(folder, { recursive: true, force: true });
    return { why: 'local', said: saidBy(made) };
  }
  const shared = { fetches: { last: Promise.resolve() }, branches: new Map<string, Shared>() };
  return { folder, cwd, env: own, head, idLength: isSha256 ? 64 : 40, ...shared };
}

/** What of the checkout counts for the state: where it is, what is checked out, how its remote is reached. */
async function examine({ catalogFolder: cwd, remote, env }: Checkout) {
  const run = (...args: readonly string[]) => runGit(args, { cwd, env });
  const checkout = await checkoutOf({ cwd, env });
  const config = await run('config', '--local', '--includes', '--list', '-z');
  if (config.isMissing) return { why: 'no-git' } as const;
  if (checkout && config.code !== 0) return { why: 'local', said: saidBy(config) } as const;
  const found = await run('rev-parse', '--git-dir');
  // It belongs to another user, say in a container.
  if (/dubious/.test(found.stderr)) return { why: 'local', said: saidBy(found) } as const;
  const all = config.stdout.toString().split('\0').slice(0, -1).map(settingOf);
  // Names of remotes differ by case: git takes one that it does not know for a path.
  const urlOf = (name: string) => all.find(({ key }) => key === `remote.${remote}.${name}`)?.value;
  // What is read and what is pushed must be one place, and the one for pushes can do both.
  const value = urlOf('pushurl') ?? urlOf('url');
  if (!checkout || value === undefined) return { why: 'no-remote' } as const;
  const url = { key: `remote.${remote}.url`, value };
  const head = await run('rev-parse', '--quiet', '--verify', 'HEAD');
  const format = await run('rev-parse', '--show-object-format');
  return {
    // A relative path in a setting means one from there.
    ...checkout,
    settings: [...all.filter(({ key }) => REACHING.test(key)), url],
    head: head.code === 0 ? head.stdout.toString().trim() : undefined,
    isSha256: format.stdout.toString().trim() === 'sha256',
  };
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
  const given = settings.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(given), GIT_CONFIG_COUNT: String(before + settings.length) };
}
