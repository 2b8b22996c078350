import { type Operation, routes } from '../contract/routes.ts';
import type { ServiceRequest } from './item-service.ts';
import type { Failure } from './outcome.ts';
import { type Answered, readReply } from './read-reply.ts';
import type { Redact } from './redact.ts';
import type { RetryPolicy } from './retry.ts';
import type { Load, Throttle } from './throttle.ts';
import type { Transport } from './transport.ts';

interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Without a slash at its end; empty for the root. */
  readonly path: string;
}

export interface AttemptParts {
  readonly base: BaseUrl;
  /** What every request carries; Content-Type is added where there is a body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly throttle: Throttle;
  readonly redact: Redact;
  /** Texts that an answer may repeat whatever the password is: the team's id, say. */
  readonly known: readonly string[];
  readonly policy: RetryPolicy;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What came of one attempt, and when its turn came, by the clock of `now`. */
interface Attempted<O extends Operation> {
  readonly begun: number;
  readonly result: Answered<O> | Failure;
}

/** What is true of the world may be another thing after it. */
const LONG_WAIT_MS = 1000;

/**
 * One attempt, sent when its turn comes; null when it was interrupted before that, or after a wait may not go on. A POST that can't be
 * repeated gets a connection of its own. JSON with Content-Type, or no body (interface, opening paragraph).
 */
export function attempt<O extends Operation>(
  parts: AttemptParts,
  request: ServiceRequest<O>,
  isRepeated: boolean,
): Promise<Attempted<O> | null> {
  const { base, headers, transport, throttle, redact, now } = parts;
  const { operation, body, signal, mayGoOn } = request;
  const asked = now();
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
  return throttle.run<Attempted<O> | null>(async () => {
    const hasWaited = isRepeated || now() - asked > LONG_WAIT_MS;
    if (hasWaited && mayGoOn && !(await mayGoOn())) return { value: null, load: 'unclear' };
    const begun = now();
    const reply = await send();
    const known = [parts.known, body, request.path.split('/').map(decodeURIComponent)];
    const result = readReply(reply, { operation, path: request.path, body, known, redact, now: now() });
    return { value: { begun, result }, ...loadOf(result, parts.policy) };
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
