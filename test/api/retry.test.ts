import { describe, expect, test } from 'vitest';
import { defaultRetryPolicy, type FailedAttempt, readRetryAfter, retryDelay } from '../../src/api/retry.ts';
import fc from '../rig/property.ts';

type Failed = FailedAttempt & { readonly random: () => number };

const anyAttempt: fc.Arbitrary<Failed> = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const),
  repeatable: fc.boolean(),
  failure: fc
    .record({
      notTaken: fc.boolean(),
      transient: fc.boolean(),
      status: fc.constantFrom(400, 429, 500, 503, 0),
      otherId: fc.constantFrom(undefined, 'made_1'),
      retryAfterMs: fc.option(fc.oneof(fc.nat(200_000), fc.constant(Number.MAX_SAFE_INTEGER)), {
        nil: undefined,
      }),
    })
    .map(({ otherId, retryAfterMs, ...rest }) => ({
      ...rest,
      ...(otherId !== undefined && { otherId }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })),
  attempts: fc.integer({ min: 1, max: 100 }),
  elapsedMs: fc.integer({ min: 0, max: 200_000 }),
  budget: fc.integer({ min: 0, max: 500 }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map((value) => () => value),
});

test('an attempt is repeated only if that is safe and useful, after a bounded delay', () => {
  const { firstDelayMs, longestDelayMs, maxAttempts, deadlineMs } = defaultRetryPolicy;
  const property = (failed: Failed) => {
    const { method, repeatable, failure, attempts, elapsedMs, budget, random } = failed;
    const delayMs = retryDelay(failed, defaultRetryPolicy, random);
    if (delayMs === undefined) return;
    expect(failure.notTaken || method !== 'POST' || repeatable).toBe(true);
    expect(failure.notTaken || failure.otherId === undefined).toBe(true);
    expect(failure.transient).toBe(true);
    expect(budget).toBeGreaterThanOrEqual(1);
    expect(attempts < maxAttempts || failure.status === 429).toBe(true);
    expect(elapsedMs + delayMs).toBeLessThanOrEqual(deadlineMs);
    const asked = failure.retryAfterMs ?? 0;
    const bound = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1));
    expect(Number.isInteger(delayMs)).toBe(true);
    expect(delayMs).toBeGreaterThanOrEqual(asked);
    expect(delayMs).toBeLessThanOrEqual(Math.max(bound, asked));
  };
  fc.assert(fc.property(anyAttempt, property), { numRuns: 5000 });
});

const unseen = { notTaken: false, transient: true };
test.each<[FailedAttempt['method'], boolean, FailedAttempt['failure']]>([
  ['PUT', false, unseen],
  ['GET', false, unseen],
  ['POST', true, unseen],
  ['POST', false, { notTaken: true, transient: true }],
])('a failed %s (repeatable: %s) is repeated if that is safe', (method, repeatable, failure) => {
  const failed = { method, repeatable, failure, attempts: 1, elapsedMs: 0, budget: 500 };
  expect(retryDelay(failed, defaultRetryPolicy, () => 0.5)).toBe(125);
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const soon = 'Thu, 01 Jan 2026 00:00:10 GMT';
  test.each([
    ['contains seconds', '120', undefined, 120_000],
    ['contains seconds between blanks', ' 5 ', undefined, 5000],
    ['contains a date, compared with the local clock', soon, undefined, 10_000],
    ['contains a date, compared with the clock of the service', soon, 'Thu, 01 Jan 2026 00:00:07 GMT', 3000],
    [
      'contains a date, compared with the local clock if the Date header is unreadable',
      soon,
      'today',
      10_000,
    ],
    ['means no delay if its date is past', 'Wed, 31 Dec 2025 23:59:00 GMT', undefined, 0],
    ['may be missing', undefined, undefined, undefined],
    ['is ignored if it is empty', '', undefined, undefined],
    ['is ignored if it is negative', '-5', undefined, undefined],
    ['is ignored if it is a fraction', '1.5', undefined, undefined],
    ['is ignored if it is a word', 'soon', undefined, undefined],
    ['is ignored if its date does not exist', 'Thu, 99 Jan 2026 00:00:10 GMT', undefined, undefined],
  ])('%s', (_, value, date, expected) => {
    expect(readRetryAfter(value, date, now)).toBe(expected);
  });
});
