import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { finished } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath } from '../rig/team.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
/** Each file that takes the place of another one does so a second late. */
const slowly = ['-e', 'trace=/^rename', '-e', 'inject=/^rename:delay_enter=1000000'];
const unsaved = /^staging\.json\.[0-9a-f-]{36}\.tmp$/;

describe.skipIf(!canTrace)('a first Ctrl-C once everything is answered (needs a working strace)', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s: the state is saved and unlocked', async (signal) => {
    await using team = await createTeam(smallCatalog);
    const { project, env, gateway } = team;
    const command = [process.execPath, cli, 'apply', '-e', 'staging', '--yes', '--new-environment'];
    const trace = ['-f', '-qq', '-o', '/dev/null', ...slowly, ...command];
    const child = spawn('strace', trace, { cwd: project.folder, env: { ...process.env, ...env } });
    const end = finished(child);
    const folder = join(project.folder, dirname(statePath));
    const isSaving = () =>
      gateway.count('POST') === 5 && readdirSync(folder).some((name) => unsaved.test(name));
    while (child.exitCode === null && !isSaving()) await setTimeout(5);
    const lock = join(project.folder, `${statePath}.lock`);
    process.kill(JSON.parse(readFileSync(lock, 'utf8')).process.pid, signal);
    expect(await end).toMatchObject({ code: 0 });
    expect(Object.keys(recorded(await project.state(statePath)).live)).toHaveLength(5);
    expect([existsSync(lock), existsSync(join(project.folder, `${statePath}.journal`))]).toEqual([
      false,
      false,
    ]);
  });
});
