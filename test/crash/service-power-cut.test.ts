import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../src/service/faults.ts';
import { temporaryFolder } from '../state/results.ts';
import { Answered, type Told } from './answered.ts';
import { DiskImage, lostUnlessSynced, torn } from './disk-image.ts';
import { readTrace, traceTo } from './disk-trace.ts';
import { startServe } from './serve-child.ts';
import { canTrace, injecting } from './strace.ts';

/** Writes for a while, with a clean end and a second start, and returns what was sent to the disk meanwhile. */
async function tracedRun(answered: Answered) {
  const folder = await temporaryFolder();
  const traces: string[] = [];
  for (const run of ['first', 'second']) {
    const trace = join(folder, `${run}.trace`);
    traces.push(trace);
    const child = await startServe(folder, traceTo(trace));
    const lane = async (number: number): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        const name = `${run} run, lane ${number}, turn ${turn}`;
        expect(await answered.write(String(child.url), name)).toBe(true);
      }
    };
    await Promise.all([0, 1, 2].map(lane));
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
  }
  return (await Promise.all(traces.map(readTrace))).flat();
}

describe.skipIf(!canTrace)('`trove serve` (needs a working strace)', () => {
  it('keeps everything that it confirmed after a power cut at any moment', async () => {
    const answered = new Answered();
    const events = await tracedRun(answered);
    const folder = await temporaryFolder();
    const lucks = { lostUnlessSynced, torn: torn(mulberry32(1)) };
    const disk = new DiskImage();
    const promised = new Map<string, Told>();
    for (const [moment, event] of events.entries()) {
      disk.apply(event);
      if (event.kind === 'answer') promised.set(event.name, event.told);
      // Before its first response, the service has promised nothing.
      if (promised.size === 0) continue;
      for (const [name, luck] of Object.entries(lucks)) {
        const found = join(folder, `${name} ${moment}`);
        await disk.layOut(found, luck);
        expect(answered.contradictions(found, promised), `${name}, moment ${moment}`).toEqual([]);
      }
    }
    expect(promised).toEqual(answered.items);
  });

  it('keeps everything that it confirmed after a kill at any fsync', async () => {
    let finished = false;
    let count = 0;
    while (!finished) {
      count++;
      const folder = await temporaryFolder();
      const answered = new Answered();
      const child = await startServe(folder, injecting(`fsync:signal=KILL:when=${count}`));
      for (let turn = 0; turn < 3 && child.url !== undefined; turn++) {
        if (!(await answered.write(child.url, `turn ${turn}`))) break;
      }
      child.kill('SIGTERM');
      finished = (await child.ended).code === 0;
      const next = await startServe(folder);
      expect(await answered.write(String(next.url), 'afterwards'), `after fsync ${count}`).toBe(true);
      next.kill('SIGKILL');
      await next.ended;
      expect(answered.contradictions(folder), `killed at fsync ${count}`).toEqual([]);
    }
    // Those of the start, of six confirmed writes and of the clean end.
    expect(count).toBeGreaterThan(12);
  });
});
