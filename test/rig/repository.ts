import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTeam, type Team } from './team.ts';

/** A team whose catalog is in git: a bare repository that stands for the remote one, with a branch `main`. */
export interface Repository extends AsyncDisposable {
  readonly team: Team;
  readonly remote: string;
  /** A folder of its own for anything else, removed with the rest. */
  readonly folder: string;
  /** Runs git in the remote repository. */
  git(...args: readonly string[]): Promise<string>;
  /** What a runner begins with: a shallow, detached checkout of a commit, by default the newest of `main`. */
  checkout(commit?: string): Promise<string>;
  /** Adds a file on `main`. */
  add(path: string, text: string): Promise<string>;
  /** Somebody else edits a file on `main`; gives the new commit. */
  merge(path: string, from: string, to: string): Promise<string>;
}

const run = promisify(execFile);
/** What is set on the machine of the person who runs the tests must not matter. */
export const gitEnv = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  // Nothing of a test has to survive a power cut.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.fsync',
  GIT_CONFIG_VALUE_0: 'none',
};
const author = ['-c', 'user.name=Author', '-c', 'user.email=author@game.example'];

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...author, ...args], {
    cwd: folder,
    env: { ...process.env, ...gitEnv },
  });
  return stdout.trim();
}

export async function createRepository(
  files: Parameters<typeof createTeam>[0],
  settings = '',
): Promise<Repository> {
  const team = await createTeam(files, `state: { backend: git, branch: trove-state }\n${settings}`);
  const folder = await mkdtemp(join(tmpdir(), 'trove-pipeline-'));
  const remote = join(folder, 'remote.git');
  const own = team.project.folder;
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  await team.project.write('.gitignore', 'node_modules\n.trove/\n*.journal\n*.lock\ntrove-plan.json\n');
  await git(own, 'init', '--quiet', '--initial-branch=main');
  await git(own, 'remote', 'add', 'origin', remote);
  const publish = async (message: string) => {
    await git(own, 'add', '--all');
    await git(own, 'commit', '--quiet', '--message', message);
    await git(own, 'push', '--quiet', 'origin', 'HEAD:main');
    return git(own, 'rev-parse', 'HEAD');
  };
  await publish('Begin the catalog');
  let checkouts = 0;
  return {
    team,
    remote,
    folder,
    git: (...args) => git(remote, ...args),
    async checkout(commit = 'refs/heads/main') {
      checkouts += 1;
      const target = join(folder, `checkout-${checkouts}`);
      await git(folder, 'init', '--quiet', target);
      await git(target, 'remote', 'add', 'origin', `file://${remote}`);
      await git(target, 'fetch', '--quiet', '--depth=1', 'origin', commit);
      await git(target, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
      return target;
    },
    async add(path, text) {
      await team.project.write(path, text);
      return publish(`Add ${path}`);
    },
    async merge(path, from, to) {
      await git(own, 'pull', '--quiet', '--ff-only', 'origin', 'main');
      await team.project.edit(path, from, to);
      return publish(`Edit ${path}`);
    },
    async [Symbol.asyncDispose]() {
      await team[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
