import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FileStore } from '../../src/state/file/store.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { temporaryFolder, unwrap } from '../state/results.ts';
import { childProgram } from './child-process.ts';
import { missingFrom } from './promised.ts';

const start = childProgram();

describe('a process that records and saves', () => {
  it('loses nothing durable, through forty kills at random times', async () => {
    const path = join(await temporaryFolder(), 'state.json');
    const promised: string[] = [];
    for (let round = 0; round < 40; round++) {
      const child = start(['append', path, String(round)]);
      // Round by round the new process recovers what the killed one left, under the lock that it left.
      await child.printed((line) => line === 'open');
      await pause(Math.random() * 120);
      child.process.kill('SIGKILL');
      promised.push(...(await child.ended()));
      const recorded = unwrap(await readRecorded(new FileStore({ path })));
      expect(missingFrom(recorded?.state, promised)).toEqual([]);
    }
    expect(promised.filter((line) => line.startsWith('answered')).length).toBeGreaterThan(40);
  });
});
