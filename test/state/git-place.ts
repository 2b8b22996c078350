import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { GitBranch } from '../../src/state/git/branch.ts';
import { StateRepositories } from '../../src/state/git/remote.ts';
import { SharedStore } from '../../src/state/shared/store.ts';
import { temporaryFolder } from './results.ts';

/** What git needs, and no settings of the person who runs the tests. */
const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** For commits of a catalog. */
export const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];

/** A remote with a catalog, and a checkout of it. */
export async function remoteAndCheckout() {
  const folder = await temporaryFolder();
  const [remote, checkout] = [join(folder, 'remote.git'), join(folder, 'checkout')];
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'clone', '--quiet', remote, checkout);
  git(checkout, ...identity, 'commit', '--quiet', '--allow-empty', '--message=catalog');
  git(checkout, 'push', '--quiet', 'origin', 'HEAD:main');
  return { folder, remote, checkout };
}

/** Those of one process. */
function newRepositories(): StateRepositories {
  const repositories = new StateRepositories();
  onTestFinished(() => repositories.remove());
  return repositories;
}

/** A place for one state on a branch. Each store is opened in a clone of its own if `clone` says where. */
export async function gitPlace(options: { readonly maxBytes?: number } = {}) {
  const { folder, remote, checkout } = await remoteAndCheckout();
  const open = (
    catalogFolder = checkout,
    file = 'staging.json',
    name = 'origin',
    branch = 'trove-state',
    repositories = newRepositories(),
  ) => {
    const path = `${name}/${branch}:${file}`;
    const engine = new GitBranch({ remote: name, branch, catalogFolder, repositories, env }, path);
    return new SharedStore({ engine, file, path, ...options });
  };
  const clone = (name: string, ...flags: readonly string[]): string => {
    git(folder, 'clone', '--quiet', ...flags, `file://${remote}`, name);
    return join(folder, name);
  };
  return { folder, remote, checkout, clone, open: () => open(), openIn: open, store: open() };
}

/** A hook of the remote: a shell script. */
export function hook(remote: string, name: string, script: string): void {
  const path = join(remote, 'hooks', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Of the branch, newest first. */
export const subjects = (remote: string) => git(remote, 'log', '--format=%s', 'trove-state').split('\n');
export const filesOf = (remote: string) =>
  git(remote, 'ls-tree', '-r', '--name-only', 'trove-state').split('\n');
