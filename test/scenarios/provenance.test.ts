import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam } from '../rig/team.ts';

test('every record says which catalog and which commit it was written from', async () => {
  await using team = await createTeam(smallCatalog);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example', ...args], {
      cwd: team.project.folder,
      encoding: 'utf8',
    }).trim();
  const originOf = async (address: `item.${string}`) => (await team.recorded()).live[address]?.origin;

  git('init', '-q');
  await team.run('apply --yes --new-environment --target item.torch');
  expect(await originOf('item.torch')).toEqual({ catalog: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });

  git('add', '.');
  git('commit', '-qm', 'catalog');
  await team.run('apply --yes --target item.oak-bow');
  const committed = { catalog: expect.any(String), commit: git('rev-parse', 'HEAD') };
  expect(await originOf('item.oak-bow')).toEqual(committed);
  expect(await originOf('item.torch')).not.toHaveProperty('commit');
  expect((await team.run('state show item.oak-bow')).stdout).toMatch(/^ {2}commit +[0-9a-f]{40}$/m);

  await team.project.edit('catalog/game.yaml', 'Oak Bow', 'Elm Bow');
  await team.run('apply --yes');
  expect((await originOf('item.oak-bow'))?.commit).toBe(`${committed.commit}-dirty`);
});
