import { setTimeout } from 'node:timers/promises';
import { pathOf } from '../contract/routes.ts';
import type { WireClassifier, WireItem, WireSpaceLink } from '../contract/wire.ts';
import type { RecordedRequest } from '../state/model.ts';
import { createCall } from './call.ts';
import type { CallOptions, Outcome, ServiceError, ServiceRequest } from './outcome.ts';
import { authorizationOf, type Credentials, createRedact, type Redact } from './redact.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import { Throttle } from './throttle.ts';
import { createTransport, defaultTimeouts, type Timeouts } from './transport.ts';

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
  /** Requests under way at once at most; the rate below that adapts by itself. Default 16. */
  readonly parallel?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly retry?: Partial<RetryPolicy>;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Must reject when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Told of each failed attempt that will be repeated. */
  readonly onRetry?: (error: ServiceError, delayMs: number) => void;
  /** Where the proxy variables are read; undefined: no proxy. */
  readonly proxyFromEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Opens no connection yet. Throws for a base URL that is no http(s) URL. */
export function createClient(options: ClientOptions): ItemService {
  const { credentials, known = [], parallel = 16, now = Date.now, random = Math.random } = options;
  const { onRetry = () => {}, proxyFromEnvironment } = options;
  const sleep = options.sleep ?? ((ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}));
  const base = readBaseUrl(options.baseUrl);
  const transport = createTransport({
    origin: base.origin,
    connections: parallel,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    proxyFromEnvironment,
  });
  const redact = createRedact(credentials);
  const headers = {
    authorization: authorizationOf(credentials),
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': options.userAgent,
  };
  const throttle = new Throttle({ maximum: parallel, now, sleep });
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const parts = { base, headers, transport, throttle, redact, known, policy, now, random, sleep, onRetry };
  const call = createCall(parts);
  // `readAnswer` has checked that an answer is of the operation.
  const send = <Body>(request: ServiceRequest) =>
    call(request).catch((error) => {
      throw withoutSecrets(error, redact);
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
    close: () => transport.close(),
  };
}

/** A mistake of ours is reported with its message and its stack, which may repeat anything. */
function withoutSecrets(error: unknown, redact: Redact): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const clean = new Error(redact(message));
  if (stack !== undefined) clean.stack = redact(stack);
  return clean;
}

function readBaseUrl(baseUrl: string): { origin: string; path: string } {
  const { protocol, origin, pathname } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`not an http(s) URL: ${protocol}`);
  return { origin, path: pathname.replace(/\/+$/, '') };
}
