import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../state/results.ts';
import { type Child, childProgram } from './child-process.ts';

const start = childProgram();
const isOutcome = (line: string) => /^(?:acquired|held|failed)/.test(line);

/** Starts processes that all try to take the lock at once; each keeps what it got until all have tried. */
async function race(path: string, count: number): Promise<readonly string[]> {
  const children = Array.from({ length: count }, () => start(['lock', path]));
  await Promise.all(children.map((child) => child.printed((line) => line === 'ready')));
  for (const child of children) child.process.stdin.write('go\n');
  const outcomes = await Promise.all(children.map((child) => child.printed(isOutcome)));
  for (const child of children) child.process.stdin.end();
  await Promise.all(children.map((child) => child.ended()));
  return outcomes.toSorted();
}

/** Leaves the lock of a process that was killed while it had it. */
async function leaveStaleLock(path: string): Promise<void> {
  const child: Child = start(['lock', path]);
  child.process.stdin.write('go\n');
  expect(await child.printed(isOutcome)).toMatch('acquired');
  child.process.kill('SIGKILL');
  await child.ended();
}

describe.each([
  { processes: 2, rounds: 30 },
  { processes: 8, rounds: 10 },
])('$processes processes that race for a lock', ({ processes, rounds }) => {
  const losers = Array.from({ length: processes - 1 }, () => 'held');

  it('leave it to exactly one, in every round', async () => {
    const path = join(await temporaryFolder(), 'state.json');
    for (let round = 0; round < rounds; round++) {
      expect(await race(path, processes)).toEqual(['acquired', ...losers]);
    }
  });

  it('leave it to exactly one after its holder was killed', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'state.json');
    for (let round = 0; round < rounds; round++) {
      await leaveStaleLock(path);
      expect(await race(path, processes)).toEqual(['acquired taken over', ...losers]);
      expect(await readdir(folder)).toEqual([]);
    }
  });
});
