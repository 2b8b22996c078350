import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { State } from '../../src/state/model.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, sharedTeam, statePath, type Team } from '../rig/team.ts';

const more =
  'classifiers: { season: { name: Season, options: { spring: { name: Spring, dropRateMultiplier: 1 } } } }\n';
const known =
  'profile: { itemCreate.clientId: honoured, update.unknownId: rejected, itemUpdate.classifierOptionIds: by-classifier }\n';
const notePath = 'catalog/.trove/staging.newest.json';

const shared = sharedTeam(turnedBack) as () => TurnedBack;

/** A team that was applied twice, with the state of the first time in place of that of the second. */
async function turnedBack(): Promise<TurnedBack> {
  const team = await appliedTeam(smallCatalog, known);
  const older = await team.project.read(statePath);
  await team.project.write('catalog/more.yaml', more);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  const newer = await team.project.read(statePath);
  await team.project.write(statePath, older);
  return { ...team, older, newer };
}

type TurnedBack = Team & { readonly older: string; readonly newer: string };

const writes = (team: Team) => team.service.ledger().length;
const stateOf = (team: Team) => team.project.state(statePath);
const refusedAsOlder = { code: 1, stderr: expect.stringContaining('[older-state]') };

describe('an older version of a state', () => {
  test('is refused by every command that records or sends', async () => {
    const team = shared();
    const before = writes(team);
    const helmet = 'items: { helmet: { name: Helmet, rollNumerator: 1 } }\n';
    await team.project.write('catalog/more.yaml', more + helmet);
    for (const command of [
      'apply --yes',
      'import item.helmet h-1',
      'resolve',
      'state mv item.torch item.lamp',
      'state forget item.torch --yes',
      'probe --yes --again',
    ]) {
      const result = await team.run(command);
      expect(result, command).toMatchObject(refusedAsOlder);
      expect(result.stderr.match(/\[older-state\]/g)).toHaveLength(1);
      expect(result.stderr).toContain('trove apply -e staging --recover');
      expect(result.stderr).toContain('trove state push -e staging --force ');
      expect([writes(team), await team.project.read(statePath)]).toEqual([before, team.older]);
    }
  });

  test('is reported by plan and doctor until the newer one is back', async () => {
    const team = shared();
    const { code, stdout } = await team.run('plan --format json');
    expect([code, JSON.parse(stdout).guards]).toMatchObject([1, [{ code: 'older-state' }]]);
    const doctor = await team.run('doctor');
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAIL +state /m) });
    await team.project.write(statePath, team.newer);
    expect(JSON.parse((await team.run('plan --format json')).stdout).guards).toEqual([]);
    expect((await team.run('doctor')).code).toBe(0);
  });

  test('creates nothing twice with --recover, and is then the newest', async () => {
    const team = shared();
    const before = writes(team);
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
    expect(await stateOf(team)).toMatchObject({ serial: 3, recovering: {} });
    const { code, stdout } = await team.run('apply --yes');
    expect([code, stdout]).toEqual([3, expect.stringContaining('! blocked   classifier.season')]);
    const { id } = recorded(JSON.parse(team.newer)).live['classifier.season'] ?? {};
    expect(await team.run(`import classifier.season ${id}`)).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    expect(writes(team)).toBe(before);
  });

  test('in a recovery is recovered by a saved plan, too, if that was made with --recover', async () => {
    const team = shared();
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
    const recovering = await team.project.read(statePath);
    await team.project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Yew Bow');
    expect(await team.run('apply --yes')).toMatchObject({ code: 3 });
    await team.project.write(statePath, recovering);
    expect(await team.run('plan --out plan.json')).toMatchObject({ code: 1 });
    expect(await team.run('plan --recover --out plan.json')).toMatchObject({ code: 3 });
    expect(await team.run('apply plan.json')).toMatchObject({ code: 3, stderr: '' });
    expect(await stateOf(team)).toMatchObject({ serial: 5, recovering: {} });
  });

  test('is accepted only with state push --force', async () => {
    const team = shared();
    await team.project.write('backup.json', team.older);
    expect(await team.run(`state push ${statePath}`)).toMatchObject(refusedAsOlder);
    await rm(join(team.project.folder, statePath));
    expect(await team.run('state push backup.json')).toMatchObject(refusedAsOlder);
    await team.project.write(statePath, team.older);
    expect(await team.run(`state push ${statePath} --force`)).toMatchObject({ code: 0 });
    expect((await stateOf(team)).serial).toBe(3);
    expect((await team.run('plan')).stdout).toContain('1 to create');
  });

  test('is replaced by a push of the newer one', async () => {
    const team = shared();
    await team.project.write('newer.json', team.newer);
    for (let time = 1; time <= 2; time++)
      expect(await team.run('state push newer.json')).toMatchObject({ code: 0 });
    expect(await team.project.read(statePath)).toBe(team.newer);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });
});

test.each([2, 3])('version %i of another branch is refused like an older one', async (serial) => {
  const team = shared();
  const before = writes(team);
  const branch = team.older.replace('"serial": 1', `"serial": ${serial}`);
  await team.project.write(statePath, branch);
  expect(await team.run('apply --yes')).toMatchObject(refusedAsOlder);
  expect(JSON.parse((await team.run('plan --format json')).stdout).guards).toMatchObject([
    { code: 'older-state', serial, newest: 2 },
  ]);
  expect([writes(team), await team.project.read(statePath)]).toEqual([before, branch]);
  expect(await team.run(`state push ${statePath} --force`)).toMatchObject({ code: 0 });
  const { serial: pushed, lineage } = await stateOf(team);
  expect(pushed).toBe(serial + 1);
  // Other machines that had the overruled version accept it as well.
  const [revision] = (JSON.parse(team.newer) as State).revisions ?? [];
  await team.project.write(notePath, JSON.stringify({ lineage, serial: 2, revision }));
  expect(await team.run('plan')).toMatchObject({ code: 0 });
});

describe('the note of the newest state', () => {
  test('contains only its version, even if saved elsewhere, and stays out of git', async () => {
    const team = shared();
    const { lineage, revisions: [revision] = [] } = JSON.parse(team.newer) as State;
    const noted = async () => JSON.parse(await team.project.read(notePath)) as unknown;
    expect(await noted()).toEqual({ lineage, serial: 2, revision });
    await team.project.write(statePath, team.newer.replace('"serial": 2', '"serial": 7'));
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(await noted()).toEqual({ lineage, serial: 7, revision });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: team.project.folder, encoding: 'utf8' });
    git('init', '--quiet');
    expect(git('status', '--porcelain', '--untracked-files=all')).not.toContain('.trove');
    // It proves nothing about another history.
    await team.project.write(statePath, team.older.replace(lineage, '6f1c1c0e-5c1e-4c1a-9b1e-0d9f3c2b7a11'));
    expect(await team.run('state mv item.torch item.lamp')).toMatchObject({ code: 0 });
  });

  test('never stops work if it is unusable, and no link is followed', async () => {
    const team = shared();
    await team.project.write(statePath, team.newer);
    const path = join(team.project.folder, notePath);
    const spoils: Readonly<Record<string, () => unknown>> = {
      'not JSON': () => writeFile(path, '{"lineage": '),
      'not a version': () => writeFile(path, '[null]'),
      'too much': () => writeFile(path, ' '.repeat(5000)),
      'a folder': () => mkdir(path),
      'a pipe': () => execFileSync('mkfifo', [path]),
      'a link out of the catalog': () => symlink('/etc/hostname', path),
      'in a folder that is a file': async () => {
        await rm(join(path, '..'), { recursive: true });
        await writeFile(join(path, '..'), '');
      },
    };
    const outside = readFileSync('/etc/hostname', 'utf8');
    let [from, to] = ['torch', 'lamp'];
    for (const [what, spoil] of Object.entries(spoils)) {
      await rm(path, { recursive: true, force: true });
      await spoil();
      const moved = await team.run(`state mv item.${from} item.${to}`);
      expect(moved, what).toMatchObject({ code: 0, stderr: '' });
      [from, to] = [to, from];
    }
    expect(readFileSync('/etc/hostname', 'utf8')).toBe(outside);
  });
});
