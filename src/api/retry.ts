import type { Failure } from './outcome.ts';

/**
 * Reads a Retry-After header, seconds or an HTTP date, as milliseconds from now (0 when that is past);
 * undefined where there is none or it can't be read. A date is compared with the service's own clock (its
 * Date header) where that is known, so that two clocks that differ do not matter. `now` is in epoch ms.
 */
export function readRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = readHttpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readHttpDate(date?.trim() ?? '') ?? now));
}

/** The preferred format of RFC 9110 only: Date.parse alone would take `-5` for a year. */
function readHttpDate(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Bounds of all repeating, in milliseconds where they are times. */
export interface RetryPolicy {
  /** Upper bound of the first delay; it doubles with every attempt. */
  readonly firstDelayMs: number;
  /** No delay that Trove chooses by itself is longer. */
  readonly longestDelayMs: number;
  /** Attempts in all, the first included. 429 does not count: the service is well and says "later". */
  readonly maxAttempts: number;
  /** Nothing is repeated when the next attempt would begin later than this after the first one. */
  readonly deadlineMs: number;
  /** Retries that all requests together may use up beyond those that successes earn back. */
  readonly budget: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  firstDelayMs: 250,
  longestDelayMs: 15_000,
  maxAttempts: 6,
  deadlineMs: 120_000,
  budget: 500,
};

export interface FailedAttempt {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The same POST sent twice makes one record. PUT and GET need not say so. */
  readonly repeatable: boolean;
  readonly failure: Pick<Failure, 'notTaken' | 'transient' | 'status'>;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Since the first attempt began. */
  readonly elapsedMs: number;
  /** How long the service asked to wait, if it did. */
  readonly retryAfterMs?: number | undefined;
  /** What is left of the retry budget. */
  readonly budget: number;
  /** Evenly distributed in [0, 1). */
  readonly random: () => number;
}

type RetryDecision = { readonly retry: true; readonly delayMs: number } | { readonly retry: false };

/**
 * Whether a failed attempt is repeated and after which delay. PUT and GET are repeated on
 * any transient failure; a POST only where it surely was not taken or may be sent again safely. The delay is
 * evenly distributed below a bound that doubles ("full jitter"), and never shorter than Retry-After.
 */
export function decideRetry(failed: FailedAttempt, policy: RetryPolicy = defaultRetryPolicy): RetryDecision {
  const { method, repeatable, failure, attempt, budget } = failed;
  if (!failure.transient || budget < 1) return { retry: false };
  if (method === 'POST' && !repeatable && !failure.notTaken) return { retry: false };
  if (attempt >= policy.maxAttempts && failure.status !== 429) return { retry: false };
  const delayMs = Math.max(jitter(attempt, failed.random, policy), failed.retryAfterMs ?? 0);
  if (failed.elapsedMs + delayMs > policy.deadlineMs) return { retry: false };
  return { retry: true, delayMs };
}

/** What is left of a budget after a retry took one from it or a success gave one back. */
export function spendBudget(budget: number, event: 'retry' | 'success', policy: RetryPolicy): number {
  return event === 'retry' ? budget - 1 : Math.min(policy.budget, budget + 1);
}

function jitter(attempt: number, random: () => number, policy: RetryPolicy): number {
  const bound = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
  return Math.floor(random() * bound);
}
