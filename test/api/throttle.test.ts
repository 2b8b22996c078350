import { describe, expect, test } from 'vitest';
import { type Load, type Measured, Throttle } from '../../src/api/throttle.ts';
import fc from '../rig/property.ts';

/** Tasks that end on command, on a clock that moves only during a sleep. */
function createRig(maximum: number) {
  const clock = { now: 0 };
  const begun: string[] = [];
  const ends = new Map<string, (measured: Measured<string>) => void>();
  const sleeps: { ms: number; wake: () => void }[] = [];
  const throttle = new Throttle({
    maximum,
    now: () => clock.now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sleeps.push({
          ms,
          wake: () => {
            clock.now += ms;
            resolve();
          },
        });
      }),
  });
  const run = (name: string, signal?: AbortSignal) =>
    throttle.run(() => {
      begun.push(name);
      return new Promise<Measured<string>>((resolve) => ends.set(name, resolve));
    }, signal);
  const end = async (name: string, load: Measured<string>['load'], pauseMs = 0) => {
    ends.get(name)?.({ value: name, load, pauseMs });
    await settled();
  };
  return { throttle, begun, end, run, sleeps };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the limit', () => {
  /** Runs as many tasks as there may be at once, and then ends them with these loads. */
  async function after(maximum: number, ...windows: readonly (readonly Load[])[]): Promise<number> {
    const { throttle, begun, end, run } = createRig(maximum);
    for (const loads of windows) {
      const names = loads.map((_, index) => `${begun.length + index}`);
      for (const name of names) void run(name);
      await settled();
      for (const [index, load] of loads.entries()) await end(names[index] ?? '', load);
    }
    return throttle.limit;
  }
  const all = (count: number, load: Load) => Array<Load>(count).fill(load);

  test.each<[string, number, Load[][]]>([
    ['rises by one after a window of successes', 9, [all(8, 'fine')]],
    ['does not rise before the window is full', 8, [all(7, 'fine')]],
    ['halves once for many refusals at once', 4, [all(8, 'overloaded')]],
    ['halves again for a task that began under the new limit', 2, [['overloaded'], ['overloaded']]],
    ['does not rise for tasks that began under the old limit', 4, [['overloaded', ...all(7, 'fine')]]],
    ['stays the same for results that reveal nothing about the load', 8, [all(8, 'unclear')]],
  ])('%s', async (_, limit, windows) => {
    expect(await after(32, ...windows)).toBe(limit);
  });

  test('stays between 1 and the maximum', async () => {
    const loads = fc.array(fc.constantFrom<Load>('fine', 'overloaded', 'unclear'), { maxLength: 300 });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 64 }), loads, async (maximum, given) => {
      const throttle = new Throttle({ maximum, now: () => 0, sleep: async () => {} });
      for (const load of given) {
        await throttle.run(async () => ({ value: 1, load }));
        expect(throttle.limit).toBeGreaterThanOrEqual(1);
        expect(throttle.limit).toBeLessThanOrEqual(maximum);
      }
    });
    await fc.assert(property);
  });
});

describe('the queue', () => {
  test('starts tasks in order, as many as the limit allows', async () => {
    const { begun, end, run } = createRig(8);
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => run(name));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    await end('b', 'unclear');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a', 'fine');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    // The second success of a window of two: one ended, and one more may run.
    await end('c', 'fine');
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    for (const name of ['d', 'e', 'f']) await end(name, 'fine');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('starts nothing during a pause', async () => {
    const { begun, end, run, sleeps } = createRig(1);
    void run('a');
    void run('b');
    await settled();
    await end('a', 'overloaded', 5000);
    expect(begun).toEqual(['a']);
    expect(sleeps.map(({ ms }) => ms)).toEqual([5000]);
    sleeps[0]?.wake();
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  test('waits for the longest pause', async () => {
    const { end, run, sleeps } = createRig(8);
    void run('a');
    void run('b');
    await settled();
    await end('a', 'overloaded', 500);
    await end('b', 'overloaded', 100);
    void run('c');
    await settled();
    expect(sleeps.map(({ ms }) => ms)).toEqual([500]);
  });

  test('skips a task that is interrupted while it waits', async () => {
    const { begun, end, run } = createRig(1);
    const controller = new AbortController();
    void run('a');
    const b = run('b', controller.signal);
    void run('c');
    controller.abort();
    expect(await b).toBeNull();
    await end('a', 'fine');
    expect(begun).toEqual(['a', 'c']);
    expect(await run('d', AbortSignal.abort())).toBeNull();
  });

  test('frees the place of a task that throws', async () => {
    const throttle = new Throttle({ maximum: 1, now: () => 0, sleep: async () => {} });
    await expect(throttle.run(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
    expect(await throttle.run(async () => ({ value: 1, load: 'fine' }))).toBe(1);
  });

  test('stops sleeping if its last task leaves during a pause', async () => {
    const { end, run, sleeps } = createRig(1);
    const controller = new AbortController();
    void run('a');
    const b = run('b', controller.signal);
    await settled();
    await end('a', 'overloaded', 5000);
    controller.abort();
    expect(await b).toBeNull();
    await settled();
    // A second task starts a new sleep: the first one is over.
    void run('c');
    await settled();
    expect(sleeps).toHaveLength(2);
  });
});
