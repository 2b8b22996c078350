import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/render/model.ts';
import { currentOwner } from '../../src/state/lock-owner.ts';
import type { State } from '../../src/state/model.ts';
import { createProject, type Finished, finished, type Project } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

const asUser = 'userId: user_1\n';
const catalogPath = 'catalog/game.yaml';
const environmentPath = 'catalog/environments/staging.yaml';

type Statuses = Readonly<Record<string, Finding['status']>>;

function findingsOf({ stdout }: Finished): readonly Finding[] {
  return JSON.parse(stdout) as Finding[];
}

function statusesOf(result: Finished): Statuses {
  return Object.fromEntries(findingsOf(result).map(({ check, status }) => [check, status]));
}

/** One finding, its message and remedies joined. */
function found(result: Finished, check: Finding['check']): string {
  const finding = findingsOf(result).find((each) => each.check === check);
  return `${finding?.status}: ${[finding?.message, ...(finding?.remedies ?? [])].join(' | ')}`;
}

/** A team to which the small catalog was applied. */
async function appliedTeam(settings = asUser): Promise<Team> {
  const team = await createTeam(smallCatalog, settings);
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
  return team;
}

async function edited(project: Project, change: (state: Record<string, unknown>) => object): Promise<void> {
  const state = JSON.parse(await project.read(statePath)) as Record<string, unknown>;
  await project.write(statePath, JSON.stringify(change(state)));
}

describe('the embedded service', () => {
  test('before the first apply: nothing to put right, and nothing is begun', async () => {
    await using project = await createProject(smallCatalog);
    const result = await project.run('doctor');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(
      'ok    catalog      catalog is valid: 2 classifiers and 3 items in 1 file\n',
    );
    expect(result.stdout).toContain('skip  service, team: the embedded service has no database yet');
    expect(result.stdout).toMatch(/\nNothing to put right\.\n$/);
    expect(await readdir(join(project.folder, 'catalog'))).toEqual(['game.yaml']);
  });

  test('after it: the service is asked, and the state stays as it was', async () => {
    await using project = await createProject(smallCatalog);
    await project.run('apply --yes');
    const before = await project.read('catalog/.trove/local.state.json');
    const result = await project.run('doctor --format json');
    expect(found(result, 'service')).toBe('ok: answers');
    expect(found(result, 'team')).toBe('ok: team_local: its user user_local has 2 spaces');
    expect(found(result, 'state')).toContain('local.state.json: 5 records; serial 1 of lineage ');
    expect(Object.values(statusesOf(result)).filter((status) => status !== 'ok')).toEqual(['skipped']);
    expect(await project.read('catalog/.trove/local.state.json')).toBe(before);
    const left = await readdir(join(project.folder, 'catalog/.trove'));
    expect(left.sort()).toEqual(['.gitignore', 'local.newest.json', 'local.state.json', 'service.db']);
  });

  test('its database is gone: an error, and no new one is begun', async () => {
    await using project = await createProject(smallCatalog);
    await project.run('apply --yes');
    const database = join(project.folder, 'catalog/.trove/service.db');
    await rm(database);
    const result = await project.run('doctor --format json');
    expect(result.code).toBe(1);
    expect(found(result, 'service')).toContain('error: the database of the embedded service is gone');
    expect(existsSync(database)).toBe(false);
  });

  test('another process has its database: a warning that says so', async () => {
    await using project = await createProject(smallCatalog);
    await project.run('apply --yes');
    const serve = project.start('serve --db catalog/.trove/service.db');
    await new Promise((listening) => serve.stdout?.once('data', listening));
    const result = await project.run('doctor --format json');
    serve.kill('SIGTERM');
    await finished(serve);
    expect(result.code).toBe(0);
    expect(found(result, 'service')).toContain('warning: another process has the database');
  });
});

describe('a team over HTTP', () => {
  test('all is well: one question is asked, nothing is written, no secret is told', async () => {
    await using team = await appliedTeam();
    const before = await team.project.read(statePath);
    const sent = team.gateway.exchanges.length;
    const result = await team.run('doctor --format json');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(found(result, 'base-url')).toBe(`ok: ${team.gateway.url}, on this machine`);
    expect(found(result, 'credentials')).toBe('ok: TROVE_USERNAME and TROVE_PASSWORD are set');
    expect(found(result, 'service')).toBe('ok: answers, and takes the credentials');
    expect(found(result, 'team')).toBe('ok: team_7: its user user_1 has 1 space');
    expect(statusesOf(result)).toMatchObject({ lock: 'ok', journal: 'ok', unknown: 'ok', unconfirmed: 'ok' });
    expect(statusesOf(result)).toMatchObject({ imported: 'ok', diverged: 'ok', profile: 'warning' });
    expect(result.stdout).not.toContain(team.env.TROVE_PASSWORD);
    expect(team.gateway.exchanges.slice(sent).map(({ method }) => method)).toEqual(['GET']);
    expect(await team.project.read(statePath)).toBe(before);
    expect(await readdir(join(team.project.folder, 'catalog/state'))).toEqual(['staging.json']);
  });

  test('a wrong password, in words and without its value', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const result = await team.run('doctor --format json', { env: { TROVE_PASSWORD: 'wr0ng-secret' } });
    expect(result.code).toBe(1);
    expect(found(result, 'service')).toMatch(/^error: .* was refused: 401 .*TROVE_PASSWORD/);
    expect(statusesOf(result).team).toBe('skipped');
    expect(result.stdout + result.stderr).not.toContain('wr0ng-secret');
  });

  test('a password from standard input', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const options = { env: { TROVE_PASSWORD: '' }, input: `${team.env.TROVE_PASSWORD}\n` };
    const result = await team.run('doctor --password-stdin --format json', options);
    expect(found(result, 'credentials')).toContain('ok: TROVE_USERNAME is set, and the password came from');
    expect(statusesOf(result)).toMatchObject({ service: 'ok', team: 'ok' });
  });

  test('variables that are not set, or hold what no credentials can', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const missing = await team.run('doctor --format json', {
      env: { TROVE_USERNAME: '', TROVE_PASSWORD: '' },
    });
    expect(missing.code).toBe(1);
    expect(found(missing, 'credentials')).toContain('error: TROVE_USERNAME and TROVE_PASSWORD are not set');
    expect(found(missing, 'service')).toBe('skipped: it needs the credentials');
    const unfit = await team.run('doctor --format json', { env: { TROVE_PASSWORD: 'hunter2\n' } });
    expect(found(unfit, 'credentials')).toContain('the value of TROVE_PASSWORD contains a control character');
    expect(unfit.stdout).not.toContain('hunter2');
    expect(team.gateway.exchanges).toHaveLength(0);
  });

  test('without a user nothing is asked, and it says how one is named', async () => {
    await using team = await createTeam(smallCatalog);
    const result = await team.run('doctor --format json');
    expect(found(result, 'service')).toContain(`skipped: without the id of a user`);
    expect(found(result, 'service')).toContain(`add \`userId: ID\` to ${environmentPath}`);
    expect(found(result, 'service')).toContain('trove spaces USER_ID -e staging');
    expect(team.gateway.exchanges).toHaveLength(0);
  });

  test('another team', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    await team.project.edit(environmentPath, 'team_7', 'team_9');
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(1);
    expect(found(result, 'team')).toContain(
      'user_1 is in team team_7, and the environment names team team_9',
    );
  });

  test('a user without spaces does not tell the team', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    team.gateway.decide = () => ({ status: 200, body: '[]' });
    const result = await team.run('doctor --format json');
    expect(statusesOf(result).service).toBe('ok');
    expect(found(result, 'team')).toContain('skipped: user user_1 has no spaces');
  });

  test('a service that is down does not keep the state from being looked at', async () => {
    await using team = await appliedTeam();
    await team.project.edit(environmentPath, team.gateway.url, 'http://127.0.0.1:9/api');
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(1);
    expect(found(result, 'service')).toContain("http://127.0.0.1:9/api can't be reached");
    expect(found(result, 'state')).toContain('error: The state was recorded for team "team_7" at');
    expect(statusesOf(result)).toMatchObject({ lock: 'ok', journal: 'skipped', unknown: 'skipped' });
  });

  test('plain http to another machine, insisted on', async () => {
    await using team = await createTeam(smallCatalog, 'allowInsecureHttp: true\n');
    await team.project.edit(environmentPath, team.gateway.url, 'http://game.example/api');
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(0);
    expect(found(result, 'base-url')).toContain(
      'warning: http://game.example/api: anybody on the way can read',
    );
  });

  test('no state yet, with both ways on', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const result = await team.run('doctor');
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('warn  state        catalog/state/staging.json does not exist');
    expect(result.stdout).toContain('\n                     trove apply -e staging --new-environment\n');
  });

  test('a profile of which every point is set', async () => {
    const points = [
      'itemUpdate.classifierOptionIds: unsupported',
      'itemUpdate.assignments: replace',
      'itemUpdate.attributes: merge',
      'itemUpdate.omittedThumbnail: kept',
      'itemUpdate.clearThumbnail: unsupported',
      'itemCreate.clientId: honoured',
      'itemCreate.existingId: rejected',
      'update.unknownId: rejected',
    ].join(', ');
    await using team = await createTeam(smallCatalog, `profile: { ${points} }\n`);
    expect(found(await team.run('doctor --format json'), 'profile')).toContain(
      'warning: 1 of 9 points is not set',
    );
    await team.project.edit(environmentPath, points, `${points}, classifierUpdate.options: unsupported`);
    expect(found(await team.run('doctor --format json'), 'profile')).toBe('ok: all 9 points are set');
    // What an existing id does has no meaning where ids are ignored, and no probe can tell.
    await team.project.edit(environmentPath, 'clientId: honoured', 'clientId: ignored');
    await team.project.edit(environmentPath, 'itemCreate.existingId: rejected, ', '');
    expect(found(await team.run('doctor --format json'), 'profile')).toBe(
      'ok: every point that can be told is set',
    );
  });
});

describe('broken files', () => {
  test('a catalog with problems: the first with its place, and everything else is looked at', async () => {
    await using team = await appliedTeam();
    await team.project.edit(catalogPath, 'rarity: rare }', 'rarity: raer }');
    await team.project.edit(catalogPath, 'rollNumerator: 100', 'rollNumerator: many');
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(1);
    expect(found(result, 'catalog')).toMatch(
      /^error: 2 problems; the first: .*\(catalog\/game\.yaml:\d+:\d+\)/,
    );
    expect(found(result, 'catalog')).toContain(
      'did you mean `rare`? | to see them all: trove validate -e staging',
    );
    expect(statusesOf(result)).toMatchObject({ environment: 'ok', service: 'ok', state: 'ok' });
  });

  test('no catalog at all', async () => {
    await using project = await createProject({ 'readme.txt': '' });
    const result = await project.run('doctor --format json');
    expect(result).toMatchObject({ code: 1, stderr: '' });
    expect(found(result, 'catalog')).toContain('error: there is no catalog folder catalog');
    expect(statusesOf(result)).toMatchObject({ environment: 'ok', state: 'ok', lock: 'ok' });
    expect(await readdir(project.folder)).toEqual(['readme.txt']);
  });

  test('an environment file with problems: what needs it is skipped in one line, and no secret is told', async () => {
    await using team = await createTeam(smallCatalog, 'password: hunter3\n');
    const result = await team.run('doctor');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('FAIL  environment  unknown property `password`');
    expect(result.stdout.replace(/\s+/g, ' ')).toContain(
      "skip base-url, credentials, service, team, state, lock, journal, unknown, unconfirmed, imported, diverged, profile, git: the environment can't be used",
    );
    expect(result.stdout).not.toContain('hunter3');
  });

  test('an environment without an id that the catalog needs can be looked at all the same', async () => {
    const text = smallCatalog[catalogPath].replace('items:', 'attributes: { damage: {} }\nitems:');
    const withAttribute = `${text}    attributes: { damage: { min: 1, max: 2 } }\n`;
    await using team = await createTeam({ [catalogPath]: withAttribute }, asUser);
    const result = await team.run('doctor --format json');
    expect(found(result, 'environment')).toContain(
      'error: attribute `damage` has no id in environment staging',
    );
    expect(statusesOf(result)).toMatchObject({ service: 'ok', team: 'ok' });
  });

  test('a state that is none: an error, and what is recorded is not guessed', async () => {
    await using team = await appliedTeam();
    await team.project.write(statePath, '{ "formatVersion": 1 \u001b[2J');
    const result = await team.run('doctor');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('FAIL  state        The state is not valid JSON.');
    expect(result.stdout).toContain('ok    service      answers');
    expect(result.stdout).not.toContain('\u001b');
  });

  test('a state folder that is a file', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    await team.project.write('catalog/state', '');
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(1);
    expect(statusesOf(result)).toMatchObject({ state: 'error', lock: 'error', service: 'ok' });
  });

  test('a hostile name of an environment, and hostile answers, are shown escaped', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const named = await team.run('doctor', { env: { TROVE_ENV: '\u001b[31mevil\n' } });
    expect(named.stdout).toContain('\\e[31mevil');
    team.gateway.decide = () => ({ status: 418, body: '"\u001b]0;owned\u0007"', headers: {} });
    const answered = await team.run('doctor');
    expect(answered.code).toBe(1);
    expect(named.stdout + answered.stdout).not.toContain('\u001b');
  });
});

describe('what an earlier run left', () => {
  async function lockedBy(project: Project, pid: number, path = statePath): Promise<void> {
    const since = '2026-03-01T12:00:00.000Z';
    const owner = await currentOwner({ id: 'l1', operation: 'apply', since, version: '1.2.3' });
    const { startTicks: _, ...identity } = owner.process;
    const lock = { ...owner, who: 'me\u001b[31m@here', process: { ...identity, pid } };
    await project.write(`${path}.lock`, JSON.stringify(lock));
  }

  test('a lock that is held: by whom, since when; a warning, for the doctor takes none', async () => {
    await using team = await appliedTeam();
    await lockedBy(team.project, process.pid);
    const result = await team.run('doctor');
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('warn  lock         held by me\\e[31m@here, process');
    expect(result.stdout).toContain('trove state unlock -e staging\n');
    expect(existsSync(join(team.project.folder, `${statePath}.lock`))).toBe(true);
  });

  test('a run that has the embedded service is not disturbed', async () => {
    await using project = await createProject(smallCatalog);
    await project.run('apply --yes');
    await lockedBy(project, process.pid, 'catalog/.trove/local.state.json');
    const result = await project.run('doctor --format json');
    expect(result.code).toBe(0);
    expect(found(result, 'service')).toBe('skipped: a run has the embedded service now');
  });

  test('a lock of a process that has ended, and one that does not say whose it is', async () => {
    await using team = await appliedTeam();
    await lockedBy(team.project, spawnSync('true').pid);
    const ended = await team.run('doctor --format json');
    expect(found(ended, 'lock')).toMatch(
      /^warning: left behind by .*, which has ended \| the next run takes it over/,
    );
    await team.project.write(`${statePath}.lock`, 'what?');
    const nameless = await team.run('doctor --format json');
    expect(found(nameless, 'lock')).toContain('trove state unlock --force -e staging');
  });

  test('a run that was killed: its journal, its lock, and the creates that nobody saw: exit 4', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const child = team.project.start('apply --yes --new-environment', { env: team.env });
    team.gateway.decide = ({ method }) => {
      if (method === 'POST') child.kill('SIGKILL');
      return 'pass';
    };
    await finished(child);
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(4);
    expect(found(result, 'journal')).toContain(
      'warning: an interrupted run left 1 entry that the state does not have',
    );
    expect(found(result, 'lock')).toContain('which has ended');
    expect(found(result, 'unknown')).toBe(
      'warning: the outcome of 1 create was not seen | to see them and what each asks for: trove resolve -e staging',
    );
  });

  test('an error outranks what is unknown', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    team.gateway.decide = ({ method }) => (method === 'POST' ? 'cut-after' : 'pass');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    expect(await team.run('doctor')).toMatchObject({ code: 4 });
    expect(await team.run('doctor', { env: { TROVE_PASSWORD: '' } })).toMatchObject({ code: 1 });
  });

  test('values that the service did not take', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    team.gateway.decide = ({ path }) =>
      path.startsWith('/items') ? { rewrite: (answer) => ({ ...answer, rollNumerator: 1 }) } : 'pass';
    await team.run('apply --yes --new-environment');
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(0);
    expect(found(result, 'diverged')).toMatch(/^warning: of 3 records .* trove plan -e staging$/);
  });

  test('updates that were not answered, and imported ids that nothing has confirmed', async () => {
    await using team = await appliedTeam();
    await edited(team.project, (state) => {
      const at = '2026-03-01T12:00:00.000Z';
      const entries = (state as unknown as State).entries.map((entry) =>
        entry.status === 'live' && entry.address === 'item.torch'
          ? { ...entry, unconfirmed: { at, request: entry.sent } }
          : entry,
      );
      return {
        ...state,
        entries: [...entries, { status: 'imported', address: 'item.lamp', id: 'lamp-1', at }],
      };
    });
    const result = await team.run('doctor --format json');
    expect(result.code).toBe(0);
    expect(found(result, 'unconfirmed')).toContain('warning: 1 update may or may not have been taken');
    expect(found(result, 'imported')).toContain('warning: no answer has confirmed 1 imported id yet');
    expect(found(result, 'state')).toContain('5 records, 1 imported;');
  });
});

test('git is asked whether it ignores what belongs to one machine', async () => {
  await using team = await createTeam(smallCatalog, asUser);
  expect(found(await team.run('doctor --format json'), 'git')).toContain(
    'skipped: the catalog is in no git checkout',
  );
  expect(spawnSync('git', ['init', '-q'], { cwd: team.project.folder }).status).toBe(0);
  const exposed = await team.run('doctor --format json');
  expect([exposed.code, found(exposed, 'git')]).toEqual([
    0,
    expect.stringContaining('add the lines *.journal and *.lock'),
  ]);
  await team.project.write('.gitignore', '*.journal\n');
  expect(found(await team.run('doctor --format json'), 'git')).toContain('warning: ');
  await team.project.write('.gitignore', '*.journal\n*.lock\n');
  expect(found(await team.run('doctor --format json'), 'git')).toBe(
    'ok: ignores journal and lock of the state',
  );
});
