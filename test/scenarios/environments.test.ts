import { existsSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, expectRefused, type Project } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, createTeams } from '../rig/team.ts';
import { hasTerminal, onTerminal, type Typed } from '../rig/terminal.ts';

const newFile = 'catalog/environments/new.yaml';
const remote = '--base-url https://game.example/api --team-id team_8';
const old = `baseUrl: https://game.example/api
teamId: team_7
idNamespace: 3d0f7c52-8b1e-4f6a-9c47-5e2a6b9d1f08
`;
const withOld = { ...smallCatalog, 'catalog/environments/old.yaml': old };
const files = (project: Project) => existsSync(join(project.folder, newFile));

describe('env remove', () => {
  const file = 'catalog/environments/team-01.yaml';
  const isThere = ({ project }: { project: Project }) => existsSync(join(project.folder, file));

  test('requires --force if there are records, then keeps and names the state', async () => {
    await using teams = await createTeams(2, smallCatalog);
    await teams.run('apply -e team-01 --yes --new-environment');
    const next = 'trove env remove team-01 --force';
    expectRefused(await teams.run('env remove team-01'), 'its state has 5 records', next);
    const before = await teams.project.read('catalog/state/team-01.json');
    await teams.project.write('catalog/state/team-01.json', '{}');
    expectRefused(await teams.run('env remove team-01'), "can't be read", next);
    await teams.project.write('catalog/state/team-01.json', before);
    expect(isThere(teams)).toBe(true);
    const removed = await teams.run('env remove team-01 --force');
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(removed.stdout).toContain('Its 5 records remain in http://127.0.0.1');
    expect(removed.stdout).toContain('Left as they are: catalog/state/team-01.json');
    expect([isThere(teams), await teams.project.read('catalog/state/team-01.json')]).toEqual([false, before]);
    expect(await teams.run('env remove team-02')).toMatchObject({ code: 0 });
    expectRefused(await teams.run('env remove team-02'), 'no such environment');
    const noFile = 'environment local has no file; there is nothing to remove';
    expectRefused(await teams.run('env remove local'), noFile);
  });

  test('requires --force for a state that this machine had and that is gone', async () => {
    await using teams = await createTeams(1, smallCatalog);
    await teams.run('apply -e team-01 --yes --new-environment');
    await rm(join(teams.project.folder, 'catalog/state/team-01.json'));
    const next = 'trove env remove team-01 --force';
    expectRefused(await teams.run('env remove team-01'), 'is missing', next);
    expect(isThere(teams)).toBe(true);
    const { stdout } = await teams.run('env remove team-01 --force');
    expect([isThere(teams), stdout]).toEqual([false, expect.stringContaining('Its records remain in http')]);
  });

  test.each(['journal', 'lock'])('requires --force if a %s is left', async (ending) => {
    await using teams = await createTeams(1, smallCatalog);
    const path = `catalog/state/team-01.json.${ending}`;
    await teams.project.write(path, '');
    expectRefused(await teams.run('env remove team-01'), 'trove env remove team-01 --force');
    const { stdout } = await teams.run('env remove team-01 --force');
    expect([isThere(teams), stdout]).toEqual([false, expect.stringContaining(path)]);
  });
});

describe('env list', () => {
  test('shows the records, open changes and last apply of every environment', async () => {
    await using teams = await createTeams(3, smallCatalog);
    const { project } = teams;
    await teams.run('apply -e team-01 -e team-02 --yes --new-environment');
    await project.edit('catalog/game.yaml', 'torch:\n    name: Torch', 'lamp:\n    name: Lamp');
    await teams.run('apply -e team-01 --yes');
    await project.edit('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
    await project.write('catalog/environments/broken.yaml', 'baseUrl: x\nteam: y\n');
    await project.write('catalog/state/team-03.json', '{}');
    const { stdout, stderr, code } = await teams.run('env list');
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d/g, 'YYYY-MM-DD')).toMatchInlineSnapshot(`
      "ENVIRONMENT  TEAM           RECORDS  LAST APPLY  OPEN
      broken                            -  -           not valid: 3 problems
      local        team_local           0  never
      team-01      id-of-team-01        5  YYYY-MM-DD  1 blocked
      team-02      id-of-team-02        5  YYYY-MM-DD  1 blocked
      team-03      id-of-team-03        -  -           state not usable: 1 problem
      "
    `);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/trove validate\n.*trove doctor -e team-03\n/s),
    ]);
    const { environments } = JSON.parse((await teams.run('env list --format json')).stdout);
    const counts = { records: 5, retired: 1, unknown: 0, blocked: 1, problems: [] };
    const lastApply = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const problems = expect.arrayContaining([expect.anything()]);
    expect(environments).toMatchObject([
      { environment: 'broken', target: null, records: null, blocked: null, problems },
      { environment: 'local' },
      { environment: 'team-01', target: { teamId: 'id-of-team-01' }, ...counts, lastApply },
      { environment: 'team-02' },
      { environment: 'team-03', target: { teamId: 'id-of-team-03' }, records: null, problems },
    ]);
  });

  test('counts unknown outcomes as open, and reports an invalid catalog once', async () => {
    await using team = await createTeam(smallCatalog);
    team.gateway.decide = ({ path }) => (path === '/classifiers' ? 'cut-after' : 'pass');
    await team.run('apply --yes --new-environment');
    const { stdout } = await team.run('env list');
    expect(stdout).toMatch(/OPEN\n.*\nstaging .* 2 unknown\n/);
    await team.project.edit('catalog/game.yaml', 'rarity: rare', 'rarity: raer');
    const broken = await team.run('env list');
    expect(broken).toMatchObject({ code: 0, stderr: expect.stringContaining('The catalog is not valid') });
    expect(broken.stdout).toContain('2 unknown');
  });
});

describe('env diff', () => {
  test('shows the values, options, settings and resources in which two teams differ', async () => {
    await using teams = await createTeams(2, smallCatalog, { dialect: { arrayOrder: 'shuffled' } });
    const { project } = teams;
    await teams.run('apply -e team-* --yes --new-environment');
    // IDs, times and orders are no differences.
    expect((await teams.run('env diff team-01 team-02 --exit-code')).code).toBe(0);
    await project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Long Bow');
    await project.edit('catalog/game.yaml', 'torch:\n    name: Torch', 'lamp:\n    name: Oil Lamp');
    await teams.run('apply -e team-01 --yes');
    const path = 'catalog/environments/team-02.yaml';
    await project.write(path, `${await project.read(path)}limits: { maxCreates: 5 }\n`);
    const { stdout, code } = await teams.run('env diff team-01 team-02 --exit-code');
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining('differ in 1 setting, 3 recorded resources.'),
    ]);
    expect((await teams.run('env diff team-01 team-02')).code).toBe(0);
    const { stdout: text } = await teams.run('env diff team-02 team-01 --format json');
    expect(JSON.parse(text)).toMatchObject({
      one: { environment: 'team-02', target: { teamId: 'id-of-team-02' } },
      settings: [{ path: 'limits.maxCreates', one: 5, other: null }],
      declared: [],
      recorded: [
        { address: 'item.lamp', one: 'absent', other: 'recorded', fields: [] },
        { address: 'item.oak-bow', fields: [{ path: 'name', one: 'Oak Bow', other: 'Long Bow' }] },
        { address: 'item.torch', one: 'recorded', other: 'absent' },
      ],
    });
  });

  test('treats a renamed resource as the same before and after the rename is recorded', async () => {
    await using teams = await createTeams(2, smallCatalog);
    await teams.run('apply -e team-* --yes --new-environment');
    await teams.project.edit('catalog/game.yaml', '  torch:', '  lamp:');
    await teams.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]\n');
    await teams.run('apply -e team-01 --yes');
    const { stdout } = await teams.run('env diff team-01 team-02');
    expect(stdout).toContain('have no differences.');
  });

  test.each([
    ['the same environment twice', 'env diff old old', 'both sides are environment old'],
    ['one unknown environment', 'env diff old odl', 'no such environment: `odl`'],
    ['two unknown environments', 'env diff one two', 'environment: `one`', 'environment: `two`'],
    ['a third environment in -e', '-e third env diff local old', '-e names third'],
    ['env list with -e', 'env list -e old', '-e names old'],
  ])('gives one clear error for %s', async (_, command, ...messages) => {
    await using project = await createProject(withOld);
    expectRefused(await project.run(command), ...messages);
  });

  test('suggests a command without the -e that it would refuse', async () => {
    await using project = await createProject(withOld);
    const { stderr } = await project.run('-e old env diff old old');
    expect(stderr).toMatch(/ trove env list$/m);
  });
});

describe('env add', () => {
  test('writes a small commented file and prints the next steps', async () => {
    const attributes =
      'attributes: { damage: {}, speed: {} }\nitems: { axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 1, max: 2 } } } }\n';
    await using project = await createProject({
      ...smallCatalog,
      'catalog/more.yaml': attributes,
      'schemas/environment.schema.json': '{}',
    });
    const { stdout, stderr, code } = await project.run(`env add new ${remote} --user-id user_8`);
    expect(code, stderr).toBe(0);
    for (const next of [
      'NEW_USERNAME and NEW_PASSWORD',
      'trove doctor -e new',
      'trove apply -e new --new-environment',
    ])
      expect(stdout + stderr).toContain(next);
    expect(await project.read(newFile)).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../../schemas/environment.schema.json

      baseUrl: https://game.example/api
      teamId: team_8 # Trove stops writing if a response names another team
      userId: user_8 # Trove reads this user's spaces first, to check the address and credentials

      # Names of environment variables. Keep their values out of git.
      credentials:
        usernameFrom: NEW_USERNAME
        passwordFrom: NEW_PASSWORD

      # The catalog uses these attributes. Each needs the ID of its definition in this service:
      # attributes:
      #   damage: ID

      # Item IDs are derived from the base URL and the team. To keep them if either changes, set a UUID unique to this team:
      # idNamespace: UUID

      # Where the state is. If pipelines or several machines apply, use git (a branch), gitlab, http, postgres or s3:
      # state: { backend: git }

      # Trove refuses an apply that would write more than this:
      # limits: { maxCreates: 500, maxUpdates: 500 }
      "
    `);
    expect((await project.run('validate')).stderr).toContain(
      'attribute `damage` has no ID in environment new',
    );
  });

  test('copies an environment for another team, which can be filled like the first', async () => {
    await using teams = await createTeams(2, smallCatalog);
    await teams.run('apply -e team-01 --yes --new-environment');
    await rm(join(teams.project.folder, 'catalog/environments/team-02.yaml'));
    const command = 'env add new --from team-01 --team-id id-of-team-02 --user-id user-of-team-02';
    const added = await teams.run(command);
    expect(added.code, added.stderr).toBe(0);
    expect(added.stderr).toContain('  1. set NEW_USERNAME');
    const env = { NEW_USERNAME: 'team-02', NEW_PASSWORD: 'secret of team-02' };
    expect((await teams.run('apply -e new --yes', { env })).stderr).toContain('[no-state]');
    const applied = await teams.run('apply -e new --yes --new-environment', { env });
    expect(applied.stdout).toContain('Applied to new: 5 created.');
    expect((await teams.run('env diff team-01 new --exit-code')).code).toBe(0);
    const [one, other] = await Promise.all(
      ['team-01', 'new'].map((name) => teams.project.state(`catalog/state/${name}.json`)),
    );
    const ids = Object.values(recorded(one).live).map(({ id }) => id);
    expect(Object.values(recorded(other).live).filter(({ id }) => ids.includes(id))).toEqual([]);
  });

  test('adds an environment with its own embedded service', async () => {
    await using project = await createProject(smallCatalog);
    const { stderr } = await project.run('env add new --service embedded');
    expect(stderr).toMatch(/trove apply -e new\n$/);
    expect((await project.run('apply -e new --yes')).stdout).toContain('Applied to new: 5 created.');
    expect((await project.run('env add new2 --from new')).code).toBe(0);
  });

  test.each([
    ['an invalid name', 'env add New', '`New` is not a valid environment name'],
    ['the built-in environment', 'env add local', 'is built in'],
    ['an existing environment', `env add old ${remote}`, 'the file already exists'],
    ['a copy of the built-in environment', `env add new --from local ${remote}`, 'has no file to copy'],
    ['a copy of an unknown environment', `env add new --from odl ${remote}`, 'did you mean `old`?'],
    ['a missing team', 'env add new --from old', 'help: add --team-id ID'],
    ['a missing service', 'env add new', 'help: add --base-url URL --team-id ID'],
    [
      'the team of another environment',
      `env add new --base-url https://GAME.example:443/api/ --team-id team_7`,
      'environment old already has this team',
    ],
    [
      'a password in the URL',
      'env add new --team-id t --base-url https://me:pw1@x.example/api',
      'a URL with a password',
    ],
    ['plain HTTP', 'env add new --team-id t --base-url http://x.example/api', 'plain http'],
    [
      'a value instead of a variable name',
      `env add new ${remote} --password-from pw1!`,
      'not a variable name',
    ],
    ['two services', `env add new --service embedded ${remote}`, 'accepts no address or credentials'],
    ['a missing catalog', `env add new --catalog nowhere ${remote}`, 'nowhere'],
  ])('refuses %s with one clear error and writes nothing', async (_, command, message) => {
    await using project = await createProject(withOld);
    const refused = await project.run(command);
    expectRefused(refused, message);
    expect(refused.stderr).not.toContain('pw1');
    expect([files(project), await project.read('catalog/environments/old.yaml')]).toEqual([false, old]);
    expect(existsSync(join(project.folder, 'nowhere'))).toBe(false);
  });

  test.each([
    [
      'shares the state of another',
      'old',
      `${old}state: { path: state/new.json }\n`,
      'env add new --from old --team-id team_8',
      'already uses this state path',
    ],
    [
      'might have the team of an invalid file',
      'bad',
      'team: x\n',
      `env add new ${remote}`,
      'environments/bad.yaml:1:1',
    ],
  ])('refuses an environment that %s', async (_, name, text, command, message) => {
    await using project = await createProject({
      ...smallCatalog,
      [`catalog/environments/${name}.yaml`]: text,
    });
    expect(await project.run(command)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(files(project)).toBe(false);
  });

  test('writes no file through a link out of the catalog', async () => {
    await using project = await createProject({ ...smallCatalog, 'elsewhere/x': '' });
    await symlink('../elsewhere', join(project.folder, 'catalog/environments'));
    expectRefused(await project.run(`env add new ${remote}`), 'points outside the catalog');
    expect(existsSync(join(project.folder, 'elsewhere/new.yaml'))).toBe(false);
  });
});

describe.skipIf(!hasTerminal)('env add on a terminal (needs script of util-linux)', () => {
  const url: Typed = ['Base URL of the service [https://game.example/api]: ', '\n'];

  test('asks for missing settings, and again if a value is refused', async () => {
    await using project = await createProject(withOld);
    const { code, screen } = await onTerminal(
      project,
      'env add new --from old --password-from PW',
      url,
      ['Team ID: ', '\n'],
      ['a team ID is required', ''],
      ['Team ID: ', 'team_8\n'],
      ['(optional): ', '\n'],
      ['username [NEW_USERNAME]: ', 'ME\n'],
    );
    expect(code, screen).toBe(0);
    expect(screen).toContain('1. set ME and PW');
    expect(await project.read(newFile)).toContain('teamId: team_8\n');
  });
});
