import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { finished, said } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';
import { canTrace, injecting } from './strace.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
/** Each file that takes the place of another one does so a second late. */
const slowly = '/^rename:delay_enter=1000000';
const response = 'debug: POST /classifiers attempt 1: 200';
const unsaved = /^staging\.json\.[0-9a-f-]{36}\.tmp$/;

/** Starts an apply whose system calls strace delays; `interrupt` sends the signal to the apply itself. */
function startSlow(team: Team, injection: string) {
  const { project, env } = team;
  const command = [process.execPath, cli, 'apply', '-e', 'staging', '--yes', '--new-environment', '--debug'];
  const [strace = '', ...trace] = [...injecting(injection), ...command];
  const child = spawn(strace, trace, { cwd: project.folder, env: { ...process.env, ...env } });
  const lock = join(project.folder, `${statePath}.lock`);
  let written = '';
  child.stderr.on('data', (text) => {
    written += text;
  });
  const responses = () => written.split(response).length - 1;
  const interrupt = (signal: NodeJS.Signals) =>
    process.kill(JSON.parse(readFileSync(lock, 'utf8')).process.pid, signal);
  return { child, lock, interrupt, responses, end: finished(child) };
}

describe.skipIf(!canTrace)('a first Ctrl-C after the last response (needs a working strace)', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('saves and unlocks the state (%s)', async (signal) => {
    await using team = await createTeam(smallCatalog);
    const { project, gateway } = team;
    const { child, lock, interrupt, end } = startSlow(team, slowly);
    const folder = join(project.folder, dirname(statePath));
    const isSaving = () =>
      gateway.count('POST') === 5 && readdirSync(folder).some((name) => unsaved.test(name));
    while (child.exitCode === null && !isSaving()) await setTimeout(5);
    interrupt(signal);
    expect(await end).toMatchObject({ code: 0 });
    expect(Object.keys(recorded(await project.state(statePath)).live)).toHaveLength(5);
    expect([existsSync(lock), existsSync(join(project.folder, `${statePath}.journal`))]).toEqual([
      false,
      false,
    ]);
  });
});

describe.skipIf(!canTrace)(
  'a second Ctrl-C while the journal waits for the disk (needs a working strace)',
  () => {
    test('loses no returned ID, and the run reports exactly what is unknown', async () => {
      const classifiers = Array.from(
        { length: 12 },
        (_, n) => `  c${n}: { name: C${n}, options: { a: { name: A, dropRateMultiplier: 1 } } }\n`,
      );
      await using team = await createTeam({ 'catalog/game.yaml': `classifiers:\n${classifiers.join('')}` });
      const { child, interrupt, responses, end } = startSlow(team, 'fdatasync:delay_enter=400000');
      const { gateway } = team;
      // Two of them never get a response; the earlier responses wait for the disk.
      gateway.decide = async ({ body }) => {
        if (body.name !== 'C3' && body.name !== 'C4') return 'pass';
        await end;
        return 'cut-before';
      };
      const stopping = said(child, 'Press Ctrl-C again');
      await said(child, response, 3);
      while (child.exitCode === null && gateway.exchanges.length < 5) await setTimeout(5);
      const known = gateway.exchanges.filter(({ answer }) => answer).map(({ body }) => `${body.name}`);
      // Until the process has read each of them.
      while (child.exitCode === null && responses() < known.length) await setTimeout(5);
      interrupt('SIGINT');
      await stopping;
      interrupt('SIGINT');
      const { code, stderr } = await end;
      const { stdout } = await team.run('resolve');
      const open = stdout.match(/(?<=^\? classifier\.)\S+/gm) ?? [];
      expect([code, stderr]).toEqual([130, expect.stringContaining(`Stopped. ${open.length} outcomes are`)]);
      expect(open).toEqual(expect.arrayContaining(['c3', 'c4']));
      expect(open.filter((key) => known.includes(key.toUpperCase()))).toEqual([]);
    });
  },
);
