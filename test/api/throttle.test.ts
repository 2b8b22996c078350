import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createThrottle,
  initialThrottle,
  type Measured,
  nextThrottle,
  type ThrottleEvent,
} from '../../src/api/throttle.ts';

const ended = (load: 'fine' | 'overloaded' | 'unclear', epoch = 0, pauseMs = 0): ThrottleEvent => {
  return { type: 'ended', load, epoch, now: 1000, pauseMs };
};

describe('the limit', () => {
  const from = { ...initialThrottle(16), running: 8, limit: 8 };
  const after = (...events: readonly ThrottleEvent[]) => events.reduce(nextThrottle, from);

  test('rises by one for a window of successes', () => {
    expect(after(...Array<ThrottleEvent>(7).fill(ended('fine'))).limit).toBe(8);
    expect(after(...Array<ThrottleEvent>(8).fill(ended('fine'))).limit).toBe(9);
  });

  test('halves once for many refusals at once', () => {
    expect(after(...Array<ThrottleEvent>(8).fill(ended('overloaded')))).toMatchObject({ limit: 4, epoch: 1 });
  });

  test('halves again for what began under the new limit', () => {
    expect(after(ended('overloaded'), ended('overloaded', 1)).limit).toBe(2);
  });

  test('does not rise by what began under the old limit', () => {
    const late = Array<ThrottleEvent>(7).fill(ended('fine'));
    expect(after(ended('overloaded'), ...late)).toMatchObject({ limit: 4, successes: 0 });
  });

  test('the longest pause counts', () => {
    expect(after(ended('overloaded', 0, 500), ended('overloaded', 0, 100)).pausedUntil).toBe(1500);
  });

  test('stays between 1 and the maximum', () => {
    const load = fc.constantFrom('fine' as const, 'overloaded' as const, 'unclear' as const);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.array(load, { maxLength: 300 }), (maximum, loads) => {
        let state = initialThrottle(maximum);
        for (const each of loads) {
          state = nextThrottle(state, { type: 'begun' });
          state = nextThrottle(state, ended(each, state.epoch));
          expect(state.limit).toBeGreaterThanOrEqual(1);
          expect(state.limit).toBeLessThanOrEqual(maximum);
          expect(state.running).toBe(0);
        }
      }),
    );
  });
});

/** Tasks that end when told to, on a clock that only moves while somebody sleeps. */
function createRig(maximum: number) {
  const clock = { now: 0 };
  const begun: string[] = [];
  const ends = new Map<string, (measured: Measured<string>) => void>();
  const sleeps: { ms: number; wake: () => void }[] = [];
  const throttle = createThrottle({
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
  return { begun, end, run, sleeps };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue', () => {
  test('first come, first served, as many as the limit allows', async () => {
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

  test('nothing begins during a pause', async () => {
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

  test('who is interrupted while waiting never begins, and the next one moves up', async () => {
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

  test('a task that throws gives its place back', async () => {
    const throttle = createThrottle({ maximum: 1, now: () => 0, sleep: async () => {} });
    await expect(throttle.run(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
    expect(await throttle.run(async () => ({ value: 1, load: 'fine' }))).toBe(1);
  });

  test('when the last one leaves during a pause, nobody sleeps on', async () => {
    const { end, run, sleeps } = createRig(1);
    const controller = new AbortController();
    void run('a');
    const b = run('b', controller.signal);
    await settled();
    await end('a', 'overloaded', 5000);
    controller.abort();
    expect(await b).toBeNull();
    await settled();
    // A second pause is slept anew: the first sleep is over.
    void run('c');
    await settled();
    expect(sleeps).toHaveLength(2);
  });
});
