import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideRetry, defaultRetryPolicy, type FailedAttempt, spendBudget } from '../../src/api/retry.ts';

const failedAttempt: fc.Arbitrary<FailedAttempt> = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const),
  repeatable: fc.boolean(),
  failure: fc.record({
    notTaken: fc.boolean(),
    transient: fc.boolean(),
    status: fc.constantFrom(400, 429, 500, 503, 0),
  }),
  attempt: fc.integer({ min: 1, max: 100 }),
  elapsedMs: fc.integer({ min: 0, max: 200_000 }),
  retryAfterMs: fc.option(fc.oneof(fc.nat(200_000), fc.constant(Number.MAX_SAFE_INTEGER)), {
    nil: undefined,
  }),
  budget: fc.integer({ min: 0, max: 500 }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map((value) => () => value),
});

const holds = (property: (failed: FailedAttempt) => void) => {
  fc.assert(fc.property(failedAttempt, property), { numRuns: 2000 });
};

describe('for every failed attempt', () => {
  test('a POST that is neither repeatable nor surely not taken is never repeated', () => {
    holds((failed) => {
      const safe = failed.method !== 'POST' || failed.repeatable || failed.failure.notTaken;
      if (!safe) expect(decideRetry(failed)).toEqual({ retry: false });
    });
  });

  test('nothing lasting is repeated, nothing without a budget, nothing past the deadline', () => {
    holds((failed) => {
      const decision = decideRetry(failed);
      if (!decision.retry) return;
      expect(failed.failure.transient).toBe(true);
      expect(failed.budget).toBeGreaterThanOrEqual(1);
      expect(failed.elapsedMs + decision.delayMs).toBeLessThanOrEqual(defaultRetryPolicy.deadlineMs);
    });
  });

  test('delays are whole, bounded, and never shorter than Retry-After', () => {
    holds((failed) => {
      const decision = decideRetry(failed);
      if (!decision.retry) return;
      const { firstDelayMs, longestDelayMs } = defaultRetryPolicy;
      const bound = Math.min(longestDelayMs, firstDelayMs * 2 ** (failed.attempt - 1));
      const asked = failed.retryAfterMs ?? 0;
      expect(Number.isInteger(decision.delayMs)).toBe(true);
      expect(decision.delayMs).toBeGreaterThanOrEqual(asked);
      expect(decision.delayMs).toBeLessThanOrEqual(Math.max(bound, asked));
    });
  });

  test('the number of attempts is bounded, but for 429', () => {
    holds((failed) => {
      if (failed.attempt < defaultRetryPolicy.maxAttempts || failed.failure.status === 429) return;
      expect(decideRetry(failed)).toEqual({ retry: false });
    });
  });
});

test('what may be repeated is', () => {
  const usual = { attempt: 1, elapsedMs: 0, budget: 500, random: () => 0.5 };
  const unseen = { notTaken: false, transient: true };
  const refused = { notTaken: true, transient: true };
  const again = { retry: true, delayMs: 125 };
  expect(decideRetry({ ...usual, method: 'PUT', repeatable: false, failure: unseen })).toEqual(again);
  expect(decideRetry({ ...usual, method: 'GET', repeatable: false, failure: unseen })).toEqual(again);
  expect(decideRetry({ ...usual, method: 'POST', repeatable: true, failure: unseen })).toEqual(again);
  expect(decideRetry({ ...usual, method: 'POST', repeatable: false, failure: refused })).toEqual(again);
});

test('successes earn back what retries cost, up to the whole budget', () => {
  const policy = { ...defaultRetryPolicy, budget: 2 };
  expect(spendBudget(2, 'retry', policy)).toBe(1);
  expect(spendBudget(1, 'success', policy)).toBe(2);
  expect(spendBudget(2, 'success', policy)).toBe(2);
});
