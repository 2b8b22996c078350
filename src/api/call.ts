import { type Operation, routes } from '../contract/routes.ts';
import type { Answers } from './answer.ts';
import type { Failure, ServiceError } from './error.ts';
import type { ServiceRequest } from './item-service.ts';
import type { Outcome } from './outcome.ts';
import { type Answered, readReply } from './read-reply.ts';
import type { Redact } from './redact.ts';
import { decideRetry, type RetryPolicy, spendBudget } from './retry.ts';
import type { Load, Throttle } from './throttle.ts';
import type { Transport } from './transport.ts';

/** A failed attempt that will be repeated. */
export interface RetryEvent {
  readonly operation: Operation;
  readonly path: string;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly failure: Failure;
}

export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Without a slash at its end; empty for the root. */
  readonly path: string;
}

export interface CallParts {
  readonly base: BaseUrl;
  /** What every request carries; Content-Type is added where there is a body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly throttle: Throttle;
  readonly redact: Redact;
  readonly policy: RetryPolicy;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly onRetry: (event: RetryEvent) => void;
}

/** What the attempts of one call have led to so far. */
interface Progress {
  readonly attempt: number;
  readonly elapsedMs: number;
  /** One of the attempts may have been acted on. */
  readonly maybeTaken: boolean;
}

const interrupted: Failure = { reason: 'interrupted', notTaken: true, transient: false };

/** Gives the function that makes one call: attempts, until an answer or `decideRetry` ends them. */
export function createCall(parts: CallParts) {
  let budget = parts.policy.budget;

  return async function call<O extends Operation>(request: ServiceRequest<O>): Promise<Outcome<Answers[O]>> {
    const started = parts.now();
    let progress: Progress = { attempt: 0, elapsedMs: 0, maybeTaken: false };
    for (;;) {
      const result = await attempt(parts, request);
      const elapsedMs = parts.now() - started;
      if (result === null) return failed(parts, request, interrupted, { ...progress, elapsedMs });
      if ('body' in result) {
        budget = spendBudget(budget, 'success', parts.policy);
        return { kind: 'answered', status: result.status, body: result.body };
      }
      progress = advance(progress, request, result, elapsedMs);
      const delayMs = delayBefore(parts, request, result, progress, budget);
      if (delayMs === null) return failed(parts, request, result, progress);
      budget = spendBudget(budget, 'retry', parts.policy);
      parts.onRetry(retryEvent(request, result, progress.attempt, delayMs));
      if (!(await waited(parts, delayMs, request.signal))) return failed(parts, request, result, progress);
    }
  };
}

/** One attempt when its turn comes; null when it was interrupted before that. */
function attempt<O extends Operation>(
  parts: CallParts,
  request: ServiceRequest<O>,
): Promise<Answered<O> | Failure | null> {
  const { base, headers, transport, throttle, redact, now } = parts;
  const { operation, body, signal } = request;
  const { method } = routes[operation];
  const send = () =>
    transport.send({
      method,
      path: `${base.path}${request.path}`,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      fresh: method === 'POST' && !request.repeatable,
      signal,
    });
  return throttle.run(async () => {
    const value = readReply(operation, await send(), redact, now());
    return { value, ...loadOf(value, parts.policy) };
  }, signal);
}

function loadOf(
  result: Answered<Operation> | Failure,
  policy: RetryPolicy,
): { load: Load; pauseMs?: number } {
  if ('body' in result) return { load: 'fine' };
  if (result.status !== 429 && result.status !== 503) return { load: 'unclear' };
  const { retryAfterMs = 0 } = result;
  // Longer than any call would wait: each gives up by itself, and nobody has to sit out the pause.
  return { load: 'overloaded', pauseMs: retryAfterMs > policy.deadlineMs ? 0 : retryAfterMs };
}

function advance(before: Progress, request: ServiceRequest<Operation>, failure: Failure, elapsedMs: number) {
  // A lasting 4xx to a PUT or GET speaks for all attempts: the same request would have met the same answer.
  const { method } = routes[request.operation];
  const settles = method !== 'POST' && failure.reason === 'status' && failure.notTaken && !failure.transient;
  const maybeTaken = !settles && (before.maybeTaken || !failure.notTaken);
  return { attempt: before.attempt + 1, elapsedMs, maybeTaken };
}

/** Null: it is not repeated. */
function delayBefore(
  parts: CallParts,
  request: ServiceRequest<Operation>,
  failure: Failure,
  progress: Progress,
  budget: number,
): number | null {
  const { method } = routes[request.operation];
  const { retryAfterMs } = failure;
  const { attempt, elapsedMs } = progress;
  const { repeatable } = request;
  const decision = decideRetry(
    { method, repeatable, failure, attempt, elapsedMs, retryAfterMs, budget, random: parts.random },
    parts.policy,
  );
  return decision.retry && !request.signal?.aborted ? decision.delayMs : null;
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

function failed(
  parts: CallParts,
  request: ServiceRequest<Operation>,
  failure: Failure,
  { attempt, elapsedMs, maybeTaken }: Progress,
): Outcome<never> {
  const { operation, path } = request;
  const kind = maybeTaken ? 'unseen' : 'refused';
  const baseUrl = `${parts.base.origin}${parts.base.path}`;
  const error: ServiceError = {
    ...failure,
    operation,
    method: routes[operation].method,
    path,
    baseUrl,
    outcome: kind,
    attempts: attempt,
    elapsedMs,
  };
  return { kind, error };
}

function retryEvent(
  { operation, path }: ServiceRequest<Operation>,
  failure: Failure,
  attempt: number,
  delayMs: number,
): RetryEvent {
  return { operation, path, attempt, delayMs, failure };
}
