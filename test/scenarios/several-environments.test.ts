import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { currentOwner } from '../../src/state/lock-owner.ts';
import { unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeams, type Teams } from '../rig/team.ts';

const stateOf = (teams: Teams, name: string) => teams.project.state(`catalog/state/${name}.json`);
const ofTeam = (teams: Teams, name: string) =>
  teams.service.ledger().filter(({ teamId }) => teamId === `id-of-${name}`);

test('one command fills 8 teams alike, and a repeat fills the one that failed', async () => {
  const latency = { kind: 'latency', ms: 3 } as const;
  const options = {
    dialect: { arrayOrder: 'shuffled' },
    faults: { seed: 7, rules: [{ chance: 0.3, fault: latency }] },
  } as const;
  await using teams = await createTeams(8, smallCatalog, options);
  const wrong = { env: { TEAM_07_PASSWORD: 'not it' } };
  const seeded = await teams.run('apply -e team-* --yes --new-environment', wrong);
  expect(seeded.code).toBe(1);
  expect(seeded.stdout).toContain(
    'team-06      5 created\nteam-07      nothing was sent: 1 problem, see below\n',
  );
  expect(seeded.stdout).toContain('7 of 8 environments applied; check team-07.');
  expect(seeded.stderr).toContain('team-07: the check before the first write failed: List user spaces');
  expect(seeded.stdout + seeded.stderr).not.toContain('secret of');
  expect(ofTeam(teams, 'team-07')).toEqual([]);

  for (const name of teams.names.filter((each) => each !== 'team-07')) {
    expect(ofTeam(teams, name).map(({ createdTimes }) => createdTimes)).toEqual([1, 1, 1, 1, 1]);
    expect(
      await teams.run(`env diff team-08 ${name === 'team-08' ? 'team-01' : name} --exit-code`),
    ).toMatchObject({ code: 0 });
  }

  const again = await teams.run('apply -e team-* --yes --new-environment');
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('team-06      nothing to change\nteam-07      5 created\n');
  expect(teams.service.ledger()).toHaveLength(40);
});

describe('several environments in one run', () => {
  test('are traced by --debug with request times, but no body, header or secret', async () => {
    await using teams = await createTeams(2, smallCatalog, {
      faults: { rules: [{ method: 'POST', times: 1, fault: { kind: 'status', status: 429 } }] },
    });
    const { code, stderr } = await teams.run('apply -e team-* --yes --new-environment --debug');
    expect(code).toBe(0);
    const lines = stderr.split('\n').filter((line) => line.startsWith('debug: '));
    const again = /^debug: team-0[12]: POST \/classifiers attempt 1: 429 in \d+ ms, again in \d+ ms$/;
    expect(lines.filter((line) => again.test(line))).toHaveLength(1);
    const taken = /^debug: team-0[12]: POST \/(items|classifiers) attempt [12]: 200 in \d+ ms$/;
    expect(lines.filter((line) => taken.test(line))).toHaveLength(10);
    expect(lines.at(-1)).toMatch(
      /^debug: finished in \d+ ms: load .* state .* plan .* connect .* service \d+ ms$/,
    );
    for (const secret of ['secret of', 'Basic', 'Iron Sword']) expect(stderr).not.toContain(secret);
  });

  test('are applied from one file of plans all together or not at all', async () => {
    await using teams = await createTeams(6, smallCatalog);
    await teams.run('apply -e team-01 --yes --new-environment');
    await teams.project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Yew Bow');
    const planned = await teams.run('plan -e team-* --out plans.json');
    expect(planned.stderr).toContain('trove apply plans.json --new-environment');
    const serial = async () => (await stateOf(teams, 'team-01')).serial;
    const before = await serial();

    const refused = await teams.run('apply plans.json');
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('0 of 6 environments applied'),
    });
    expect(refused.stderr).toMatch(/team-02: environment team-02 has no state/);
    expect(unwrapped(refused.stderr)).toContain(
      'for a new environment: trove apply plans.json --new-environment',
    );
    expect(refused.stderr).toContain('error: team-01: nothing was sent: the plans for');
    expect(refused.stdout).not.toContain('Apply refuses');
    const events = (await teams.run('apply plans.json --format ndjson')).stdout.trim().split('\n');
    const ends = events.map((line) => JSON.parse(line)).filter(({ event }) => event === 'finished');
    expect(ends.map(({ exitCode, summary }) => [exitCode, summary])).toEqual(ends.map(() => [1, null]));
    expect(ends).toHaveLength(6);

    // So does a state that is found broken once it is locked, and a variable that is not set.
    await teams.project.write('catalog/state/team-06.json', '{');
    const broken = await teams.run('apply plans.json --new-environment');
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the plan for team-06 in the same'),
    });
    await rm(join(teams.project.folder, 'catalog/state/team-06.json'));
    const unset = await teams.run('apply plans.json --new-environment', { env: { TEAM_05_PASSWORD: '' } });
    expect(unset).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the plan for team-05 in the same'),
    });
    expect(teams.service.ledger()).toHaveLength(5);
    expect(await serial()).toBe(before);

    expect(await teams.run('apply plans.json --new-environment')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('6 environments applied.'),
    });
    expect(teams.service.ledger()).toHaveLength(30);
    const stale = await teams.run('apply plans.json --new-environment');
    expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('[stale-plan]') });
  });

  test('report a locked state before the others are applied', async () => {
    await using teams = await createTeams(2, smallCatalog);
    const since = '2026-03-01T12:00:00.000Z';
    const holder = await currentOwner({ id: 'l1', operation: 'apply', since, version: '1.2.3' });
    await teams.project.write('catalog/state/team-02.json.lock', JSON.stringify(holder));
    const applied = await teams.run('apply -e team-* --yes --new-environment');
    expect(applied).toMatchObject({ code: 5, stderr: expect.stringContaining('[locked]') });
    expect(applied.stdout).toMatch(/team-02 +refused: 1 problem.*team-01 +5 created/s);
    expect([ofTeam(teams, 'team-01').length, ofTeam(teams, 'team-02').length]).toEqual([5, 0]);
  });

  test('are all in the JSON report, with what went wrong', async () => {
    await using teams = await createTeams(2, smallCatalog);
    const { stdout, code } = await teams.run('apply -e team-* --yes --format json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      environments: [
        { environment: 'team-01', exitCode: 1, report: null, problems: [{ rule: 'no-state' }] },
        { environment: 'team-02', exitCode: 1, report: null, problems: [{ rule: 'no-state' }] },
      ],
    });
  });

  test("are refused with one clear error if the command can't use them", async () => {
    await using teams = await createTeams(2, smallCatalog);
    for (const [command, message] of [
      ['plan -e tame-*', 'no environment matches `tame-*`'],
      ['plan -e l*', 'a pattern never matches `local`; known: team-01, team-02'],
      ['state list -e team-*', 'this command accepts one environment'],
      ['plan -e team-01 -e team-9', 'no such environment: `team-9`'],
      ['apply -e team-* --yes --password-stdin', "--password-stdin can't be used with several"],
      ['apply -e team-* --new-environment', 'trove apply -e team-01 -e team-02 --new-environment --yes'],
    ] as const) {
      const refused = await teams.run(command);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    }
    expect(teams.service.ledger()).toEqual([]);
  });

  test('are invalid if two files have one team, with both places', async () => {
    await using teams = await createTeams(2, smallCatalog);
    await teams.project.edit('catalog/environments/team-02.yaml', 'id-of-team-02', 'id-of-team-01');
    const refused = await teams.run('validate');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[shared-team]') });
    expect(refused.stderr).toContain('catalog/environments/team-02.yaml:2');
    expect(refused.stderr).toContain('catalog/environments/team-01.yaml:2');
  });
});
