import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExplainedFinding } from '../../src/render/model.ts';
import { currentOwner } from '../../src/state/lock-owner.ts';
import type { State } from '../../src/state/model.ts';
import { createProject, type Finished, finished, type Project, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, sharedTeam, statePath, type Team } from '../rig/team.ts';

const asUser = 'userId: user_1\n';
const catalogPath = 'catalog/game.yaml';
const environmentPath = 'catalog/environments/staging.yaml';
const nowhere = 'http://127.0.0.1:9/api';

type Runner = Pick<Team, 'run'>;
type Expected = Readonly<Record<string, string | readonly string[]>>;

/** Expects this exit code, and of some checks that they begin so (`warning`) or contain these texts. */
async function expectChecks(
  { run }: Runner,
  code: number,
  expected: Expected,
  options: Parameters<Team['run']>[1] & { args?: string } = {},
): Promise<Finished> {
  const result = await run(`doctor --format json${options.args ?? ''}`, options);
  const findings = (JSON.parse(result.stdout) as ExplainedFinding[]).map(
    ({ check, status, message, remedies }) =>
      [check, [`${status}: ${message}`, ...remedies].join(' | ')] as const,
  );
  const checks = Object.fromEntries(findings);
  for (const [check, texts] of Object.entries(expected))
    for (const text of [texts].flat()) expect(checks[check], check).toContain(text);
  expect(result.code, result.stdout).toBe(code);
  return result;
}

describe('doctor with the embedded service', () => {
  test('finds no problems before the first apply and creates nothing', async () => {
    await using project = await createProject(smallCatalog);
    const result = await project.run('doctor');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^ok {4}catalog .*^skip {2}service, team: /ms);
    expect(await readdir(join(project.folder, 'catalog'))).toEqual(['game.yaml']);
  });

  test('changes nothing, skips a service in use and reports a missing database', async () => {
    await using project = await createProject(smallCatalog);
    expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
    const state = 'catalog/.trove/local.state.json';
    const before = await project.read(state);
    const asked = await expectChecks(project, 0, {
      service: 'ok',
      team: ['ok', 'team_local', '2 spaces'],
      state: ['ok', '5 records', 'serial 1'],
    });
    expect(asked.stdout).not.toMatch(/"(?:warning|error)"/);
    expect(await project.read(state)).toBe(before);
    const left = await readdir(join(project.folder, 'catalog/.trove'));
    expect(left.sort()).toEqual(['.gitignore', 'local.newest.json', 'local.state.json', 'service.db']);

    await lockedBy(project, process.pid, state);
    await expectChecks(project, 0, { service: 'skipped' });
    await rm(join(project.folder, `${state}.lock`));

    const serve = project.start('serve --db catalog/.trove/service.db');
    await new Promise((listening) => serve.stdout?.once('data', listening));
    await expectChecks(project, 0, { service: ['warning', 'another process'] });
    serve.kill('SIGTERM');
    await finished(serve);

    const database = join(project.folder, 'catalog/.trove/service.db');
    await rm(database);
    await expectChecks(project, 1, { service: ['error', 'database', 'is missing'] });
    expect(existsSync(database)).toBe(false);
  });
});

const shared = sharedTeam(() => appliedTeam(smallCatalog, asUser));

describe('doctor over HTTP', () => {
  test('sends one read, writes nothing and prints no secret if all is well', async () => {
    const team = shared();
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

  test('counts updates of imported and retired records with an unknown outcome', async () => {
    const team = shared();
    const id = (await team.recorded()).live['item.torch']?.id;
    await team.run('state forget item.torch --yes');
    await team.run(`import item.torch ${id}`);
    team.gateway.decide = ({ method }) => (method === 'PUT' ? 'cut-after' : 'pass');
    expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
    await expectChecks(team, 0, { unconfirmed: 'warning' });
  });

  test('counts updates of a recovery with an unknown outcome, until one is answered', async () => {
    const profile = 'profile: { itemCreate.clientId: honoured, update.unknownId: rejected }\n';
    await using team = await appliedTeam(smallCatalog, profile);
    for (const path of [statePath, 'catalog/.trove'])
      await rm(join(team.project.folder, path), { recursive: true });
    team.gateway.decide = () => 'unclear-after';
    expect(await team.run('apply --yes --recover --parallel 1')).toMatchObject({ code: 4 });
    await expectChecks(team, 0, { unconfirmed: ['warning', '1 update'], unknown: 'ok' });
    team.gateway.decide = () => 'pass';
    await team.run('apply --yes');
    await expectChecks(team, 0, { unconfirmed: 'ok' });
  });

  test('reports wrong, missing and malformed credentials, and reads a password from standard input', async () => {
    const team = shared();
    const password = (given: string) => ({ env: { TROVE_PASSWORD: given } });
    const refused = { service: ['error', '401', 'TROVE_PASSWORD'], team: 'skipped' };
    const wrong = await expectChecks(team, 1, refused, password('wr0ng-secret'));
    expect(wrong.stdout).not.toContain('wr0ng-secret');
    const input = `${team.env.TROVE_PASSWORD}\n`;
    const typed = { credentials: 'ok: TROVE_USERNAME is set', service: 'ok', team: 'ok' };
    await expectChecks(team, 0, typed, { ...password(''), input, args: ' --password-stdin' });
    const sent = team.gateway.exchanges.length;
    const missing = { credentials: 'error: TROVE_USERNAME and TROVE_PASSWORD', service: 'skipped' };
    await expectChecks(team, 1, missing, { env: { TROVE_USERNAME: '', TROVE_PASSWORD: '' } });
    const none = { credentials: ['error', 'TROVE_PASSWORD contains a control character'] };
    const unfit = await expectChecks(team, 1, none, password('hunter2\n'));
    expect(unfit.stdout).not.toContain('hunter2');
    expect(team.gateway.exchanges).toHaveLength(sent);
  });

  test('checks the state even if the service is down', async () => {
    const team = shared();
    await team.project.edit(environmentPath, team.gateway.url, nowhere);
    const state = { state: ['error', 'team_7'], lock: 'ok', journal: 'skipped', unknown: 'skipped' };
    await expectChecks(team, 1, { service: ['error', nowhere], ...state });
  });

  test('reports another team, and skips that check for a user without spaces', async () => {
    const team = shared();
    team.gateway.decide = () => ({ status: 200, body: '[]' });
    await expectChecks(team, 0, { service: 'ok', team: ['skipped', 'no spaces'] });
    team.gateway.decide = () => 'pass';
    await team.project.edit(environmentPath, 'team_7', 'team_9');
    await expectChecks(team, 1, { team: ['error', 'team_7', 'team_9'] });
  });
});

const points =
  'itemUpdate.classifierOptionIds: unsupported, itemUpdate.assignments: replace, itemUpdate.attributes: merge, itemUpdate.omittedThumbnail: kept, itemUpdate.clearThumbnail: unsupported, update.unknownId: rejected';
const allBut = `${points}, itemCreate.clientId: honoured, itemCreate.existingId: rejected`;
const attribute = `${smallCatalog[catalogPath].replace('items:', 'attributes: { damage: {} }\nitems:')}    attributes: { damage: { min: 1, max: 2 } }\n`;

test.each<[string, string, number, Expected, Readonly<Record<string, string>>?]>([
  [
    'doctor sends nothing without a userId, and names the setting',
    'baseUrl: URL\nteamId: team_7\n',
    0,
    { service: ['skipped', `\`userId: ID\` to ${environmentPath}`, 'trove spaces USER_ID -e staging'] },
  ],
  [
    'doctor warns about plain HTTP to another machine even if it is allowed',
    'baseUrl: http://game.example/api\nteamId: t\nallowInsecureHttp: true\n',
    0,
    { 'base-url': ['warning', 'http://game.example/api'] },
  ],
  [
    'doctor prints the command that starts a missing state',
    '',
    0,
    { state: ['warning', 'trove apply -e staging --new-environment'] },
  ],
  [
    'doctor counts the one profile point that is not set',
    `profile: { ${allBut} }\n`,
    0,
    { profile: ['warning: 1 of 9', 'trove probe -e staging'] },
  ],
  [
    'doctor suggests no probe if only attributes are open and the environment has none',
    `profile: { ${allBut.replace('itemUpdate.attributes: merge, ', '')}, classifierUpdate.options: unsupported }\n`,
    0,
    {
      profile: [
        'warning: 1 of 9',
        `blocked | a probe of \`itemUpdate.attributes\` needs an ID below \`attributes\` in ${environmentPath} | set`,
      ],
    },
  ],
  [
    'doctor accepts a profile with every point set',
    `profile: { ${allBut}, classifierUpdate.options: unsupported }\n`,
    0,
    { profile: 'ok: all 9' },
  ],
  // What an existing ID does has no meaning if IDs are ignored, and no probe can find out.
  [
    'doctor accepts a profile without existingId if IDs are ignored',
    `profile: { ${points}, itemCreate.clientId: ignored, classifierUpdate.options: unsupported }\n`,
    0,
    { profile: 'ok' },
  ],
  [
    'doctor checks the service even if the environment lacks an ID that the catalog needs',
    asUser,
    1,
    { environment: ['error', '`damage`'], service: 'ok', team: 'ok' },
    { [catalogPath]: attribute },
  ],
  [
    'doctor checks the environment even if there is no catalog',
    asUser,
    1,
    { catalog: 'error', environment: 'ok', lock: 'ok' },
    { 'readme.txt': '' },
  ],
])('%s', async (_, settings, code, expected, files = smallCatalog) => {
  const own = settings.startsWith('baseUrl');
  await using team = await createTeam(files, own ? '' : settings);
  if (own) await team.project.write(environmentPath, settings.replace('URL', team.gateway.url));
  await expectChecks(team, code, expected);
  expect(team.gateway.count('POST', 'PUT')).toBe(0);
});

describe('doctor', () => {
  test('reports the first problem of a catalog, and checks everything else', async () => {
    const team = shared();
    await team.project.edit(catalogPath, 'rarity: rare }', 'rarity: raer }');
    await team.project.edit(catalogPath, 'rollNumerator: 100', 'rollNumerator: many');
    const catalog = ['error: 2 problems', '(catalog/game.yaml:', '`rare`', 'trove validate -e staging'];
    await expectChecks(team, 1, { catalog, environment: 'ok', service: 'ok', state: 'ok' });
  });

  test('skips in one line what needs an invalid environment file, and prints no secret', async () => {
    const team = shared();
    const text = await team.project.read(environmentPath);
    await team.project.write(environmentPath, `${text}password: hunter3\n`);
    const { code, stdout } = await team.run('doctor');
    expect(code).toBe(1);
    expect(unwrapped(stdout)).toMatch(
      /FAIL environment .*`password`.* skip base-url, credentials, .*, git: /,
    );
    expect(stdout).not.toContain('hunter3');
  });

  test('escapes a hostile environment name and hostile responses', async () => {
    const team = shared();
    const named = await team.run('doctor', { env: { TROVE_ENV: '\u001b[31mevil\n' } });
    expect(named.stdout).toContain('\\e[31mevil');
    team.gateway.decide = () => ({ status: 418, body: '"\u001b]0;owned\u0007"', headers: {} });
    const answered = await team.run('doctor');
    expect(answered.code).toBe(1);
    expect(named.stdout + answered.stdout).not.toContain('\u001b');
  });

  test('reports a held lock, one of an ended process and one without an owner', async () => {
    const team = shared();
    await lockedBy(team.project, process.pid);
    const held = await team.run('doctor');
    expect(held.code).toBe(0);
    expect(held.stdout).toMatch(/^warn {2}lock .*me\\e\[31m@here/m);
    expect(held.stdout).toContain('trove state unlock --force -e staging\n');
    expect(existsSync(join(team.project.folder, `${statePath}.lock`))).toBe(true);
    await lockedBy(team.project, spawnSync('true').pid);
    await expectChecks(team, 0, { lock: ['warning', 'has ended'] });
    await team.project.write(`${statePath}.lock`, 'what?');
    await expectChecks(team, 0, { lock: 'trove state unlock --force -e staging' });
  });

  test('checks that git ignores the files of one machine', async () => {
    const team = shared();
    await expectChecks(team, 0, { git: 'skipped' });
    expect(spawnSync('git', ['init', '-q'], { cwd: team.project.folder }).status).toBe(0);
    await expectChecks(team, 0, { git: ['warning', '*.journal and *.lock'] });
    await team.project.write('.gitignore', '*.journal\n');
    await expectChecks(team, 0, { git: 'warning' });
    await team.project.write('.gitignore', '*.journal\n*.lock\n');
    await expectChecks(team, 0, { git: 'ok' });
  });

  test('reports a state that is not valid, or whose folder is a file', async () => {
    const team = shared();
    await team.project.write(statePath, '{ "formatVersion": 1 \u001b[2J');
    const { stdout } = await team.run('doctor');
    expect(stdout).toMatch(/^FAIL {2}state /m);
    expect(stdout).not.toContain('\u001b');
    await rm(join(team.project.folder, 'catalog/state'), { recursive: true });
    await team.project.write('catalog/state', '');
    await expectChecks(team, 1, { state: 'error', lock: 'error', service: 'ok' });
  });
});

async function lockedBy(project: Project, pid: number, path = statePath): Promise<void> {
  const since = '2026-03-01T12:00:00.000Z';
  const owner = await currentOwner({ id: 'l1', operation: 'apply', since, version: '1.2.3' });
  const { startTicks: _, ...identity } = owner.process;
  const lock = { ...owner, who: 'me\u001b[31m@here', process: { ...identity, pid } };
  await project.write(`${path}.lock`, JSON.stringify(lock));
}

test('doctor exits with 4 and reports the journal, lock and unknown creates of a killed run', async () => {
  await using team = await createTeam(smallCatalog, asUser);
  // The first request asks for the spaces.
  await team.endedAt(1, 'apply --yes --new-environment');
  await expectChecks(team, 4, {
    journal: ['warning', '1 entry'],
    lock: 'has ended',
    unknown: ['warning', '1 create', 'trove resolve -e staging'],
  });
  // An error outranks what is unknown.
  await expectChecks(team, 1, { credentials: 'error' }, { env: { TROVE_PASSWORD: '' } });
});

test('doctor counts diverged records, unconfirmed updates and imported IDs', async () => {
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
