import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { finished } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
const noRoom = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=ENOSPC:when=1'];

/** Runs a command whose first entry of the journal meets a full disk. */
function runWithoutRoom({ project, env }: Team, args: string) {
  const trace = ['-f', '-qq', '-o', '/dev/null', ...noRoom, process.execPath, cli, ...args.split(' ')];
  return finished(spawn('strace', trace, { cwd: project.folder, env: { ...process.env, ...env } }));
}

describe.skipIf(!canTrace)('resolve where the journal has no room (needs a working strace)', () => {
  test.each(['--not-created', '--id'])('%s is in the state all the same', async (word) => {
    await using team = await createTeam(smallCatalog);
    team.gateway.decide = ({ body }) => (body.name === 'Slot' ? 'cut-after' : 'pass');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    team.gateway.decide = () => 'pass';
    const create = team.gateway.exchanges.find(({ body }) => body.name === 'Slot');
    const id = String(create?.answer?.id);
    const said = word === '--id' ? `${word} ${id}` : word;
    expect(await runWithoutRoom(team, `resolve classifier.slot ${said}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const { pending, live } = recorded(await team.project.state(statePath));
    expect(pending).toEqual([]);
    expect(live['classifier.slot']?.id).toBe(word === '--id' ? id : undefined);
  });
});
