import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectRefused, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, createTeams, sharedTeam, statePath } from '../rig/team.ts';

const shared = sharedTeam(async () => {
  const team = await appliedTeam();
  await team.project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Yew Bow');
  expect(await team.run('plan --out plan.json --detailed-exitcode')).toMatchObject({ code: 2 });
  return team;
});

test('a saved plan needs no network or credentials, and applies once', async () => {
  const team = shared();
  const sent = team.gateway.exchanges.length;
  expect(await team.run('apply plan.json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 updated'),
  });
  expect(team.gateway.exchanges).toHaveLength(sent + 1);
  const again = await team.run('apply plan.json');
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the state has changed since the plan was saved (serial 1, now 2)'),
  });
  expect(team.gateway.exchanges).toHaveLength(sent + 1);
});

test('a saved plan applies after a run in which the service refused everything', async () => {
  const team = shared();
  const before = await team.project.read(statePath);
  team.gateway.decide = () => ({ status: 400, body: '{}' });
  expect(await team.run('apply plan.json')).toMatchObject({ code: 1 });
  expect(await team.project.read(statePath)).toBe(before);
  team.gateway.decide = () => 'pass';
  expect(await team.run('apply plan.json')).toMatchObject({ code: 0 });
});

test('the first saved plan of an environment applies after a run in which the service refused everything', async () => {
  await using team = await createTeam(smallCatalog);
  await team.run('plan --out plan.json');
  const first = await team.run('apply plan.json --new-environment', {
    env: { TROVE_PASSWORD: 'an old one' },
  });
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was changed') });
  expect(await team.run('plan')).toMatchObject({ stdout: expect.stringContaining('[no-state]') });
  expect(await team.run('apply plan.json --new-environment')).toMatchObject({ code: 0 });
});

test('a saved plan of several environments applies to none if one of them is refused', async () => {
  await using teams = await createTeams(2, smallCatalog);
  await teams.run('plan -e team-* --out plan.json');
  const env = { TEAM_02_PASSWORD: 'an old one' };
  const refused = await teams.run('apply plan.json --new-environment', { env });
  expectRefused({ ...refused, stdout: '' }, '[file-refused]', '401');
  expect(teams.service.ledger()).toEqual([]);
  expect(
    (await teams.project.state('catalog/state/team-01.json').catch(() => undefined))?.serial,
  ).toBeUndefined();
  expect(await teams.run('apply plan.json --new-environment')).toMatchObject({ code: 0 });
});

test.each([
  [
    'catalog/game.yaml',
    'rollNumerator: 100',
    'rollNumerator: 101',
    'the catalog has changed since the plan was saved',
  ],
  [
    'catalog/environments/staging.yaml',
    'teamId: team_7',
    'teamId: team_7 # reviewed',
    'the environment file has changed since the plan was saved',
  ],
  ['plan.json', '"name": "Yew Bow"', '"name": "Elm Bow"', 'it was altered'],
  ['plan.json', '"savedPlan": 1', '"savedPlan": 2', 'not a saved plan of this version of Trove'],
])('a saved plan is refused after an edit in %s of %s', async (path, from, to, said) => {
  const team = shared();
  const sent = team.gateway.exchanges.length;
  await team.project.edit(path, from, to);
  expectRefused(await team.run('apply plan.json'), said);
  expect(team.gateway.exchanges).toHaveLength(sent);
});

test('apply refuses an environment not in the plan file, and prints the right command', async () => {
  await using team = await createTeam(smallCatalog);
  await team.run('plan --out plan.json');
  for (const named of ['-e local', '-e local -e staging']) {
    const { code, stderr } = await team.run(`apply plan.json ${named}`);
    expect([code, stderr.match(/^error/gm)]).toEqual([1, ['error']]);
    expect(stderr).toContain('[other-environment]');
    const [, command = ''] = /omit -e: trove (.*?)\s*$/.exec(unwrapped(stderr)) ?? [];
    expect(command).toBe('apply plan.json --new-environment');
  }
  expect(team.gateway.exchanges).toEqual([]);
  expect(await team.run('apply plan.json --new-environment')).toMatchObject({ code: 0 });
});

test.each([
  ['', 'local'],
  ['-e staging', 'local'],
  ['', ''],
])('a saved plan applies to its own environment with "%s" and TROVE_ENV=%s', async (flags, variable) => {
  const team = shared();
  const { code, stdout } = await team.run(`apply plan.json ${flags}`.trim(), {
    env: { TROVE_ENV: variable },
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('Applied to staging: 1 updated.')]);
});

test('plan --format json prints the saved plan, and can write it beside the text', async () => {
  const team = shared();
  const { stdout } = await team.run('plan --format json');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(await team.project.read('plan.json')).plan);
  const both = await team.run('plan --format text --format json=other.json');
  expect(both.stdout).toContain('Plan: 1 to update; 4 unchanged.');
  expect(await team.project.read('other.json')).toBe(stdout);
});

test('apply of a file that is not a plan prints how to make one', async () => {
  await using team = await createTeam(smallCatalog);
  for (const file of ['nowhere.json', 'catalog/game.yaml']) {
    const { code, stderr } = await team.run(`apply ${file}`);
    expect([code, stderr], file).toEqual([1, expect.stringMatching(/trove plan (?:-e staging )?--out FILE/)]);
  }
});

test('a plan file whose reason lacks its values is refused', async () => {
  const team = shared();
  const [saved] = [JSON.parse(await team.project.read('plan.json'))].flat();
  saved.plan.changes[0].reasons = [{ code: 'waits-for-classifiers' }];
  await team.project.write('odd.json', JSON.stringify(saved));
  expectRefused(await team.run('show odd.json'), '[invalid-plan-file]');
});

test('apply in another folder reports that the file names differ', async () => {
  const team = shared();
  const text = await team.project.read('plan.json');
  await team.project.write('plan.json', text.replaceAll('"catalog/game.yaml"', '"game/catalog/game.yaml"'));
  expectRefused(await team.run('apply plan.json'), 'its file names differ: it was created in another folder');
});

test('a saved plan is refused if the state it was made from is missing', async () => {
  const team = shared();
  await rm(join(team.project.folder, statePath));
  expectRefused(await team.run('apply plan.json'), 'restore it first');
});

describe('a file of several plans', () => {
  test('is applied by the printed command', async () => {
    await using teams = await createTeams(2, smallCatalog);
    const { stderr } = await teams.run('plan -e team-* --out plans,new.json');
    expect(stderr).toContain("trove apply 'plans,new.json' --new-environment\n");
    const refused = await teams.run('apply plans,new.json');
    expect(unwrapped(refused.stderr)).toContain(
      "environment: trove apply 'plans,new.json' --new-environment",
    );
    expect(await teams.run('apply plans,new.json --new-environment')).toMatchObject({ code: 0 });
  });

  test('is refused if -e selects some environments, and applied if it selects all', async () => {
    await using teams = await createTeams(2, smallCatalog);
    await teams.run('plan -e team-* --out plans.json');
    const refused = await teams.run('apply plans.json -e team-01 --new-environment');
    expectRefused(refused, 'the file has plans for team-01, team-02, but -e selects team-01');
    await expect(teams.project.read('catalog/state/team-02.json')).rejects.toThrow('ENOENT');
    expect(await teams.run('apply plans.json -e team-* --new-environment')).toMatchObject({ code: 0 });
  });

  test('may not plan one environment twice', async () => {
    const team = shared();
    const text = await team.project.read('plan.json');
    await team.project.write('twice.json', `[${text},${text}]`);
    for (const command of ['apply', 'show'])
      expectRefused(await team.run(`${command} twice.json`), 'two plans for the environment staging');
  });
});

test('a plan file with a byte order mark is accepted, and one in UTF-16 is refused', async () => {
  const team = shared();
  const text = await team.project.read('plan.json');
  await team.project.write('plan.json', `\ufeff${text}`);
  expect(await team.run('show plan.json')).toMatchObject({ code: 0 });
  await writeFile(join(team.project.folder, 'plan.json'), `\ufeff${text}`, 'utf16le');
  expectRefused(await team.run('show plan.json'), 'invalid UTF-8');
});

test.each([
  ['"environment": "staging"', '"environment": "x; touch owned"'],
  ['"address": "item.oak-bow"', '"address": "::error::x"'],
])('a plan file with %s changed to %s is refused', async (from, to) => {
  const team = shared();
  await team.project.edit('plan.json', from, to);
  for (const command of ['show', 'apply']) {
    expectRefused(await team.run(`${command} plan.json`), 'not a saved plan of this version of Trove');
  }
});

test('show prints no line of a plan file from elsewhere as a pipeline command', async () => {
  const team = shared();
  const text = await team.project.read('plan.json');
  const long = `::error::${'x'.repeat(80)}`;
  const altered = text
    .replace('"file": "catalog/game.yaml"', `"file": "${long}"`)
    .replace('"path": "name"', '"path": "::error::y"');
  await team.project.write('plan.json', altered);
  const { stdout, code } = await team.run('show plan.json');
  expect([code, stdout.match(/::error::/g)]).toEqual([0, ['::error::', '::error::']]);
  expect(stdout).not.toMatch(/^\s*(?:::|##\[)/m);
});
