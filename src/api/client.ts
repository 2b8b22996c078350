import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { pathOf, routes, type WireClassifier, type WireItem, type WireSpaceLink } from '../contract/api.ts';
import { authorizationOf, type Credentials, createRedact, type Redact } from '../contract/redact.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Attempt, CallOptions, Failure, Outcome, ServiceError, ServiceRequest } from './outcome.ts';
import { type Answered, readReply } from './read-reply.ts';
import { defaultRetryPolicy, type RetryPolicy, retryDelay } from './retry.ts';
import { type Measured, Throttle } from './throttle.ts';
import { createTransport, defaultTimeouts, proxyCredentials, type Timeouts } from './transport.ts';

/**
 * The five operations (interface, section 4). No method rejects for what a service, a network or a catalog can cause:
 * every call gives an `Outcome`. A PUT or GET is repeated on transient failures; a POST only where it surely was not
 * taken, or is repeatable.
 */
export interface ItemService {
  /** 4.1 to 4.4: sends a planned request, whose path and body are final; the answer is of the given kind. */
  write(
    request: RecordedRequest,
    kind: 'item' | 'classifier',
    options: CallOptions & Pick<ServiceRequest, 'repeatable'>,
  ): Promise<Outcome<WireItem | WireClassifier>>;
  /** 4.5 */
  listUserSpaces(userId: string, options?: CallOptions): Promise<Outcome<readonly WireSpaceLink[]>>;
  /** Ends all connections at once; for when no call is under way (its outcome would be unseen). */
  close(): Promise<void>;
}

export interface ClientOptions {
  /** Absolute http(s) URL whose last path segment is api; a slash at its end makes no difference. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Texts that an answer may repeat whatever the password is: the team's ID, say. */
  readonly known?: readonly string[];
  /** Sent as it is: `trove/1.2.3`. */
  readonly userAgent: string;
  /** Requests under way at once at most; the rate below that adapts. Default 16. */
  readonly parallel?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly retry?: Partial<RetryPolicy>;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Must reject when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Told of each attempt once it has ended. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Where the proxy variables are read; undefined: no proxy. */
  readonly proxyFromEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Opens no connection yet. Throws for a base URL that is no http(s) URL. */
export function createClient(options: ClientOptions): ItemService {
  const parts = partsOf(options);
  const call = createCall(parts);
  // `readAnswer` has checked that an answer is of the operation.
  const send = <Body>(request: ServiceRequest) =>
    call(request).catch((error) => {
      throw withoutSecrets(error, parts.redact);
    }) as Promise<Outcome<Body>>;
  return {
    write: ({ method, path, body }, kind, rest) => {
      const action = method === 'POST' ? 'create' : 'update';
      const operation = kind === 'item' ? (`${action}Item` as const) : (`${action}Classifier` as const);
      return send({ operation, path, body, ...rest });
    },
    listUserSpaces(userId, rest) {
      const path = pathOf('listUserSpaces', userId);
      return send({ operation: 'listUserSpaces', path, body: undefined, repeatable: true, ...rest });
    },
    close: () => parts.transport.close(),
  };
}

type Parts = ReturnType<typeof partsOf>;

/** What all calls of a client share. */
function partsOf(options: ClientOptions) {
  const { baseUrl, credentials, known = [], parallel = 16, now = Date.now, random = Math.random } = options;
  const { onAttempt = () => {}, proxyFromEnvironment } = options;
  const sleep = options.sleep ?? ((ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}));
  const { protocol, origin, pathname } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`not an http(s) URL: ${protocol}`);
  /** Without a slash at its end; empty for the root. */
  const basePath = pathname.replace(/\/+$/, '');
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  return {
    ...{ known, now, random, sleep, onAttempt, basePath },
    baseUrl: `${origin}${basePath}`,
    policy: { ...defaultRetryPolicy, ...options.retry },
    redact: createRedact(credentials, ...proxyCredentials(origin, proxyFromEnvironment)),
    throttle: new Throttle({ maximum: parallel, now, sleep }),
    transport: createTransport({ origin, connections: parallel, timeouts, proxyFromEnvironment }),
    /** What every request carries; Content-Type is added where there is a body. */
    headers: {
      authorization: authorizationOf(credentials),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': options.userAgent,
    },
  };
}

/** A mistake of ours is reported with its message and its stack, which may repeat anything. */
function withoutSecrets(error: unknown, redact: Redact): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const clean = new Error(redact(message));
  if (stack !== undefined) clean.stack = redact(stack);
  return clean;
}

/** Gives the function that makes one call: attempts, until an answer or `retryDelay` ends them. */
function createCall(parts: Parts) {
  const { baseUrl, policy, random, now, onAttempt, sleep, throttle } = parts;
  let budget = policy.budget;

  return async function call(request: ServiceRequest): Promise<Outcome<object>> {
    const { operation, path, repeatable, signal } = request;
    const about = { operation, method: routes[operation].method, path, baseUrl };
    // One signal serves all calls of a run; Node would take that many listeners for a leak and warn.
    if (signal) setMaxListeners(0, signal);
    let started: number | undefined;
    let began = 0;
    let error: ServiceError = { ...interrupted, ...about, outcome: 'refused', attempts: 0, elapsedMs: 0 };
    // Stopped: the last failure is reported if an attempt may have been taken, else the interruption.
    const stopped = (): Outcome<object> => {
      const { outcome: kind, attempts, elapsedMs } = error;
      if (kind === 'unseen') return { kind, error };
      return { kind, error: { ...interrupted, ...about, outcome: kind, attempts, elapsedMs } };
    };
    for (;;) {
      const since = error.attempts > 0 ? -Infinity : (request.since ?? now());
      const attempted = await throttle.run<Answered | Failure>(async () => {
        // Waiting for the first turn is not part of it: a long queue must not use up anybody's deadline.
        began = now();
        started ??= began;
        const value = await attempt(parts, request, since);
        return { value, ...loadOf(value, policy) };
      }, signal);
      const result = attempted ?? interrupted;
      const { reason, code, status } = { reason: undefined, code: undefined, ...result };
      const ended = { ...about, number: error.attempts + 1, status, reason, code, tookMs: now() - began };
      if ('body' in result) {
        onAttempt(ended);
        budget = Math.min(policy.budget, budget + 1);
        return { kind: 'answered', ...result };
      }
      if (result.reason === 'interrupted') return stopped();
      error = afterFailure(error, result, now() - (started ?? now()));
      const delayMs = retryDelay({ ...error, failure: error, repeatable, budget }, policy, random);
      onAttempt({ ...ended, againInMs: delayMs });
      if (delayMs === undefined) return { kind: error.outcome, error };
      if (signal?.aborted) return stopped();
      budget -= 1;
      // If it is aborted while it waits, the next attempt does not start.
      await sleep(delayMs, signal).catch((cause) => {
        if (!signal?.aborted) throw cause;
      });
    }
  };
}

const interrupted: Failure = { reason: 'interrupted', notTaken: true, transient: false };

/** What the attempts of one call have led to, after one more that failed. */
function afterFailure(before: ServiceError, failure: Failure, elapsedMs: number): ServiceError {
  const { operation, method, path, baseUrl } = before;
  // A refused write speaks for its own attempt only: one before it may have been taken. A read takes nothing.
  const settles = method === 'GET' && failure.reason === 'status' && failure.notTaken && !failure.transient;
  const maybeTaken = !settles && (before.outcome === 'unseen' || !failure.notTaken);
  // What an attempt before named may be the record that it made.
  const ids = new Set([...(before.answeredIds ?? []), ...(failure.answeredIds ?? [])]);
  const location = failure.location ?? before.location;
  return {
    ...{ ...failure, operation, method, path, baseUrl, elapsedMs },
    ...(ids.size > 0 && { answeredIds: [...ids] }),
    ...(location !== undefined && { location }),
    outcome: maybeTaken ? 'unseen' : 'refused',
    attempts: before.attempts + 1,
  };
}

/** After a wait this long, for a turn or a connection, `mayGoOn` is asked again: the lock may be lost. */
const LONG_WAIT_MS = 1000;

/**
 * One attempt, which has waited for its turn `since` then; interrupted if it may not go on. A POST that can't be
 * repeated gets a connection of its own. JSON with Content-Type, or no body (interface, opening paragraph).
 */
async function attempt(parts: Parts, request: ServiceRequest, since: number): Promise<Answered | Failure> {
  const { basePath, headers, transport, redact, known, now } = parts;
  const { operation, path, body, repeatable, signal, mayGoOn } = request;
  const { method } = routes[operation];
  let fault: { readonly error: unknown } | undefined;
  const mayStart = async () => {
    if (!mayGoOn || now() - since <= LONG_WAIT_MS) return true;
    return mayGoOn().catch((error) => {
      fault = { error };
      return false;
    });
  };
  const reply = await transport.send({
    method,
    path: `${basePath}${path}`,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    fresh: method === 'POST' && !repeatable,
    signal,
    mayStart,
  });
  if (fault) throw fault.error;
  const mayRepeat = [known, body, path.split('/').map(decodeURIComponent)];
  return readReply(reply, request, { known: mayRepeat, redact, now: now() });
}

function loadOf(result: Answered | Failure, policy: RetryPolicy): Omit<Measured<unknown>, 'value'> {
  if ('body' in result) return { load: 'fine' };
  if (result.status !== 429 && result.status !== 503) return { load: 'unclear' };
  const { retryAfterMs = 0 } = result;
  // Longer than any call would wait: each gives up on its own, so no call waits out the pause.
  return { load: 'overloaded', pauseMs: retryAfterMs > policy.deadlineMs ? 0 : retryAfterMs };
}
