import type { State } from '../../src/state/model.ts';
import { runAction } from './github-runner.ts';
import type { Repository } from './repository.ts';

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

export const stateOf = async ({ git }: Repository, file = 'staging.json') =>
  JSON.parse(await git('show', `trove-state:${file}`)) as State;

export const branches = async ({ git }: Repository) =>
  (await git('for-each-ref', '--format=%(refname)')).split('\n');

export const filesOnBranch = async ({ git }: Repository) =>
  (await git('ls-tree', '-r', '--name-only', 'trove-state')).split('\n');

/** A second environment, `preview`. Two may not be one team; by another name of this machine it passes for another service. */
export async function addPreview(repository: Repository): Promise<void> {
  const own =
    'idNamespace: 6f1c1c0e-5c1e-4c1a-9b1e-0d9f3c2b7a11\nstate: { backend: git, branch: trove-state }\n';
  const baseUrl = repository.team.gateway.url.replace('127.0.0.1', 'localhost');
  await repository.add('catalog/environments/preview.yaml', `baseUrl: ${baseUrl}\nteamId: team_7\n${own}`);
}
