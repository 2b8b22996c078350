import type { Failure } from './error.ts';

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

export type RetryDecision = { readonly retry: true; readonly delayMs: number } | { readonly retry: false };

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
