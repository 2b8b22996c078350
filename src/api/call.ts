import { setMaxListeners } from 'node:events';
import { type Operation, routes } from '../contract/routes.ts';
import type { Answers } from './answer.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import type { ServiceRequest } from './item-service.ts';
import type { Failure, Outcome, ServiceError } from './outcome.ts';
import { decideRetry, spendBudget } from './retry.ts';

/** A failed attempt that will be repeated. */
export interface RetryEvent {
  readonly operation: Operation;
  readonly path: string;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly failure: Failure;
}

/** `AttemptParts` and what repeating needs. */
interface CallParts extends AttemptParts {
  readonly random: () => number;
  /** Must reject when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly onRetry: (event: RetryEvent) => void;
}

/** What the attempts of one call have led to so far. */
interface Progress {
  readonly attempt: number;
  readonly elapsedMs: number;
  /** One of the attempts may have been acted on. */
  readonly maybeTaken: boolean;
  readonly last?: Failure;
}

const interrupted: Failure = { reason: 'interrupted', notTaken: true, transient: false };

/** Gives the function that makes one call: attempts, until an answer or `decideRetry` ends them. */
export function createCall(parts: CallParts) {
  let budget = parts.policy.budget;

  return async function call<O extends Operation>(request: ServiceRequest<O>): Promise<Outcome<Answers[O]>> {
    // One signal serves all calls of a run; Node would take that many listeners for a leak and warn.
    if (request.signal) setMaxListeners(0, request.signal);
    let started: number | undefined;
    let progress: Progress = { attempt: 0, elapsedMs: 0, maybeTaken: false };
    // Nothing more is sent: what an attempt before may have done is told, else that nothing was done.
    const stopped = () =>
      failed(parts, request, (progress.maybeTaken && progress.last) || interrupted, progress);
    for (;;) {
      const attempted = await attempt(parts, request, progress.attempt > 0);
      if (attempted === null) return stopped();
      const { begun } = attempted;
      // Waiting for the first turn is not part of it: a long queue must not use up anybody's deadline.
      started ??= begun;
      if ('body' in attempted.result) {
        const { status, body } = attempted.result;
        budget = spendBudget(budget, 'success', parts.policy);
        return { kind: 'answered', status, body };
      }
      const result = withTraces(progress.last, attempted.result);
      if (result.reason === 'interrupted') return stopped();
      progress = advance(progress, request, result, parts.now() - started);
      const delayMs = delayBefore(parts, request, result, progress, budget);
      if (delayMs === null) return failed(parts, request, result, progress);
      if (request.signal?.aborted) return stopped();
      budget = spendBudget(budget, 'retry', parts.policy);
      parts.onRetry(retryEvent(request, result, progress.attempt, delayMs));
      if (!(await waited(parts, delayMs, request.signal))) return stopped();
    }
  };
}

/** What an attempt before named may be the record that it made: it is told with the last failure. */
function withTraces(before: Failure | undefined, failure: Failure): Failure {
  const ids = new Set([...(before?.answeredIds ?? []), ...(failure.answeredIds ?? [])]);
  const location = failure.location ?? before?.location;
  return {
    ...failure,
    ...(ids.size > 0 && { answeredIds: [...ids] }),
    ...(location !== undefined && { location }),
  };
}

function advance(
  before: Progress,
  request: ServiceRequest<Operation>,
  failure: Failure,
  elapsedMs: number,
): Progress {
  // A lasting 4xx to a PUT or GET speaks for all attempts: the same request would have met the same answer.
  const { method } = routes[request.operation];
  const settles = method !== 'POST' && failure.reason === 'status' && failure.notTaken && !failure.transient;
  const maybeTaken = !settles && (before.maybeTaken || !failure.notTaken);
  return { attempt: before.attempt + 1, elapsedMs, maybeTaken, last: failure };
}

/** Null: it is not repeated. */
function delayBefore(
  parts: CallParts,
  request: ServiceRequest<Operation>,
  failure: Failure,
  progress: Progress,
  budget: number,
): number | null {
  // The service has given the record an ID of its own, so that once more may be one record more.
  if (failure.otherId !== undefined && !failure.notTaken) return null;
  const { method } = routes[request.operation];
  const { retryAfterMs } = failure;
  const { attempt, elapsedMs } = progress;
  const { repeatable } = request;
  const decision = decideRetry(
    { method, repeatable, failure, attempt, elapsedMs, retryAfterMs, budget, random: parts.random },
    parts.policy,
  );
  return decision.retry ? decision.delayMs : null;
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
