import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownProcess, standingOf } from '../../src/state/lock-owner.ts';

// Only there does the platform say enough for a process to be certainly gone.
const identifiable = existsSync('/proc/self/ns/pid') && existsSync('/proc/sys/kernel/random/boot_id');

function pidOfEndedProcess(): number {
  return spawnSync('true').pid;
}

describe.skipIf(!identifiable)('a process is certainly gone (needs /proc)', () => {
  it('where it has ended', async () => {
    expect(await standingOf({ ...(await ownProcess()), pid: pidOfEndedProcess() })).toBe('gone');
  });

  it('where its pid belongs to a process that began at another time', async () => {
    expect(await standingOf({ ...(await ownProcess()), startTicks: '1' })).toBe('gone');
  });

  it('not where it only seems to have begun at another time, by the clock of another time namespace', async () => {
    const elsewhere = { startTicks: '1', timeNamespace: 'time:[1]' };
    expect(await standingOf({ ...(await ownProcess()), ...elsewhere })).toBe('unknown');
    const ended = { ...(await ownProcess()), ...elsewhere, pid: pidOfEndedProcess() };
    expect(await standingOf(ended)).toBe('gone');
  });

  it('not while it runs, or is stopped', async () => {
    expect(await standingOf(await ownProcess())).toBe('alive');
    const child = spawn('sleep', ['60']);
    child.kill('SIGSTOP');
    const { startTicks, ...identity } = await ownProcess();
    expect(startTicks).toBeDefined();
    expect(await standingOf({ ...identity, pid: child.pid ?? 0 })).not.toBe('gone');
    child.kill('SIGKILL');
  });
});

describe('nobody can tell, so it counts as running', () => {
  it.each([
    ['on another boot or machine', { bootId: 'another' }],
    ['in another container', { pidNamespace: 'pid:[1]' }],
    ['with a pid that is none', { pid: -1 }],
  ])('%s', async (_, difference) => {
    expect(await standingOf({ ...(await ownProcess()), pid: pidOfEndedProcess(), ...difference })).not.toBe(
      'gone',
    );
  });

  it('where the platform said too little', async () => {
    expect(await standingOf({ host: 'somewhere', pid: pidOfEndedProcess() })).not.toBe('gone');
  });
});
