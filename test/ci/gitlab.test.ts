import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGitlabJob } from '../rig/gitlab-runner.ts';
import { knowsFormat } from '../rig/knows-format.ts';
import { secrets, stateOn } from '../rig/pipeline.ts';
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
});

test.skipIf(!knowsFormat('validate', 'gitlab'))(
  'what is wrong with a catalog is a Code Quality report',
  async () => {
    await using repository = await createRepository(smallCatalog);
    await repository.merge('catalog/game.yaml', 'rarity: rare', 'rarity: raer');
    const checkout = await repository.checkout();
    expect(await runGitlabJob('trove-validate', checkout)).toMatchObject({ code: 1 });
    const report = JSON.parse(await readFile(join(checkout, 'gl-code-quality-report.json'), 'utf8'));
    expect(report).toMatchObject([
      { check_name: 'unknown-reference', location: { path: 'catalog/game.yaml' } },
    ]);
  },
);

test('the default branch is applied, its state committed, and a second job sends nothing', async () => {
  await using repository = await createRepository(smallCatalog);
  const env = { ...secrets(repository), ...isNew };
  const first = await runGitlabJob('trove-apply', await repository.checkout(), env);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Applied to staging: 5 created.')]);
  expect(Object.keys((await stateOn(repository, 'main')).resources)).toHaveLength(5);
  const sent = repository.team.gateway.count('POST', 'PUT');
  const second = await runGitlabJob('trove-apply', await repository.checkout(), secrets(repository));
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Nothing to change')]);
  expect(repository.team.gateway.count('POST', 'PUT')).toBe(sent);
  expect(await repository.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test('a failed apply keeps its exit code and commits what it did', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  gateway.decide = ({ body }) => (body.name === 'Slot' ? 'cut-after' : 'pass');
  const env = { ...secrets(repository), ...isNew };
  const failed = await runGitlabJob('trove-apply', await repository.checkout(), env);
  expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining('ended with exit code 4')]);
  expect((await stateOn(repository, 'main')).pending).toHaveLength(1);
});
