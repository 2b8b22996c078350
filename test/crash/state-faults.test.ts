import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileStore } from '../../src/state/file/store.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { openSession } from '../../src/state/session.ts';
import { recorded } from '../rig/recorded.ts';
import { emptyState, owner } from '../state/events.ts';
import { temporaryFolder, unwrap } from '../state/results.ts';
import { childProgram } from './child-process.ts';
import { missingFrom } from './promised.ts';
import { canTrace, injecting } from './strace.ts';

const start = childProgram();
const MOST_CALLS = 40;
const RENAME = '?rename,?renameat,?renameat2';
const UNLINK = '?unlink,?unlinkat';
const LINK = '?link,?linkat';

/** Runs the steps of the child with one injected fault, and gives what it printed and what is then recorded. */
async function stepsWith(injection: string) {
  const folder = await temporaryFolder();
  const path = join(folder, 'state.json');
  const lines = await start(['steps', path], injecting(injection)).ended();
  const store = new FileStore({ path });
  const recorded = unwrap(await readRecorded(store));
  return { lines, store, state: recorded?.state, files: await readdir(folder) };
}

describe.skipIf(!canTrace)('a run with injected faults (needs a working strace)', () => {
  // strace counts each system call separately.
  it.each([
    ['fsync', 12],
    ['fdatasync', 6],
    [RENAME, 4],
    [UNLINK, 4],
    [LINK, 2],
  ])(
    'loses nothing and can continue after a kill at any %s',
    async (call, atLeast) => {
      let lines: readonly string[] = [];
      let count = 0;
      while (!lines.includes('done') && count < MOST_CALLS) {
        count++;
        const run = await stepsWith(`${call}:signal=KILL:when=${count}`);
        lines = run.lines;
        expect(missingFrom(run.state, lines), `killed at call ${count}`).toEqual([]);
        const next = unwrap(await openSession(run.store, await owner(), { initial: emptyState() }));
        expect(next.kind, `after it was killed at call ${count}`).toBe('open');
        if (next.kind === 'open') await next.session.close();
      }
      expect(lines).toContain('done');
      expect(count).toBeGreaterThan(atLeast);
    },
    120_000,
  );

  it.each(['EIO', 'ENOSPC'])(
    'reports a journal that fails with %s, and keeps its promises',
    async (code) => {
      for (const call of [1, 2, 3]) {
        const { lines, state } = await stepsWith(`fdatasync:error=${code}:when=${call}`);
        expect(lines.slice(call - 1, 3)).toEqual(Array.from({ length: 4 - call }, () => `failed ${code}`));
        expect(missingFrom(state, lines)).toEqual([]);
        // The response that could not be made durable in the journal is still saved with the state.
        expect(recorded(state).live['item.a1']?.id).toBe('id-of-item.a1');
        expect(lines.slice(3)).toEqual([
          'saved',
          'create-intent item.b1',
          'answered item.b1',
          'create-intent item.b2',
          'saved',
          'done',
        ]);
      }
    },
    60_000,
  );

  it.each(['EIO', 'ENOSPC'])(
    'keeps its promises if any one fsync fails with %s',
    async (code) => {
      const troubled: number[] = [];
      for (let call = 1; call <= 14; call++) {
        const { lines, state, files } = await stepsWith(`fsync:error=${code}:when=${call}`);
        expect(missingFrom(state, lines), `fsync ${call}`).toEqual([]);
        // A leftover prepared lock would block the next step of the same run.
        expect(files.filter((file) => file.endsWith('.new'))).toEqual([]);
        if (!lines.includes('done') || lines.some((line) => /^(?:failed|not saved)/.test(line)))
          troubled.push(call);
      }
      expect(troubled.length).toBeGreaterThan(8);
    },
    120_000,
  );
});
