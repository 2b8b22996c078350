import { setMaxListeners } from 'node:events';
import { type Operation, routes } from '../contract/routes.ts';
import type { Failure, Outcome, ServiceError } from './outcome.ts';
import { type Answered, readReply } from './read-reply.ts';
import type { Redact } from './redact.ts';
import { type RetryPolicy, retryDelay } from './retry.ts';
import type { Measured, Throttle } from './throttle.ts';
import type { Transport } from './transport.ts';

export interface CallOptions {
  /**
   * Once it is aborted no attempt starts; one that is under way is waited for. A call of which nothing was sent, or
   * nothing was taken, is then `refused`, reason `interrupted`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Asked before each attempt that comes after a wait: between two attempts, or long in the queue. False: nothing more
   * is sent, as after `signal`.
   */
  readonly mayGoOn?: (() => Promise<boolean>) | undefined;
}

export interface ServiceRequest extends CallOptions {
  readonly operation: Operation;
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly body: object | undefined;
  /** The same create sent twice makes one record, so that it may be sent again when no answer was seen. */
  readonly repeatable: boolean;
}

/** A failed attempt that will be repeated. */
export interface RetryEvent {
  readonly operation: Operation;
  readonly path: string;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly failure: Failure;
}

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
  readonly onRetry: (event: RetryEvent) => void;
}

const interrupted: Failure = { reason: 'interrupted', notTaken: true, transient: false };

/** Gives the function that makes one call: attempts, until an answer or `retryDelay` ends them. */
export function createCall(parts: CallParts) {
  const { policy } = parts;
  let budget = policy.budget;

  return async function call(request: ServiceRequest): Promise<Outcome<object>> {
    // One signal serves all calls of a run; Node would take that many listeners for a leak and warn.
    if (request.signal) setMaxListeners(0, request.signal);
    const progress = new Progress(parts, request);
    for (;;) {
      const attempted = await attempt(parts, request, progress.attempts > 0);
      if (attempted === null) return progress.stopped();
      const { begun, result } = attempted;
      if ('body' in result) {
        budget = Math.min(policy.budget, budget + 1);
        return { kind: 'answered', ...result };
      }
      if (result.reason === 'interrupted') return progress.stopped();
      const delayMs = progress.delayAfter(result, begun, budget);
      if (delayMs === undefined) return progress.failed();
      if (request.signal?.aborted) return progress.stopped();
      budget -= 1;
      progress.announce(delayMs);
      if (!(await waited(parts, delayMs, request.signal))) return progress.stopped();
    }
  };
}

/** What the attempts of one call have led to so far. */
class Progress {
  readonly #parts: CallParts;
  readonly #request: ServiceRequest;
  #started: number | undefined;
  #elapsedMs = 0;
  /** One of the attempts may have been acted on. */
  #maybeTaken = false;
  #last = interrupted;
  attempts = 0;

  constructor(parts: CallParts, request: ServiceRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  delayAfter(failure: Failure, begun: number, budget: number): number | undefined {
    const { now, policy, random } = this.#parts;
    const { operation, repeatable } = this.#request;
    const { method } = routes[operation];
    // Waiting for the first turn is not part of it: a long queue must not use up anybody's deadline.
    this.#started ??= begun;
    this.#elapsedMs = now() - this.#started;
    this.attempts += 1;
    this.#last = withTraces(this.#last, failure);
    // A lasting 4xx to a PUT or GET speaks for all attempts: the same request would have met the same answer.
    const settles =
      method !== 'POST' && failure.reason === 'status' && failure.notTaken && !failure.transient;
    this.#maybeTaken = !settles && (this.#maybeTaken || !failure.notTaken);
    const [attempt, elapsedMs] = [this.attempts, this.#elapsedMs];
    return retryDelay({ method, repeatable, failure, attempt, elapsedMs, budget }, policy, random);
  }

  announce(delayMs: number): void {
    const { operation, path } = this.#request;
    const [attempt, failure] = [this.attempts, this.#last];
    this.#parts.onRetry({ operation, path, attempt, delayMs, failure });
  }

  /** Nothing more is sent: what an attempt before may have done is told, else that nothing was done. */
  stopped(): Outcome<never> {
    return this.failed(this.#maybeTaken ? this.#last : interrupted);
  }

  failed(failure = this.#last): Outcome<never> {
    const { base } = this.#parts;
    const { operation, path } = this.#request;
    const kind = this.#maybeTaken ? 'unseen' : 'refused';
    const error: ServiceError = {
      ...failure,
      operation,
      method: routes[operation].method,
      path,
      baseUrl: `${base.origin}${base.path}`,
      outcome: kind,
      attempts: this.attempts,
      elapsedMs: this.#elapsedMs,
    };
    return { kind, error };
  }
}

/** What an attempt before named may be the record that it made: it is told with the last failure. */
function withTraces(before: Failure, failure: Failure): Failure {
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

/** What is true of the world may be another thing after it. */
const LONG_WAIT_MS = 1000;

/**
 * One attempt, sent when its turn comes; null when it was interrupted before that, or after a wait may not go on. A
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
    const hasWaited = isRepeated || now() - asked > LONG_WAIT_MS;
    if (hasWaited && mayGoOn && !(await mayGoOn())) return { value: null, load: 'unclear' };
    const begun = now();
    const reply = await transport.send({
      method,
      path: `${base.path}${path}`,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      fresh: method === 'POST' && !repeatable,
      signal,
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
