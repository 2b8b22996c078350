import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../state/results.ts';
import { Answered } from './answered.ts';
import { type ServeChild, startServe } from './serve-child.ts';

const KILLS = 200;
const LANES = 8;

/** Writes from several lanes at once and kills the service once it confirmed `count` pairs of writes. */
async function killAfter(count: number, { kill, url }: ServeChild, answered: Answered, round: number) {
  if (url === undefined) throw new Error('the service did not start');
  let left = count;
  const lane = async (number: number): Promise<void> => {
    for (let turn = 0; await answered.write(url, `round ${round}, lane ${number}, turn ${turn}`); turn++) {
      if (--left <= 0) kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
}

describe('`trove serve`', () => {
  it(`keeps everything that it confirmed, through ${KILLS} kills of one database`, async () => {
    const folder = await temporaryFolder();
    const answered = new Answered();
    for (let round = 0; round < KILLS; round++) {
      // The next process recovers what the killed one left behind.
      const child = await startServe(folder);
      await killAfter(Math.ceil(Math.random() * 20), child, answered, round);
      await child.ended;
    }
    expect(answered.items.size).toBeGreaterThan(KILLS * LANES);
    expect(answered.contradictions(folder)).toEqual([]);
  }, 600_000);
});
