import { expect, test } from 'vitest';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, type Team } from '../rig/team.ts';
import { unwrapped } from '../rig/unwrapped.ts';

async function appliedTeamWithPlan(): Promise<Team> {
  const team = await createTeam(smallCatalog);
  await team.run('apply --yes --new-environment');
  await team.project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Yew Bow');
  expect(await team.run('plan --out plan.json --detailed-exitcode')).toMatchObject({ code: 2 });
  return team;
}

test('a saved plan is made without network or credentials, and carried out once', async () => {
  await using team = await appliedTeamWithPlan();
  const sent = team.gateway.exchanges.length;
  expect(await team.run('apply plan.json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 updated'),
  });
  expect(team.gateway.exchanges).toHaveLength(sent + 1);
  const again = await team.run('apply plan.json');
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the state, by its serial, was 1 when the plan was saved and is 2 now'),
  });
  expect(team.gateway.exchanges).toHaveLength(sent + 1);
});

test.each([
  ['catalog/game.yaml', 'rollNumerator: 100', 'rollNumerator: 101', 'the catalog is not as it was'],
  [
    'catalog/environments/staging.yaml',
    'teamId: team_7',
    'teamId: team_7 # reviewed',
    'the environment file is not as it was',
  ],
  ['plan.json', '"name": "Yew Bow"', '"name": "Elm Bow"', 'it was altered'],
  ['plan.json', '"savedPlan": 1', '"savedPlan": 2', 'not a plan that this version of Trove saved'],
])('%s changed meanwhile: refused with what moved, nothing sent', async (path, from, to, said) => {
  await using team = await appliedTeamWithPlan();
  const sent = team.gateway.exchanges.length;
  await team.project.edit(path, from, to);
  const result = await team.run('apply plan.json');
  expect([result.code, unwrapped(result.stderr)]).toEqual([1, expect.stringContaining(said)]);
  expect(team.gateway.exchanges).toHaveLength(sent);
});

test('a plan of another environment is refused', async () => {
  await using team = await appliedTeamWithPlan();
  const result = await team.run('apply plan.json --yes', { env: { TROVE_ENV: 'local' } });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('the environment was staging') });
});

test('--target plans an item with the classifiers that it needs, and the rest stays for later', async () => {
  await using team = await createTeam(smallCatalog);
  expect(await team.run('apply --yes --new-environment --target item.oak-bow')).toMatchObject({ code: 0 });
  expect(team.gateway.exchanges.map(({ body }) => body.name)).toEqual(['Rarity', 'Oak Bow']);
  const typo = await team.run('plan --target item.oak-bwo');
  expect(typo).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean item.oak-bow?') });
  expect(await team.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('3 created'),
  });
});

test('the JSON plan is the plan of the file, and can go to a file beside the text', async () => {
  await using team = await appliedTeamWithPlan();
  const { stdout } = await team.run('plan --format json');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(await team.project.read('plan.json')).plan);
  const both = await team.run('plan --format text --format json=other.json');
  expect(both.stdout).toContain('Plan: 1 to update; 4 unchanged.');
  expect(await team.project.read('other.json')).toBe(stdout);
});

test('the command that carries a plan out works as typed, whatever the file is called', async () => {
  await using team = await createTeam(smallCatalog);
  await team.run('apply --yes --new-environment');
  const folder = "it's;here";
  await team.project.write(`${folder}/x`, '');
  const { stderr } = await team.run(`plan --out ${folder}/plan.json`);
  expect(stderr).toContain("trove apply 'it'\\''s;here/plan.json' -e staging\n");
});

test('a file that is no plan: how to make one for this environment', async () => {
  await using team = await createTeam(smallCatalog);
  for (const file of ['nowhere.json', 'catalog/game.yaml']) {
    const { code, stderr } = await team.run(`apply ${file}`);
    expect([code, stderr], file).toEqual([1, expect.stringContaining('trove plan -e staging --out FILE')]);
  }
});
