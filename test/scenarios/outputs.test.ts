import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { cli, createProject, type Project, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

/** Runs it with a standard output that accepts nothing, as on a full disk. */
async function runFull({ folder }: Project, args: string) {
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
  const child = spawn(process.execPath, [cli, ...args.split(' ')], { cwd: folder, stdio: [...stdio] });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const stderr = child.stderr === null ? '' : await text(child.stderr);
  return { code: await ended, stderr };
}

describe.skipIf(!existsSync('/dev/full'))('a standard output that is full', () => {
  test('does not end an apply in the middle of a write', async () => {
    await using project = await createProject(smallCatalog);
    const applied = await runFull(project, 'apply --yes --format ndjson');
    expect(applied.code).toBe(1);
    expect(applied.stderr).toContain('[lost-output]');
    expect(applied.stderr).not.toContain('node:');
    expect((await project.run('plan')).stdout).toContain('No changes: 5 unchanged.');
  });

  test('is reported by plan, which still writes its files', async () => {
    await using project = await createProject(smallCatalog);
    const planned = await runFull(project, 'plan --detailed-exitcode --format text --format json=plan.json');
    expect(planned).toMatchObject({ code: 1, stderr: expect.stringContaining('[lost-output]') });
    expect(JSON.parse(await project.read('plan.json'))).toHaveProperty('summary.create', 5);
  });
});

describe('destinations of outputs', () => {
  test.each([
    ['plan --format markdown=', '--format markdown= is missing a file'],
    ['validate --format text=a.txt --format json=./a.txt', 'two outputs would go to one file'],
    ['plan --format html=plan.json --out plan.json', 'two outputs would go to one file'],
    ['plan --format json --format text=-', 'only one format can go to standard output'],
    ['plan --format html=-', 'an HTML page needs a file'],
    ['plan --format html', '--format html=plan.html'],
    ['plan --format html=', '--format html=plan.html'],
    ['plan --format html=catalog/plan.html', "outputs can't be written into the catalog"],
    ['plan --format json --format markdown', 'only one format can go to standard output'],
    ['show nowhere.json', "nowhere.json can't be read: it does not exist"],
    ['show catalog/game.yaml', 'this is not a saved plan: it is not JSON'],
    ['show nowhere.json --format pdf', 'unknown format `pdf`'],
    ['plan --format =a.txt', 'unknown format ``'],
    ['plan --format json=nowhere/plan.json', 'the file could not be written'],
    ['plan --format json=catalog/../link/plan.json', "outputs can't be written into the catalog"],
    ['plan --out link/environments/local.yaml', "outputs can't be written into the catalog"],
  ])('are checked: %s is one clear error', async (command, message) => {
    await using project = await createProject(smallCatalog);
    await symlink('catalog', join(project.folder, 'link'));
    const refused = await project.run(command);
    expect([refused.code, unwrapped(refused.stderr)]).toEqual([1, expect.stringContaining(message)]);
    expect(refused.stderr.match(/^error/gm)).toHaveLength(1);
    await expect(project.read('a.txt')).rejects.toThrow('ENOENT');
  });

  test('include - for standard output', async () => {
    await using project = await createProject(smallCatalog);
    const { stdout } = await project.run('plan --format json=-');
    expect(stdout).toBe((await project.run('plan --format json')).stdout);
    await expect(project.read('-')).rejects.toThrow('ENOENT');
  });
});
