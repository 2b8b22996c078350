import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';

const untidy =
  'items:\n    torch:\n        rollNumerator: 5\n        # Shown.\n        name: "To\u200brch"\n';
const tidy = 'items:\n  torch:\n    # Shown.\n    name: "To\u200brch"\n    rollNumerator: 5\n';
const environment = 'teamId: t\nbaseUrl: https://game.example/api\n';
const files = {
  'catalog/a.yaml': untidy,
  'catalog/b.yaml': 'items: {}\n',
  'catalog/environments/eu.yaml': environment,
};

test('the example catalog needs no formatting', async () => {
  await using project = await createProject();
  const { code, stdout, stderr } = await project.run('fmt --check');
  expect([code, stdout, stderr]).toEqual([0, '', '11 files checked, nothing to change.\n']);
});

test('fmt --check shows no diff of thousands of lines', async () => {
  const items = Array.from({ length: 3000 }, (_, n) => `  item-${n}: {name: N, rollNumerator: 1}\n`);
  await using project = await createProject({ 'catalog/a.yaml': `items:\n${items.join('')}` });
  const { code, stdout } = await project.run('fmt --check');
  expect([code, stdout]).toEqual([1, 'catalog/a.yaml: over 2000 lines of the diff, not shown\n']);
});

test('fmt --check shows an escaped diff and changes nothing', async () => {
  await using project = await createProject({ ...files, 'catalog/a.yaml': untidy.replace('\u200b', '') });
  const { code, stdout, stderr } = await project.run('fmt --check');
  expect([code, stderr]).toEqual([1, '2 of 3 files would change; to change them: trove fmt\n']);
  expect(await project.read('catalog/environments/eu.yaml')).toBe(environment);
  const [first = '', second = ''] = stdout.split(/^(?=--- )/m);
  expect(first).toContain('+++ catalog/a.yaml\n@@ -1,5 +1,5 @@\n items:\n');
  expect(applyPatch(untidy.replace('\u200b', ''), first)).toBe(tidy.replace('\u200b', ''));
  expect(second).toContain('--- catalog/environments/eu.yaml');
  await project.write('catalog/a.yaml', untidy);
  expect((await project.run('fmt --check')).stdout).toContain('"To\\u200brch"');
});

test('fmt replaces whole files, keeps their mode, and changes nothing the second time', async () => {
  await using project = await createProject(files);
  const path = join(project.folder, 'catalog/a.yaml');
  await chmod(path, 0o640);
  const { code, stdout, stderr } = await project.run('fmt');
  expect([code, stdout, stderr]).toEqual([
    0,
    'catalog/a.yaml\ncatalog/environments/eu.yaml\n',
    '2 of 3 files changed.\n',
  ]);
  expect(await project.read('catalog/a.yaml')).toBe(tidy);
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect((await readdir(join(project.folder, 'catalog'))).sort()).toEqual([
    'a.yaml',
    'b.yaml',
    'environments',
  ]);
  const again = await project.run('fmt');
  expect([again.code, again.stdout]).toEqual([0, '']);
});

test('fmt leaves a file with problems alone and reports them', async () => {
  const wrong = 'items:\n    torch:\n        rollNumberator: 5\n        name: Torch\n';
  await using project = await createProject({ ...files, 'catalog/b.yaml': wrong });
  const { code, stdout, stderr } = await project.run('fmt');
  expect([code, stdout]).toEqual([1, 'catalog/a.yaml\ncatalog/environments/eu.yaml\n']);
  expect(stderr).toContain('did you mean `rollNumerator`?');
  expect(stderr).toContain('1 problem found; files with problems are unchanged.\n2 of 3 files changed.\n');
  expect(await project.read('catalog/b.yaml')).toBe(wrong);
});

test("fmt leaves a file that it can't format safely alone, with a warning", async () => {
  const late =
    'items:\n  a:\n    attributes: &x {}\n    name: A\n    rollNumerator: 1\n    classifiers: *x\n';
  await using project = await createProject({ 'catalog/a.yaml': late });
  const { code, stdout, stderr } = await project.run('fmt');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('[not-formatted]\n --> catalog/a.yaml');
  expect(await project.read('catalog/a.yaml')).toBe(late);
});

test('fmt changes only the files and folders that are named', async () => {
  await using project = await createProject({ ...files, 'other.yaml': untidy });
  expect((await project.run('fmt catalog/environments')).stdout).toBe('catalog/environments/eu.yaml\n');
  const { code, stdout, stderr } = await project.run('fmt other.yaml catalog/a.yaml');
  expect([code, stdout]).toEqual([1, 'catalog/a.yaml\n']);
  expect(stderr).toContain('[not-in-catalog]\n --> other.yaml');
  expect(await project.read('other.yaml')).toBe(untidy);
});

test.each(['--example', '--empty', '--base-url https://game.example/api --team-id t'])(
  'init %s writes formatted files',
  async (flags) => {
    await using project = await createProject({ note: '' });
    await project.run(`init ${flags}`);
    expect((await project.run('fmt --check')).stdout).toBe('');
  },
);
