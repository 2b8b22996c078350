import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Finished, finished } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';
import { canTrace, injecting } from './strace.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
/** Only the journal syncs so; it and the state take their place by a rename, and the lock does not. */
const JOURNAL = 'fdatasync:error=ENOSPC';
const EVERYTHING = '?rename,?renameat,?renameat2:error=ENOSPC';

/** Runs a command while the disk fails as said. */
function runWith(injection: string, team: Team, args: string): Promise<Finished> {
  const [strace = '', ...trace] = injecting(injection);
  const child = spawn(strace, [...trace, process.execPath, cli, ...args.split(' ')], {
    cwd: team.project.folder,
    env: { ...process.env, ...team.env, UV_THREADPOOL_SIZE: '1' },
  });
  child.stdin.end();
  return finished(child);
}

/** A team with one unknown classifier create, and the ID that the service gave it. */
async function uncertain(): Promise<{ readonly team: Team; readonly id: string }> {
  const team = await createTeam(smallCatalog);
  team.gateway.decide = ({ body }) => (body.name === 'Slot' ? 'cut-after' : 'pass');
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  const create = team.gateway.exchanges.find(({ body }) => body.name === 'Slot');
  return { team, id: String(create?.answer?.id) };
}

const commands = (id: string) => [
  `resolve classifier.slot --id ${id}`,
  'resolve classifier.slot --not-created',
  'import item.helmet h-1',
  'state mv item.torch item.lamp',
  'state forget item.torch --yes',
];

describe.skipIf(!canTrace)('a command that records (needs a working strace)', () => {
  test('succeeds despite a failing journal if the state can be saved', async () => {
    const { team, id } = await uncertain();
    await using _ = team;
    await team.project.write('catalog/more.yaml', 'items: { helmet: { name: Helmet, rollNumerator: 1 } }\n');
    const before = await team.project.read(statePath);
    for (const command of commands(id)) {
      await team.project.write(statePath, before);
      await team.project.write('catalog/.trove/staging.newest.json', '');
      const { code, stderr } = await runWith(JOURNAL, team, command);
      expect([command, code, stderr]).toEqual([command, 0, '']);
      expect(await team.project.read(statePath)).not.toBe(before);
      const { pending, live } = recorded(await team.project.state(statePath));
      expect(pending).toHaveLength(command.startsWith('resolve') ? 0 : 1);
      expect(live['classifier.slot']?.id).toBe(command.endsWith(`--id ${id}`) ? id : undefined);
    }
  });

  test('such as apply reports what the state has, even if the journal lacks it', async () => {
    await using team = await createTeam(smallCatalog);
    await team.run('apply --yes --new-environment');
    const catalog = smallCatalog['catalog/game.yaml'].replace(/ {2}torch:[\s\S]*$/, '');
    await team.project.write('catalog/game.yaml', catalog.replace('oak-bow:', 'elm-bow:'));
    await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.oak-bow, to: item.elm-bow }]\n');
    const { code, stdout } = await runWith(JOURNAL, team, 'apply --yes');
    expect(code).toBe(1);
    expect(stdout).toContain('1 renamed, 1 not started');
    expect(stdout).not.toContain('Nothing was changed');
    const last = await runWith(JOURNAL, team, 'apply --yes --format json');
    expect(JSON.parse(last.stdout).results).toMatchObject([{ address: 'item.torch', result: 'recorded' }]);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('fails with one error and changes nothing if the state fails too', async () => {
    const { team, id } = await uncertain();
    await using _ = team;
    await team.project.write('catalog/more.yaml', 'items: { helmet: { name: Helmet, rollNumerator: 1 } }\n');
    const before = await team.project.read(statePath);
    await team.project.write('copy.json', before.replace('Torch', 'Lantern'));
    for (const command of [...commands(id), 'state push copy.json']) {
      const { code, stderr } = await runWith(EVERYTHING, team, command);
      expect([command, code]).toEqual([command, 1]);
      expect(stderr).toMatch(/^error: the state could not be written: no space is left/);
      expect(stderr.match(/error:/g)).toHaveLength(1);
      expect(await team.project.read(statePath)).toBe(before);
    }
    expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  });

  test('fails with an error if it cannot release the lock', async () => {
    await using team = await createTeam(smallCatalog);
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
    const { code, stderr } = await runWith(
      '?unlink,?unlinkat:error=EACCES:when=5+',
      team,
      'state forget item.torch --yes',
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('the lock could not be released')]);
    expect(await team.project.read(statePath)).toContain('"status": "forgotten"');
  });

  test('such as probe fails before any request if the disk is full', async () => {
    await using team = await createTeam(smallCatalog);
    const { code, stdout, stderr } = await runWith(EVERYTHING, team, 'probe --yes --new-environment');
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain('bug');
    expect(stderr).toMatch(/no space is left/);
    expect(team.service.ledger()).toEqual([]);
  });
});
