import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/render/model.ts';
import { currentOwner } from '../../src/state/lock-owner.ts';
import type { State } from '../../src/state/model.ts';
import { createProject, type Finished, finished, type Project, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath, type Team } from '../rig/team.ts';

const asUser = 'userId: user_1\n';
const catalogPath = 'catalog/game.yaml';
const environmentPath = 'catalog/environments/staging.yaml';
const nowhere = 'http://127.0.0.1:9/api';

type Checks = Readonly<Record<string, string>>;

/** Each check with its status, message and remedies in one line. */
function checksOf({ stdout }: Finished): Checks {
  const findings = JSON.parse(stdout) as Finding[];
  return Object.fromEntries(
    findings.map(({ check, status, message, remedies }) => [
      check,
      [`${status}: ${message}`, ...remedies].join(' | '),
    ]),
  );
}

/** Expects this exit code, and of some checks that they begin so (`warning`) or contain these texts. */
async function expectChecks(
  { run }: Pick<Team, 'run'>,
  code: number,
  expected: Readonly<Record<string, string | readonly string[]>>,
  options: Parameters<Team['run']>[1] & { args?: string } = {},
): Promise<Finished> {
  const result = await run(`doctor --format json${options.args ?? ''}`, options);
  const checks = checksOf(result);
  for (const [check, texts] of Object.entries(expected))
    for (const text of [texts].flat()) expect(checks[check], check).toContain(text);
  expect(result.code, result.stdout).toBe(code);
  return result;
}

async function appliedProject(): Promise<Project> {
  const project = await createProject(smallCatalog);
  expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
  return project;
}

describe('the embedded service', () => {
  test('before the first apply: no problems, and nothing is begun', async () => {
    await using project = await createProject(smallCatalog);
    const result = await project.run('doctor');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^ok {4}catalog .*^skip {2}service, team: /ms);
    expect(await readdir(join(project.folder, 'catalog'))).toEqual(['game.yaml']);
  });

  test('after it: the service is asked, and the state stays as it was', async () => {
    await using project = await appliedProject();
    const before = await project.read('catalog/.trove/local.state.json');
    const result = await expectChecks(project, 0, {
      service: 'ok',
      team: ['ok', 'team_local', '2 spaces'],
      state: ['ok', '5 records', 'serial 1'],
    });
    expect(result.stdout).not.toMatch(/"(?:warning|error)"/);
    expect(await project.read('catalog/.trove/local.state.json')).toBe(before);
    const left = await readdir(join(project.folder, 'catalog/.trove'));
    expect(left.sort()).toEqual(['.gitignore', 'local.newest.json', 'local.state.json', 'service.db']);
  });

  test('its database is gone: an error, and no new one is begun', async () => {
    await using project = await appliedProject();
    const database = join(project.folder, 'catalog/.trove/service.db');
    await rm(database);
    await expectChecks(project, 1, { service: ['error', 'database', 'is gone'] });
    expect(existsSync(database)).toBe(false);
  });

  test('another process has its database: a warning that says so', async () => {
    await using project = await appliedProject();
    const serve = project.start('serve --db catalog/.trove/service.db');
    await new Promise((listening) => serve.stdout?.once('data', listening));
    await expectChecks(project, 0, { service: ['warning', 'another process'] });
    serve.kill('SIGTERM');
    await finished(serve);
  });
});

describe('a team over HTTP', () => {
  test('all is well: one question is asked, nothing is written, no secret is told', async () => {
    await using team = await appliedTeam(smallCatalog, asUser);
    const before = await team.project.read(statePath);
    const sent = team.gateway.exchanges.length;
    const ok = ['service', 'lock', 'journal', 'unknown', 'unconfirmed', 'imported', 'diverged'];
    const result = await expectChecks(team, 0, {
      ...Object.fromEntries(ok.map((check) => [check, 'ok'])),
      'base-url': ['ok', team.gateway.url],
      credentials: ['ok', 'TROVE_USERNAME and TROVE_PASSWORD'],
      team: ['ok', 'user_1 has 1 space'],
      profile: 'warning',
    });
    expect(result.stdout + result.stderr).not.toContain(team.env.TROVE_PASSWORD);
    expect(team.gateway.exchanges.slice(sent).map(({ method }) => method)).toEqual(['GET']);
    expect(await team.project.read(statePath)).toBe(before);
    expect(await readdir(join(team.project.folder, 'catalog/state'))).toEqual(['staging.json']);
  });

  test('credentials: wrong, from standard input, missing, or what none can be', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const wrong = { env: { TROVE_PASSWORD: 'wr0ng-secret' } };
    const refused = { service: ['error', '401', 'TROVE_PASSWORD'], team: 'skipped' };
    const { stdout } = await expectChecks(team, 1, refused, wrong);
    expect(stdout).not.toContain('wr0ng-secret');
    const input = `${team.env.TROVE_PASSWORD}\n`;
    await expectChecks(
      team,
      0,
      { credentials: 'ok: TROVE_USERNAME is set', service: 'ok', team: 'ok' },
      { env: { TROVE_PASSWORD: '' }, input, args: ' --password-stdin' },
    );
    const sent = team.gateway.exchanges.length;
    const unset = { env: { TROVE_USERNAME: '', TROVE_PASSWORD: '' } };
    await expectChecks(
      team,
      1,
      { credentials: 'error: TROVE_USERNAME and TROVE_PASSWORD', service: 'skipped' },
      unset,
    );
    const unfit = await expectChecks(
      team,
      1,
      { credentials: ['error', 'TROVE_PASSWORD contains a control character'] },
      { env: { TROVE_PASSWORD: 'hunter2\n' } },
    );
    expect(unfit.stdout).not.toContain('hunter2');
    expect(team.gateway.exchanges).toHaveLength(sent);
  });

  test('without a user nothing is asked, and it says how one is named', async () => {
    await using team = await createTeam(smallCatalog);
    const service = ['skipped', `\`userId: ID\` to ${environmentPath}`, 'trove spaces USER_ID -e staging'];
    await expectChecks(team, 0, { service });
    expect(team.gateway.exchanges).toHaveLength(0);
  });

  test('another team, or a user without spaces, which does not tell the team', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    team.gateway.decide = () => ({ status: 200, body: '[]' });
    await expectChecks(team, 0, { service: 'ok', team: ['skipped', 'no spaces'] });
    team.gateway.decide = () => 'pass';
    await team.project.edit(environmentPath, 'team_7', 'team_9');
    await expectChecks(team, 1, { team: ['error', 'team_7', 'team_9'] });
  });

  test('a service that is down does not keep the state from being looked at', async () => {
    await using team = await appliedTeam(smallCatalog, asUser);
    await team.project.edit(environmentPath, team.gateway.url, nowhere);
    await expectChecks(team, 1, {
      service: ['error', nowhere],
      state: ['error', 'team_7'],
      lock: 'ok',
      journal: 'skipped',
      unknown: 'skipped',
    });
  });

  test('plain http to another machine, insisted on', async () => {
    await using team = await createTeam(smallCatalog, 'allowInsecureHttp: true\n');
    await team.project.edit(environmentPath, team.gateway.url, 'http://game.example/api');
    await expectChecks(team, 0, { 'base-url': ['warning', 'http://game.example/api'] });
  });

  test('no state yet, with the way on', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    await expectChecks(team, 0, { state: ['warning', 'trove apply -e staging --new-environment'] });
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
    await expectChecks(team, 0, { profile: 'warning: 1 of 9' });
    await team.project.edit(environmentPath, points, `${points}, classifierUpdate.options: unsupported`);
    await expectChecks(team, 0, { profile: 'ok: all 9' });
    // What an existing id does has no meaning where ids are ignored, and no probe can tell.
    await team.project.edit(environmentPath, 'clientId: honoured', 'clientId: ignored');
    await team.project.edit(environmentPath, 'itemCreate.existingId: rejected, ', '');
    await expectChecks(team, 0, { profile: 'ok' });
  });
});

describe('broken files', () => {
  test('a catalog with problems: the first with its place, and everything else is looked at', async () => {
    await using team = await appliedTeam(smallCatalog, asUser);
    await team.project.edit(catalogPath, 'rarity: rare }', 'rarity: raer }');
    await team.project.edit(catalogPath, 'rollNumerator: 100', 'rollNumerator: many');
    await expectChecks(team, 1, {
      catalog: ['error: 2 problems', '(catalog/game.yaml:', '`rare`', 'trove validate -e staging'],
      environment: 'ok',
      service: 'ok',
      state: 'ok',
    });
  });

  test('no catalog at all', async () => {
    await using project = await createProject({ 'readme.txt': '' });
    await expectChecks(project, 1, { catalog: 'error', environment: 'ok', state: 'ok', lock: 'ok' });
    expect(await readdir(project.folder)).toEqual(['readme.txt']);
  });

  test('an environment file with problems: what needs it is skipped in one line, and no secret is told', async () => {
    await using team = await createTeam(smallCatalog, 'password: hunter3\n');
    const { code, stdout } = await team.run('doctor');
    expect(code).toBe(1);
    expect(unwrapped(stdout)).toMatch(
      /FAIL environment .*`password`.* skip base-url, credentials, .*, git: /,
    );
    expect(stdout).not.toContain('hunter3');
  });

  test('an environment without an id that the catalog needs can be looked at all the same', async () => {
    const text = smallCatalog[catalogPath].replace('items:', 'attributes: { damage: {} }\nitems:');
    const withAttribute = `${text}    attributes: { damage: { min: 1, max: 2 } }\n`;
    await using team = await createTeam({ [catalogPath]: withAttribute }, asUser);
    await expectChecks(team, 1, { environment: ['error', '`damage`'], service: 'ok', team: 'ok' });
  });

  test('a state that is none, or whose folder is a file', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    await team.project.write(statePath, '{ "formatVersion": 1 \u001b[2J');
    const { stdout } = await team.run('doctor');
    expect(stdout).toMatch(/^FAIL {2}state /m);
    expect(stdout).not.toContain('\u001b');
    await rm(join(team.project.folder, 'catalog/state'), { recursive: true });
    await team.project.write('catalog/state', '');
    await expectChecks(team, 1, { state: 'error', lock: 'error', service: 'ok' });
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

  test('a lock: held, of a process that has ended, and one that does not say whose it is', async () => {
    await using team = await appliedTeam(smallCatalog, asUser);
    await lockedBy(team.project, process.pid);
    const held = await team.run('doctor');
    expect(held.code).toBe(0);
    expect(held.stdout).toMatch(/^warn {2}lock .*me\\e\[31m@here/m);
    expect(held.stdout).toContain('trove state unlock -e staging\n');
    expect(existsSync(join(team.project.folder, `${statePath}.lock`))).toBe(true);
    await lockedBy(team.project, spawnSync('true').pid);
    await expectChecks(team, 0, { lock: ['warning', 'has ended'] });
    await team.project.write(`${statePath}.lock`, 'what?');
    await expectChecks(team, 0, { lock: 'trove state unlock --force -e staging' });
  });

  test('a run that has the embedded service is not disturbed', async () => {
    await using project = await appliedProject();
    await lockedBy(project, process.pid, 'catalog/.trove/local.state.json');
    await expectChecks(project, 0, { service: 'skipped' });
  });

  test('a run that was killed: its journal, its lock, and the creates that nobody saw: exit 4', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    const child = team.project.start('apply --yes --new-environment', { env: team.env });
    team.gateway.decide = ({ method }) => {
      if (method === 'POST') child.kill('SIGKILL');
      return 'pass';
    };
    await finished(child);
    await expectChecks(team, 4, {
      journal: ['warning', '1 entry'],
      lock: 'has ended',
      unknown: ['warning', '1 create', 'trove resolve -e staging'],
    });
    // An error outranks what is unknown.
    await expectChecks(team, 1, { credentials: 'error' }, { env: { TROVE_PASSWORD: '' } });
  });

  test('values that the service did not take, updates that were not answered, ids that nothing has confirmed', async () => {
    await using team = await createTeam(smallCatalog, asUser);
    team.gateway.decide = ({ path }) =>
      path.startsWith('/items') ? { rewrite: (answer) => ({ ...answer, rollNumerator: 1 }) } : 'pass';
    await team.run('apply --yes --new-environment');
    const state = JSON.parse(await team.project.read(statePath)) as State;
    const at = '2026-03-01T12:00:00.000Z';
    const entries = state.entries.map((entry) =>
      entry.status === 'live' && entry.address === 'item.torch'
        ? { ...entry, unconfirmed: { at, request: entry.sent } }
        : entry,
    );
    const imported = { status: 'imported', address: 'item.lamp', id: 'lamp-1', at };
    await team.project.write(statePath, JSON.stringify({ ...state, entries: [...entries, imported] }));
    await expectChecks(team, 0, {
      diverged: ['warning', '3 records', 'trove plan -e staging'],
      unconfirmed: ['warning', '1 update'],
      imported: ['warning', '1 imported'],
      state: '5 records, 1 imported;',
    });
  });
});

test('git is asked whether it ignores what belongs to one machine', async () => {
  await using team = await createTeam(smallCatalog, asUser);
  await expectChecks(team, 0, { git: 'skipped' });
  expect(spawnSync('git', ['init', '-q'], { cwd: team.project.folder }).status).toBe(0);
  await expectChecks(team, 0, { git: ['warning', '*.journal and *.lock'] });
  await team.project.write('.gitignore', '*.journal\n');
  await expectChecks(team, 0, { git: 'warning' });
  await team.project.write('.gitignore', '*.journal\n*.lock\n');
  await expectChecks(team, 0, { git: 'ok' });
});
