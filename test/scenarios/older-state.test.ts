import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { State } from '../../src/state/model.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, statePath, type Team } from '../rig/team.ts';

const more =
  'classifiers: { season: { name: Season, options: { spring: { name: Spring, dropRateMultiplier: 1 } } } }\n';
const known =
  'profile: { itemCreate.clientId: honoured, update.unknownId: rejected, itemUpdate.classifierOptionIds: by-classifier }\n';
const notePath = 'catalog/.trove/staging.newest.json';

/** A team that was applied twice, with the state of the first time in place of that of the second. */
async function turnedBack(): Promise<Team & { readonly older: string; readonly newer: string }> {
  const team = await appliedTeam(smallCatalog, known);
  const older = await team.project.read(statePath);
  await team.project.write('catalog/more.yaml', more);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  const newer = await team.project.read(statePath);
  await team.project.write(statePath, older);
  return { ...team, older, newer };
}

const writes = (team: Team) => team.service.ledger().length;
const state = async (team: Team) => JSON.parse(await team.project.read(statePath)) as State;

describe('an older version of a state', () => {
  test.each([
    'apply --yes',
    'import item.helmet h-1',
    'resolve',
    'state mv item.torch item.lamp',
    'state forget item.torch --yes',
    'probe --yes --again',
  ])('%s refuses it, and nothing is sent or changed', async (command) => {
    await using team = await turnedBack();
    const before = writes(team);
    await team.project.write(
      'catalog/more.yaml',
      `${more}items: { helmet: { name: Helmet, rollNumerator: 1 } }\n`,
    );
    const { code, stderr } = await team.run(command);
    expect([code, writes(team), await team.project.read(statePath)]).toEqual([1, before, team.older]);
    expect(stderr).toContain('its serial is 1, and this');
    expect(stderr.match(/\[older-state\]/g)).toHaveLength(1);
    expect(stderr).toContain('trove apply -e staging --recover');
    expect(stderr).toContain('trove state push -e staging --force ');
  });

  test('plan shows what apply will refuse, and doctor names the ways out', async () => {
    await using team = await turnedBack();
    const { code, stdout } = await team.run('plan --format json');
    expect([code, JSON.parse(stdout).guards]).toMatchObject([1, [{ code: 'older-state' }]]);
    const words = 'the state is an older version: its serial is 1, and this machine had 2,';
    for (const format of ['text', 'markdown', 'html=plan.html']) {
      const { stdout } = await team.run(`plan --format ${format}`);
      const shown = format.startsWith('html') ? await team.project.read('plan.html') : stdout;
      expect(shown.replace(/\s+/g, ' ')).toContain(words);
    }
    const doctor = await team.run('doctor');
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/^FAIL +state +the state is an older/m),
    ]);
    await team.project.write(statePath, team.newer);
    expect((await team.run('plan')).stdout).not.toContain('older');
    expect((await team.run('doctor')).code).toBe(0);
  });

  test('with --recover nothing is created twice, and from then on it is the newest', async () => {
    await using team = await turnedBack();
    const before = writes(team);
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
    expect(await state(team)).toMatchObject({ serial: 3, recovering: {} });
    const { code, stdout } = await team.run('apply --yes');
    expect([code, stdout]).toEqual([3, expect.stringContaining('! blocked   classifier.season')]);
    expect(writes(team)).toBe(before);
    const { id } = recorded(JSON.parse(team.newer)).live['classifier.season'] ?? {};
    expect(await team.run(`import classifier.season ${id}`)).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect((await team.run('apply --yes')).stdout).toContain('Nothing to change');
    expect(writes(team)).toBe(before);
  });

  test('--recover that finds nothing missing makes it the newest too', async () => {
    await using team = await turnedBack();
    await rm(join(team.project.folder, 'catalog/more.yaml'));
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 0 });
    expect((await state(team)).serial).toBe(3);
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  });

  test('a person may say that it is right', async () => {
    await using team = await turnedBack();
    const refused = await team.run(`state push ${statePath}`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('[older-state]')]);
    expect(await team.run(`state push ${statePath} --force`)).toMatchObject({ code: 0 });
    expect((await state(team)).serial).toBe(3);
    expect((await team.run('plan')).stdout).toContain('1 to create');
  });

  test('the newer one is put back by a push, twice if need be', async () => {
    await using team = await turnedBack();
    await team.project.write('newer.json', team.newer);
    for (let time = 1; time <= 2; time++)
      expect(await team.run('state push newer.json')).toMatchObject({ code: 0 });
    expect(await team.project.read(statePath)).toBe(team.newer);
    expect((await team.run('apply --yes')).stdout).toContain('Nothing to change');
  });

  test('a backup is no less old where no state is left', async () => {
    await using team = await turnedBack();
    await team.project.write('backup.json', team.older);
    await rm(join(team.project.folder, statePath));
    const { code, stderr } = await team.run('state push backup.json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('[older-state]')]);
  });
});

describe('what a machine notes', () => {
  test('is the newest version and nothing else, also of what others saved, and out of git', async () => {
    await using team = await turnedBack();
    const { lineage } = JSON.parse(team.newer) as State;
    const noted = async () => JSON.parse(await team.project.read(notePath)) as unknown;
    expect(await noted()).toEqual({ lineage, serial: 2 });
    await team.project.write(statePath, team.newer.replace('"serial": 2', '"serial": 7'));
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(await noted()).toEqual({ lineage, serial: 7 });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: team.project.folder, encoding: 'utf8' });
    git('init', '--quiet');
    expect(git('status', '--porcelain', '--untracked-files=all')).not.toContain('.trove');
  });

  test('says nothing of another history', async () => {
    await using team = await turnedBack();
    const { lineage } = JSON.parse(team.older) as State;
    await team.project.write(statePath, team.older.replace(lineage, '6f1c1c0e-5c1e-4c1a-9b1e-0d9f3c2b7a11'));
    expect(await team.run('state mv item.torch item.lamp')).toMatchObject({ code: 0 });
  });

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['not JSON', (path) => writeFile(path, '{"lineage": ')],
    ['not a version', (path) => writeFile(path, '[null]')],
    ['too much', (path) => writeFile(path, ' '.repeat(5000))],
    ['a folder', (path) => mkdir(path)],
    ['a pipe', async (path) => execFileSync('mkfifo', [path])],
    ['a link out of the catalog', (path) => symlink('/etc/hostname', path)],
    [
      'in a folder that is a file',
      async (path) => {
        await rm(join(path, '..'), { recursive: true });
        await writeFile(join(path, '..'), '');
      },
    ],
  ])('never stops work where it is %s', async (_what, spoil) => {
    await using team = await turnedBack();
    const path = join(team.project.folder, notePath);
    await rm(path);
    await spoil(path);
    const outside = readFileSync('/etc/hostname', 'utf8');
    expect(await team.run('state mv item.torch item.lamp')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync('/etc/hostname', 'utf8')).toBe(outside);
  });
});
