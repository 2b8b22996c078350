import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runGitlabPipeline } from '../rig/gitlab-runner.ts';
import { addPreview, apply, applyFirst, filesOnBranch, secrets, stateOf } from '../rig/pipeline.ts';
import { recorded } from '../rig/recorded.ts';
import { createRepository, git, type Repository } from '../rig/repository.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

const isNew = { 'new-environment': 'true' };
const createdTimes = ({ team }: Repository) => team.service.ledger().map((record) => record.createdTimes);

test('a catalog whose state is a file of the runner is refused in plan and apply', async () => {
  await using repository = await createRepository(smallCatalog);
  await repository.merge(
    'catalog/environments/staging.yaml',
    'state: { backend: git, branch: trove-state }\n',
    '',
  );
  const refused = await applyFirst(repository);
  expect(refused).toMatchObject({ failed: true, outputs: { 'exit-code': '1' } });
  expect(refused.log).toContain('[state-on-runner]');
  expect(repository.team.gateway.exchanges).toEqual([]);
  const planned = await apply(repository, { inputs: { command: 'plan' } });
  expect(planned).toMatchObject({ failed: true, outputs: { 'exit-code': '1' } });
  expect(planned.log).toContain('[state-on-runner]');
});

test('apply works if the catalog is the root of the repository', async () => {
  await using repository = await createRepository({ 'game.yaml': smallCatalog['catalog/game.yaml'] });
  const person = await repository.checkout();
  await git(person, 'mv', 'catalog/environments', 'environments');
  await git(person, 'commit', '--quiet', '-m', 'The catalog is the repository');
  await git(person, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  expect(await apply(repository, { inputs: { ...isNew, catalog: '.' } })).toMatchObject({ failed: false });
  expect(Object.keys(recorded(await stateOf(repository)).live)).toHaveLength(5);
});

test.skipIf(process.getuid?.() !== 0)(
  'apply works in a checkout of another user, as in a container',
  async () => {
    await using repository = await createRepository(smallCatalog);
    const checkout = await repository.checkout();
    for (const path of ['.', '.git']) await chown(join(checkout, path), 1001, 1001);
    expect(await apply(repository, { checkout, inputs: isNew })).toMatchObject({ failed: false });
    expect(Object.keys(recorded(await stateOf(repository)).live)).toHaveLength(5);
  },
);

test('both states are recorded if one of two environments in a job fails', async () => {
  await using repository = await createRepository(smallCatalog);
  await addPreview(repository);
  const { gateway } = repository.team;
  let bows = 0;
  gateway.decide = ({ body }) =>
    body.name === 'Oak Bow' && ++bows === 1 ? { status: 400, body: '{}' } : 'pass';
  const result = await apply(repository, { inputs: { ...isNew, environments: 'staging preview' } });
  expect(result).toMatchObject({ failed: true, outcomes: { run: 'failure', unlock: 'success' } });
  const states = [await stateOf(repository), await stateOf(repository, 'preview.json')];
  expect(states.map((state) => Object.keys(recorded(state).live).length).sort()).toEqual([4, 5]);
  expect(await filesOnBranch(repository)).toEqual(['preview.json', 'staging.json']);
});

test('a job that may not push sends nothing and says who refused', async () => {
  await using repository = await createRepository(smallCatalog);
  await writeFile(join(repository.remote, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const refused = await applyFirst(repository);
  expect(refused).toMatchObject({ failed: true, outputs: { 'exit-code': '1' } });
  expect(refused.log).toMatch(/origin refused a push to branch trove-state/);
  expect(repository.team.gateway.exchanges).toEqual([]);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'no ID is lost if GitLab ends a job by %s during a create',
  async (signal) => {
    await using repository = await createRepository(smallCatalog);
    const { gateway } = repository.team;
    let group = 0;
    gateway.decide = ({ method }) => {
      if (method === 'POST' && gateway.count('POST') === 1) process.kill(-group, signal);
      return 'pass';
    };
    const env = { ...secrets(repository), TROVE_NEW_ENVIRONMENT: 'true' };
    const { apply } = await runGitlabPipeline(repository, env);
    await apply((own) => {
      group = own;
    });
    // The runner does not wait for trove, which finishes what is under way.
    while ((await filesOnBranch(repository)).includes('staging.json.lock')) await setTimeout(50);
    const run = await runGitlabPipeline(repository, env);
    await run.apply();
    const { pending, live } = recorded(await stateOf(repository));
    expect([pending, Object.keys(live).length]).toEqual([[], createdTimes(repository).length]);
    expect(new Set(createdTimes(repository))).toEqual(new Set([1]));
  },
);
