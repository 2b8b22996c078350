import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitlabArtifacts, runGitlabJob, runGitlabPipeline } from '../rig/gitlab-runner.ts';
import { secrets, stateOf } from '../rig/pipeline.ts';
import { unwrapped } from '../rig/project.ts';
import { textOf } from '../rig/read-page.ts';
import { recorded } from '../rig/recorded.ts';
import { createRepository } from '../rig/repository.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

const isNew = { TROVE_NEW_ENVIRONMENT: 'true' };

test('a merge request is validated and planned without credentials', async () => {
  await using repository = await createRepository(smallCatalog);
  const checkout = await repository.checkout();
  const validated = await runGitlabJob('trove-validate', checkout);
  expect([validated.code, validated.stdout]).toEqual([0, expect.stringContaining('catalog is valid')]);
  const planned = await runGitlabJob('trove-plan', checkout);
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('Plan: 5 to create.')]);
  expect(repository.team.gateway.exchanges).toEqual([]);
  const { paths = [], expose_as } = await gitlabArtifacts('trove-plan');
  expect([paths.length, expose_as]).toEqual([1, 'Trove plan']);
  expect(textOf(await readFile(join(checkout, paths[0] ?? ''), 'utf8'))).toContain('Plan: 5 to create.');
});

test('problems of a catalog become a Code Quality report', async () => {
  await using repository = await createRepository(smallCatalog);
  await repository.merge('catalog/game.yaml', 'rarity: rare', 'rarity: raer');
  const checkout = await repository.checkout();
  expect(await runGitlabJob('trove-validate', checkout)).toMatchObject({ code: 1 });
  const report = JSON.parse(await readFile(join(checkout, 'gl-code-quality-report.json'), 'utf8'));
  expect(report).toMatchObject([
    { check_name: 'unknown-reference', location: { path: 'catalog/game.yaml' } },
  ]);
});

test('an approved plan is applied after a merge, and a second run sends nothing', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  const { first, apply } = await runGitlabPipeline(repository, { ...secrets(repository), ...isNew });
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Plan: 5 to create.')]);
  expect(gateway.exchanges).toEqual([]);
  const applied = await apply();
  expect([applied.code, applied.stdout]).toEqual([
    0,
    expect.stringContaining('Applied to staging: 5 created.'),
  ]);
  expect(Object.keys(recorded(await stateOf(repository)).live)).toHaveLength(5);
  const sent = gateway.count('POST', 'PUT');
  const again = await runGitlabPipeline(repository, secrets(repository));
  const nothing = await again.apply();
  expect([nothing.code, nothing.stdout]).toEqual([0, expect.stringContaining('The plan has nothing to do.')]);
  expect(gateway.count('POST', 'PUT')).toBe(sent);
});

test('only the newer of two plans applies if both were made before either was applied', async () => {
  await using repository = await createRepository(smallCatalog);
  const env = { ...secrets(repository), ...isNew };
  const one = await runGitlabPipeline(repository, env);
  await repository.merge('catalog/game.yaml', 'name: Torch', 'name: Lantern');
  const other = await runGitlabPipeline(repository, env);
  const stale = await one.apply();
  expect(stale).toMatchObject({ code: 1, stdout: expect.stringContaining('[stale-plan]') });
  expect(unwrapped(stale.stdout)).toContain('the catalog has changed since the plan was saved');
  expect(stale.stderr).toContain('run the whole pipeline again, which makes a new plan');
  expect(repository.team.gateway.exchanges).toEqual([]);
  expect(await other.apply()).toMatchObject({ code: 0 });
  expect(repository.team.gateway.exchanges.map(({ body }) => body.name)).toContain('Lantern');
  // Run again as a whole, a pipeline makes a new plan and has nothing to do.
  const sent = repository.team.gateway.exchanges.length;
  expect(await other.plan()).toMatchObject({ code: 0 });
  expect(await other.apply()).toMatchObject({ code: 0 });
  expect(repository.team.gateway.exchanges).toHaveLength(sent);
});

test('a failed apply keeps its exit code and records what it did', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  gateway.decide = ({ body }) => (body.name === 'Slot' ? 'cut-after' : 'pass');
  const { apply } = await runGitlabPipeline(repository, { ...secrets(repository), ...isNew });
  const failed = await apply();
  expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining('ended with exit code 4')]);
  expect(recorded(await stateOf(repository)).pending).toHaveLength(1);
});
