import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitTrouble } from '../../text/diagnostic.ts';
import { gitFolderOf, runGit, saidBy } from './run-git.ts';

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

export interface StateRepository {
  /** The variables with which git works in it, and reaches the remote. */
  readonly env: NodeJS.ProcessEnv;
  /** The commit of the catalog that is checked out. */
  readonly head: string | undefined;
}

/**
 * Makes a repository for the state beside that of the catalog, whose files, branches and settings stay as they are,
 * and takes over from it how the remote is reached. It is not in the catalog folder, where a commit could put one
 * with settings that run commands.
 */
export async function prepareRepository(checkout: Checkout): Promise<StateRepository | GitTrouble> {
  const { catalogFolder: cwd, remote } = checkout;
  const env = withoutPlaces(checkout.env);
  const gitFolder = await gitFolderOf({ cwd, env });
  const config = await runGit(['config', '--local', '--includes', '--list', '-z'], { cwd, env });
  if (config.isMissing) return { why: 'no-git' };
  const settings = config.stdout.toString().split('\0').slice(0, -1).map(settingOf);
  const isRemote = ({ key }: Setting) => key.toLowerCase() === `remote.${remote.toLowerCase()}.url`;
  if (!gitFolder || !settings.some(isRemote)) return { why: 'no-remote' };
  const head = await runGit(['rev-parse', '--quiet', '--verify', 'HEAD'], { cwd, env });
  const folder = join(gitFolder, 'trove');
  const own = { ...withSettings(env, settings), GIT_DIR: folder };
  const made = await runGit(['init', '--bare', '--quiet', folder], { cwd, env: own });
  // Two runs may begin it at the same time.
  if (made.code !== 0 && !existsSync(join(folder, 'HEAD'))) return { why: 'unreachable', said: saidBy(made) };
  return { env: own, head: head.code === 0 ? head.stdout.toString().trim() : undefined };
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

function settingOf(entry: string): Setting {
  const [key = '', ...value] = entry.split('\n');
  return { key, value: value.join('\n') };
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
