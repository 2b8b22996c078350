import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, expectRefused, runHere } from '../rig/project.ts';
import { hasTerminal, onTerminal } from '../rig/terminal.ts';

const nothing = { 'note.txt': '' };

describe('init', () => {
  test.each([
    ['init', 'catalog is valid: 2 classifiers and 2 items in 3 files, 1 environment.', 4],
    ['init --empty', 'catalog is valid: 0 classifiers and 0 items in 1 file, 1 environment.', 0],
  ])('creates a catalog that validates, plans and applies: %s', async (args, valid, creates) => {
    await using project = await createProject(nothing);
    // A variable names no environment to create.
    const { code, stdout } = await project.run(args, { env: { TROVE_ENV: 'staging' } });
    expect([code, / preview the changes +trove plan -e local\n/.test(stdout)]).toEqual([0, true]);
    expect((await project.run('validate')).stdout).toBe(`${valid}\n`);
    const plan = JSON.parse((await project.run('plan --format json')).stdout);
    expect(plan.summary.create).toBe(creates);
    expect((await project.run('apply --yes')).code).toBe(0);
  });

  test.each(['', ' --empty'])('creates an environment in a named folder: init game%s', async (how) => {
    await using project = await createProject(nothing);
    const made = await project.run(`init game${how} -e eu --base-url https://game.example/api --team-id 17`);
    expect(made.code).toBe(0);
    const [command = ''] = made.stdout.match(/(?<=trove )doctor .*/) ?? [];
    expect(command).toBe('doctor --catalog game/catalog -e eu');
    expect((await project.run(command)).stdout).toContain('EU_USERNAME');
    expect((await project.run('validate --catalog game/catalog')).stdout).toContain('2 environments');
    expect(made.stdout).toMatch(/preview its changes +trove plan --catalog game\/catalog -e eu\n/);
    expect((await project.run('plan --catalog game/catalog -e eu')).code).toBe(0);
    expect(made.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('overwrites nothing', async () => {
    await using project = await createProject({ 'catalog/.gitignore': 'mine\n', 'schemas/x.json': '' });
    expect((await project.run('init')).stdout).toContain('Unchanged:\n  catalog/.gitignore\n');
    expect(await project.read('catalog/.gitignore')).toBe('mine\n');
    await project.write('catalog/items.yaml', 'items: {}\n');
    expectRefused(await project.run('init --empty'), 'a catalog already exists here [catalog-exists]');
    expect(await project.read('catalog/items.yaml')).toBe('items: {}\n');
    const within = await runHere(join(project.folder, 'catalog'), 'init --empty');
    expectRefused(within, 'a catalog already exists here [catalog-exists]');
  });

  test('accepts the project folder or any other folder as the catalog', async () => {
    await using project = await createProject(nothing);
    await project.run('init --catalog .');
    expect(existsSync(join(project.folder, '.schemas/catalog.schema.json'))).toBe(true);
    const [schema = ''] = (await project.read('items.yaml')).match(/(?<=\$schema=).*/) ?? [];
    expect(existsSync(join(project.folder, schema))).toBe(true);
    expect((await project.run('validate --catalog .')).code).toBe(0);
    const elsewhere = join(project.folder, 'deep/data');
    await project.run(`init --catalog ${elsewhere}`);
    expect((await project.run(`validate --catalog ${elsewhere}`)).code).toBe(0);
  });

  test.each(['catalog', 'schemas', 'catalog/items.yaml/x'])(
    'reports %s if it is in the way',
    async (path) => {
      await using project = await createProject({ [path]: '' });
      expectRefused(await project.run('init'), '[unwritable-file]');
    },
  );

  test('refuses an environment name that already exists', async () => {
    const file = 'baseUrl: https://old.example/api\nteamId: t\n';
    await using project = await createProject({ 'catalog/environments/staging.yaml': file });
    expectRefused(
      await project.run('init --base-url https://game.example/api --team-id 17'),
      '[environment-exists]',
    );
    expect(existsSync(join(project.folder, 'catalog/items.yaml'))).toBe(false);
  });

  test.each([
    ['--team-id 17', 'add --base-url URL'],
    ['--base-url https://game.example/api', 'add --team-id ID'],
    ['--user-id user_1', 'add --base-url URL --team-id ID'],
    ['-e eu', 'add --base-url URL --team-id ID'],
    ['-e Not-a-name --base-url https://game.example/api --team-id 17', 'is not a valid environment name'],
    ['--base-url http://me:secret@game.example/api --team-id 17', 'a URL with a password'],
    ['--example --empty', 'cannot be used with'],
  ])('%s is refused before anything is written', async (flags, message) => {
    await using project = await createProject(nothing);
    const refused = await project.run(`init ${flags}`);
    expectRefused(refused, message);
    expect(refused.stderr).not.toContain('secret');
    expect(existsSync(join(project.folder, 'catalog'))).toBe(false);
  });

  test('is suggested with the right folder if the catalog is missing', async () => {
    await using project = await createProject(nothing);
    expect((await project.run('plan')).stderr).toMatch(/create one:\s+trove init\n/);
    expect((await project.run('plan -e qa')).stderr).not.toContain('no such environment');
    const { stderr } = await project.run('plan --catalog game/data');
    const [, command = ''] = stderr.match(/trove (init .*)\n/) ?? [];
    expect((await project.run(command)).code).toBe(0);
    expect((await project.run('plan --catalog game/data')).code).toBe(0);
  });
});

describe.skipIf(!hasTerminal)('init on a terminal (needs script of util-linux)', () => {
  test('asks for missing settings, and again if a value is refused', async () => {
    await using project = await createProject(nothing);
    const { code } = await onTerminal(
      project,
      'init',
      ['folder [.]: ', 'game\n'],
      ['example? [yes]: ', 'perhaps\n'],
      ['Answer yes or no.', ''],
      ['example? [yes]: ', 'no\n'],
      ['[none yet]: ', 'game.example\n'],
      ['the base URL must be an http or https URL', ''],
      ['[none yet]: ', 'https://game.example/api\n'],
      ['this service: ', '\n'],
      ['a team ID is required', ''],
      ['this service: ', 'team_7\n'],
      ['(optional): ', '\n'],
      ['environment [staging]: ', 'Not a name\n'],
      ['is not a valid environment name', ''],
      ['environment [staging]: ', 'local\n'],
      ['choose another name', ''],
      ['environment [staging]: ', '\n'],
    );
    expect(code).toBe(0);
    const { stdout } = await project.run('validate --catalog game/catalog');
    expect(stdout).toBe('game/catalog is valid: 0 classifiers and 0 items in 1 file, 2 environments.\n');
    expect(await project.read('game/catalog/environments/staging.yaml')).toContain('teamId: team_7 #');
  });

  test('reports an existing catalog before it asks anything else', async () => {
    await using project = await createProject({ 'catalog/items.yaml': 'items: {}\n' });
    const { code, screen } = await onTerminal(
      project,
      'init',
      ['folder [.]: ', '\n'],
      ['a catalog already exists here: catalog/items.yaml', ''],
      ['folder [.]: ', '\x04'],
    );
    expect([code, screen.includes('Start with')]).toEqual([1, false]);
    const named = await onTerminal(project, 'init .');
    expect([named.code, named.screen.includes('Start with')]).toEqual([1, false]);
  });

  test('asks nothing if a flag names the first catalog', async () => {
    await using project = await createProject(nothing);
    const { code, screen } = await onTerminal(project, 'init --example');
    expect([code, screen.includes('Project folder')]).toEqual([0, false]);
    expect(existsSync(join(project.folder, 'catalog/items.yaml'))).toBe(true);
  });

  test('keeps answers that are pasted ahead', async () => {
    await using project = await createProject(nothing);
    const pasted = 'game\nno\nhttps://game.example/api\nteam_7\nuser_1\neu\n';
    const { code } = await onTerminal(project, 'init', ['folder [.]: ', pasted]);
    expect(code).toBe(0);
    const environment = await project.read('game/catalog/environments/eu.yaml');
    for (const id of ['teamId: team_7 #', 'userId: user_1 #']) expect(environment).toContain(id);
  });

  test.each([
    ['Ctrl-C', '\x03', 130],
    ['the end of input', '\x04', 1],
  ])('writes nothing after %s', async (_, keys, left) => {
    await using project = await createProject(nothing);
    const { code, screen } = await onTerminal(project, 'init .', ['example? [yes]: ', keys]);
    expect([code, screen.includes('Nothing was written.')]).toEqual([left, true]);
    expect(existsSync(join(project.folder, 'catalog'))).toBe(false);
  });
});

test('init writes nothing through a link that points outside the project', async () => {
  await using project = await createProject(nothing);
  const outside = `${project.folder}-outside`;
  await mkdir(outside);
  await symlink(outside, join(project.folder, 'catalog'));
  expectRefused(await project.run('init'), '[link-outside]');
  expect(await readdir(outside)).toEqual([]);
  await rm(outside, { recursive: true });
});

test('init writes no environment that could not be read back', async () => {
  await using project = await createProject(nothing);
  const { code, stderr } = await project.run(
    'init -e trove-var --base-url https://game.example/api --team-id 17',
  );
  expect([code, existsSync(join(project.folder, 'catalog'))]).toEqual([1, false]);
  expect(stderr).toContain('[credential-variable]');
});

test('init adds no second environment of one team', async () => {
  const settings = 'baseUrl: https://game.example/api\nteamId: team_7\n';
  await using project = await createProject({ 'catalog/environments/prod.yaml': settings });
  expectRefused(
    await project.run('init -e qa --base-url https://game.example/api --team-id team_7'),
    '[same-team]',
  );
  expect(existsSync(join(project.folder, 'catalog/items.yaml'))).toBe(false);
});
