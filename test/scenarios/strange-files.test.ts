import { spawn, spawnSync } from 'node:child_process';
import { open, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnv, cli, createProject, finished } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, sharedTeam, statePath } from '../rig/team.ts';

const secret = 'root:x:0:0:a-file-of-somebody-else';

/** Puts something else in the place of a file. */
const strange: Readonly<Record<string, (path: string, folder: string) => Promise<unknown>>> = {
  'a named pipe': async (path) => spawnSync('mkfifo', [path]),
  'a link to /dev/zero': (path) => symlink('/dev/zero', path),
  'a link to a file outside': async (path, folder) => {
    await writeFile(`${folder}-outside`, secret);
    await symlink(`${folder}-outside`, path);
  },
  'a folder': async (path) => spawnSync('mkdir', ['-p', path]),
  'a link to itself': (path) => symlink(path, path),
  'a file of 600 MB': async (path) => {
    const file = await open(path, 'w');
    await file.truncate(600 * 2 ** 20);
    await file.close();
  },
};

/** Which file, and the command that would read it. */
const places = [
  ['the state', statePath, 'plan'],
  ['the state', statePath, 'state list'],
  ['the journal', `${statePath}.journal`, 'plan'],
  ['the lock', `${statePath}.lock`, 'apply --yes'],
  ['a plan file', 'plan.json', 'apply plan.json'],
  ['a plan file', 'plan.json', 'show plan.json'],
  ['a pushed file', 'pushed.json', 'state push pushed.json'],
  ['a file of IDs', 'ids.csv', 'import --file ids.csv'],
  ['a catalog file', 'catalog/more.yaml', 'validate'],
  ['an environment', 'catalog/environments/other.yaml', 'plan -e other'],
  ['the log of a database', 'x.db-journal', 'serve --db x.db'],
  ['the other log of a database', 'x.db-wal', 'serve --db x.db'],
  ['a world', 'world.json', 'serve --db x.db --world world.json'],
] as const;

// Everything in two places, and two of them everywhere.
const isEverywhere = (what: string) => what === 'a named pipe' || what.endsWith('outside');
const cases = Object.keys(strange).flatMap((what) =>
  places
    .filter(([place], at) => isEverywhere(what) || at === 0 || place === 'a plan file')
    .map((place) => [what, ...place] as const),
);

const shared = sharedTeam();

test.each(cases)('%s as %s (%s) makes %s end with one clear error', async (...[what, , path, args]) => {
  const team = shared();
  const { folder } = team.project;
  const sent = team.gateway.exchanges.length;
  await rm(join(folder, path), { recursive: true, force: true });
  await strange[what]?.(join(folder, path), folder);
  const { code, stdout, stderr } = await team.run(args);
  // A lock that can't be read counts as held.
  expect([1, 5]).toContain(code);
  expect(stderr).toMatch(/^error: /);
  expect(stdout + stderr).not.toContain(secret.slice(0, 10));
  expect(stderr).not.toContain('should not happen');
  expect(stderr.length).toBeLessThan(2000);
  expect(team.gateway.exchanges).toHaveLength(sent);
  await rm(`${folder}-outside`, { force: true });
});

test('an ID in the state that leads to another path is refused before anything is sent', async () => {
  const team = shared();
  const id = (await team.recorded()).live['item.torch']?.id ?? '';
  await team.project.write(statePath, (await team.project.read(statePath)).replaceAll(id, '..'));
  await team.project.edit('catalog/game.yaml', 'rollNumerator: 100', 'rollNumerator: 101');
  const sent = team.gateway.exchanges.length;
  const result = await team.run('apply --yes');
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('[state-invalid]') });
  expect(team.gateway.exchanges).toHaveLength(sent);
});

test('more files of environments and of locks than a process may open are read all the same', async () => {
  await using project = await createProject(smallCatalog);
  for (let n = 0; n < 300; n++) {
    const file = `catalog/environments/e-${n}.yaml`;
    await project.write(file, `baseUrl: http://127.0.0.1:1/api\nteamId: team_${n}\n`);
    await project.write(`catalog/.trove/local.state.json.lock.${n}`, '{}');
  }
  const limited = ['-c', 'ulimit -n 100 && exec "$@"', '-', process.execPath, cli];
  for (const command of ['validate', 'plan -e e-1', 'apply --yes']) {
    const child = spawn('bash', [...limited, ...command.split(' ')], {
      cwd: project.folder,
      env: cleanEnv(),
    });
    child.stdin.end();
    expect(await finished(child)).toMatchObject({ code: 0, stderr: '' });
  }
});

test('a stored state with the serial of none is no missing state: neither plan nor apply goes on', async () => {
  await using team = await appliedTeam();
  const text = await team.project.read(statePath);
  const unsaved = text.replace(/"serial": \d+/, '"serial": 0');
  await team.project.write(statePath, unsaved);
  for (const command of ['plan', 'apply --yes --new-environment'])
    expect(await team.run(command)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[state-invalid]'),
    });
  expect(await team.project.read(statePath)).toBe(unsaved);
});
