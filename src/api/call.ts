import { setMaxListeners } from 'node:events';
import { routes } from '../contract/routes.ts';
import type { Failure, Outcome, ServiceError, ServiceRequest } from './outcome.ts';
import { type Answered, readReply } from './read-reply.ts';
import type { Redact } from './redact.ts';
import { type RetryPolicy, retryDelay } from './retry.ts';
import type { Measured, Throttle } from './throttle.ts';
import type { Transport } from './transport.ts';

interface CallParts {
  readonly base: {
    /** Scheme, host and port. */
    readonly origin: string;
    /** Without a slash at its end; empty for the root. */
    readonly path: string;
  };
  /** What every request carries; Content-Type is added where there is a body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly throttle: Throttle;
  readonly redact: Redact;
  /** Texts that an answer may repeat whatever the password is: the team's ID, say. */
  readonly known: readonly string[];
  readonly policy: RetryPolicy;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  /** Must reject when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told of each failed attempt that will be repeated. */
  readonly onRetry: (error: ServiceError, delayMs: number) => void;
}

const interrupted: Failure = { reason: 'interrupted', notTaken: true, transient: false };

/** Gives the function that makes one call: attempts, until an answer or `retryDelay` ends them. */
export function createCall(parts: CallParts) {
  const { policy, random, now, onRetry } = parts;
  let budget = policy.budget;

  return async function call(request: ServiceRequest): Promise<Outcome<object>> {
    const { operation, repeatable, signal } = request;
    const { method } = routes[operation];
    // One signal serves all calls of a run; Node would take that many listeners for a leak and warn.
    if (signal) setMaxListeners(0, signal);
    let started: number | undefined;
    let progress: Progress = { attempts: 0, elapsedMs: 0, maybeTaken: false, last: interrupted };
    // Stops: the last failure is reported if an attempt may have been taken, else the interruption.
    const stopped = () =>
      failed(parts, request, progress.maybeTaken ? progress : { ...progress, last: interrupted });
    for (;;) {
      const attempted = await attempt(parts, request, progress.attempts > 0);
      if (attempted === null) return stopped();
      const { begun, result } = attempted;
      // Waiting for the first turn is not part of it: a long queue must not use up anybody's deadline.
      started ??= begun;
      if ('body' in result) {
        budget = Math.min(policy.budget, budget + 1);
        return { kind: 'answered', ...result };
      }
      if (result.reason === 'interrupted') return stopped();
      progress = advanced(progress, method, result, now() - started);
      const { attempts, elapsedMs } = progress;
      const tried = { method, repeatable, failure: result, attempts, elapsedMs, budget };
      const delayMs = retryDelay(tried, policy, random);
      const outcome = failed(parts, request, progress);
      if (delayMs === undefined) return outcome;
      if (signal?.aborted) return stopped();
      budget -= 1;
      onRetry(outcome.error, delayMs);
      if (!(await waited(parts, delayMs, signal))) return stopped();
    }
  };
}

/** What the attempts of one call have led to so far. */
interface Progress {
  readonly attempts: number;
  readonly elapsedMs: number;
  /** One of the attempts may have been acted on. */
  readonly maybeTaken: boolean;
  readonly last: Failure;
}

type Method = ServiceError['method'];

function advanced(before: Progress, method: Method, failure: Failure, elapsedMs: number): Progress {
  // A lasting 4xx to a PUT or GET speaks for all attempts: the same request would have met the same answer.
  const settles = method !== 'POST' && failure.reason === 'status' && failure.notTaken && !failure.transient;
  const maybeTaken = !settles && (before.maybeTaken || !failure.notTaken);
  return {
    attempts: before.attempts + 1,
    elapsedMs,
    maybeTaken,
    last: withEarlierTraces(before.last, failure),
  };
}

function failed(
  { base }: CallParts,
  { operation, path }: ServiceRequest,
  { maybeTaken, last, attempts, elapsedMs }: Progress,
): { readonly kind: 'refused' | 'unseen'; readonly error: ServiceError } {
  const outcome = maybeTaken ? 'unseen' : 'refused';
  const { method } = routes[operation];
  const baseUrl = `${base.origin}${base.path}`;
  return {
    kind: outcome,
    error: { ...last, operation, method, path, baseUrl, outcome, attempts, elapsedMs },
  };
}

/** What an attempt before named may be the record that it made: it is told with the last failure. */
function withEarlierTraces(before: Failure, failure: Failure): Failure {
  const ids = new Set([...(before.answeredIds ?? []), ...(failure.answeredIds ?? [])]);
  const location = failure.location ?? before.location;
  return {
    ...failure,
    ...(ids.size > 0 && { answeredIds: [...ids] }),
    ...(location !== undefined && { location }),
  };
}

async function waited({ sleep }: CallParts, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

/** What came of one attempt, and when its turn came, by the clock of `now`. */
interface Attempted {
  readonly begun: number;
  readonly result: Answered | Failure;
}

/** After a wait this long, for a turn or a connection, `mayGoOn` is asked again: the lock may be lost. */
const LONG_WAIT_MS = 1000;

/**
 * One attempt, sent when its turn comes; null when it was interrupted before that. A
 * POST that can't be repeated gets a connection of its own. JSON with Content-Type, or no body (interface, opening
 * paragraph).
 */
function attempt(
  { base, headers, transport, throttle, redact, known, now, policy }: CallParts,
  request: ServiceRequest,
  isRepeated: boolean,
): Promise<Attempted | null> {
  const { operation, path, body, repeatable, signal, mayGoOn } = request;
  const asked = now();
  const { method } = routes[operation];
  return throttle.run<Attempted | null>(async () => {
    const begun = now();
    const mayStart = async () => {
      const hasWaited = isRepeated || now() - asked > LONG_WAIT_MS;
      return !hasWaited || mayGoOn === undefined || mayGoOn();
    };
    const reply = await transport.send({
      method,
      path: `${base.path}${path}`,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      fresh: method === 'POST' && !repeatable,
      signal,
      mayStart,
    });
    const mayRepeat = [known, body, path.split('/').map(decodeURIComponent)];
    const result = readReply(reply, request, { known: mayRepeat, redact, now: now() });
    return { value: { begun, result }, ...loadOf(result, policy) };
  }, signal);
}

function loadOf(result: Answered | Failure, policy: RetryPolicy): Omit<Measured<unknown>, 'value'> {
  if ('body' in result) return { load: 'fine' };
  if (result.status !== 429 && result.status !== 503) return { load: 'unclear' };
  const { retryAfterMs = 0 } = result;
  // Longer than any call would wait: each gives up by itself, and nobody has to sit out the pause.
  return { load: 'overloaded', pauseMs: retryAfterMs > policy.deadlineMs ? 0 : retryAfterMs };
}
