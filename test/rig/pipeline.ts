import type { State } from '../../src/state/model.ts';
import { runAction } from './github-runner.ts';
import type { Repository } from './repository.ts';
import { statePath } from './team.ts';

/** The branch that says that an apply of `staging` goes on. */
export const mark = 'refs/heads/trove-apply/main/staging';

/** What a job has that may write; the pull request of a stranger has nothing of it. */
export function secrets({ team }: Repository): Record<string, string> {
  const { TROVE_USERNAME = '', TROVE_PASSWORD = '' } = team.env;
  return { TROVE_USERNAME, TROVE_PASSWORD };
}

/** The action with `command: apply`, in a checkout of its own unless one is given. */
export async function apply(repository: Repository, more: Partial<Parameters<typeof runAction>[0]> = {}) {
  const checkout = more.checkout ?? (await repository.checkout());
  const inputs = { command: 'apply', environments: 'staging', ...more.inputs };
  return runAction({ env: secrets(repository), ...more, checkout, inputs });
}

export const applyFirst = (repository: Repository) =>
  apply(repository, { inputs: { 'new-environment': 'true' } });

export const stateOn = async ({ git }: Repository, branch: string, path = statePath) =>
  JSON.parse(await git('show', `${branch}:${path}`)) as State;

export const branches = async ({ git }: Repository) =>
  (await git('for-each-ref', '--format=%(refname)')).split('\n');

export const filesOn = async ({ git }: Repository) =>
  (await git('ls-tree', '-r', '--name-only', 'main', '--', 'catalog/state/')).split('\n').sort();
