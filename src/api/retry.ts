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
  /** No delay that Trove chooses on its own is longer. */
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
  readonly failure: Pick<Failure, 'notTaken' | 'transient' | 'status' | 'otherId' | 'retryAfterMs'>;
  /** Also the one that failed. */
  readonly attempts: number;
  /** Since the first attempt began. */
  readonly elapsedMs: number;
  /** Retries that are left to all requests together. */
  readonly budget: number;
}

/**
 * The delay after which a failed attempt is repeated; undefined where it is not. PUT and GET are repeated on any
 * transient failure; a POST only where it surely was not taken or may be sent again safely. The delay is evenly
 * distributed below a bound that doubles ("full jitter"), and never shorter than Retry-After. `random` is in [0, 1).
 */
export function retryDelay(
  { method, repeatable, failure, attempts, elapsedMs, budget }: FailedAttempt,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!failure.transient || budget < 1) return undefined;
  if (method === 'POST' && !repeatable && !failure.notTaken) return undefined;
  // The service has given the record an ID of its own, so that once more may be one record more.
  if (failure.otherId !== undefined && !failure.notTaken) return undefined;
  if (attempts >= policy.maxAttempts && failure.status !== 429) return undefined;
  const bound = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempts - 1));
  const delayMs = Math.max(Math.floor(random() * bound), failure.retryAfterMs ?? 0);
  return elapsedMs + delayMs > policy.deadlineMs ? undefined : delayMs;
}
