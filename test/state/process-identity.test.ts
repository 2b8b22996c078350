import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownProcess, standingOf } from '../../src/state/lock-owner.ts';

// Only on such a platform can a process be certainly gone.
const identifiable = existsSync('/proc/self/ns/pid') && existsSync('/proc/sys/kernel/random/boot_id');
const ended = () => ({ pid: spawnSync('true').pid });
const otherClock = { startTicks: '1', timeNamespace: 'time:[1]' };

describe.skipIf(!identifiable)('the standing of a process (needs /proc)', () => {
  it.each([
    ['that has ended', 'gone', ended],
    ['whose PID belongs to one that started at another time', 'gone', () => ({ startTicks: '1' })],
    ['that seems to have ended by the clock of another time namespace', 'unknown', () => otherClock],
    ['that has ended in another time namespace', 'gone', () => ({ ...otherClock, ...ended() })],
    ['that runs', 'alive', () => ({})],
    ['on another boot or machine', 'unknown', () => ({ ...ended(), bootId: 'another' })],
    ['in another container', 'unknown', () => ({ ...ended(), pidNamespace: 'pid:[1]' })],
    ['with an invalid PID', 'unknown', () => ({ pid: -1 })],
  ])('%s is %s', async (_, standing, difference) => {
    expect(await standingOf({ ...(await ownProcess()), ...difference() })).toBe(standing);
  });

  it('that is stopped is not gone', async () => {
    const child = spawn('sleep', ['60']);
    child.kill('SIGSTOP');
    const { startTicks, ...identity } = await ownProcess();
    expect(startTicks).toBeDefined();
    expect(await standingOf({ ...identity, pid: child.pid ?? 0 })).not.toBe('gone');
    child.kill('SIGKILL');
  });
});

it('the standing of a process is unknown if the platform reveals too little', async () => {
  expect(await standingOf({ host: 'somewhere', ...ended() })).toBe('unknown');
});
