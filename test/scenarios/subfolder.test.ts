import { chown, mkdir, symlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, expectRefused, type Project, runHere } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

/** Runs commands in a folder of the project, two levels below the one that has the catalog. */
async function below(project: Project) {
  const folder = join(project.folder, 'tools/bin');
  await mkdir(folder, { recursive: true });
  return (args: string, env = {}) => runHere(folder, args, { env });
}

test('every command in a subfolder uses the catalog, state and data of the project', async () => {
  await using project = await createProject(smallCatalog);
  const run = await below(project);
  const validated = await run('validate --debug');
  expect(validated.stdout).toMatch(/^\.\.\/\.\.\/catalog is valid: /);
  expect(validated.stderr).toContain(`debug: catalog ${join(project.folder, 'catalog')}\n`);
  expect((await run('apply --yes')).stdout).toContain('5 created');
  expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  expect((await project.state()).serial).toBe(1);
  expect((await run('state list')).stdout).toBe((await project.run('state list')).stdout);
});

test('messages in a subfolder contain paths from there, and commands without --catalog', async () => {
  await using project = await createProject(smallCatalog);
  const run = await below(project);
  const planned = await run('plan --out p.json');
  expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining('trove apply p.json\n') });
  expect(await run('apply p.json')).toMatchObject({ code: 0 });
  await project.edit('catalog/game.yaml', 'rollNumerator: 100', 'rollNumerator: x');
  expectRefused(await run('plan'), '--> ../../catalog/game.yaml:');
  expect((await run('fmt ../../catalog/nothing.yaml')).stderr).toContain('formatted: ../../catalog;');
});

test('a named catalog is not searched for above, and init creates a new one', async () => {
  await using project = await createProject(smallCatalog);
  const run = await below(project);
  const nothing = 'no such catalog folder: catalog';
  expectRefused(await run('validate --catalog catalog'), nothing);
  expectRefused(await run('validate', { TROVE_CATALOG: 'catalog' }), nothing);
  expect(await run('init --empty')).toMatchObject({ code: 0 });
  expect((await run('validate')).stdout).toMatch(/^catalog is valid: 0 /);
});

test.each([
  ['the home folder', async () => {}, (project: Project) => ({ HOME: join(project.folder, 'tools') })],
  ['a git repository', (project: Project) => project.write('tools/.git/HEAD', ''), () => ({})],
])('the search for a catalog ends at %s', async (_, prepare, envOf) => {
  await using project = await createProject(smallCatalog);
  const run = await below(project);
  await prepare(project);
  expectRefused(await run('validate', envOf(project)), 'no such catalog folder: catalog');
  await mkdir(join(project.folder, 'tools/catalog'));
  expectRefused(await run('validate', envOf(project)), 'the catalog folder ../catalog contains no');
});

test('the search for a catalog skips a link in a parent folder', async () => {
  await using project = await createProject(smallCatalog);
  const run = await below(project);
  await mkdir(join(project.folder, 'elsewhere'));
  await symlink('../elsewhere', join(project.folder, 'tools/catalog'));
  expect((await run('validate')).stdout).toMatch(/^\.\.\/\.\.\/catalog is valid: /);
});

test('the search for a catalog ends at a broken link in the current folder', async () => {
  await using project = await createProject(smallCatalog);
  const run = await below(project);
  await symlink('nothing', join(project.folder, 'tools/bin/catalog'));
  expectRefused(await run('validate'), 'no such catalog folder: catalog');
});

describe.skipIf(userInfo().uid !== 0)('the catalog of another user (needs root)', () => {
  const giveAway = (project: Project, path: string) => chown(join(project.folder, path), 12345, 12345);

  test('is skipped in a parent folder, even if that user owns the current folder', async () => {
    await using project = await createProject(smallCatalog);
    const run = await below(project);
    await giveAway(project, 'catalog');
    await giveAway(project, 'tools/bin');
    expectRefused(await run('validate'), 'no such catalog folder: catalog');
    expect(await project.run('validate')).toMatchObject({ code: 0 });
  });

  test('is used in the current folder, and none above it', async () => {
    await using project = await createProject(smallCatalog);
    const run = await below(project);
    await mkdir(join(project.folder, 'tools/bin/catalog'));
    await giveAway(project, 'tools/bin/catalog');
    expectRefused(await run('validate'), 'the catalog folder catalog contains no');
  });
});
