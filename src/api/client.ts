import { setTimeout } from 'node:timers/promises';
import { pathOf } from '../contract/routes.ts';
import type { RecordedRequest } from '../state/model.ts';
import { createCall, type RetryEvent } from './call.ts';
import type { CallOptions, ItemService } from './item-service.ts';
import { authorizationOf, type Credentials, createRedact, type Redact } from './redact.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import { createThrottle } from './throttle.ts';
import { createTransport, defaultTimeouts, type Timeouts } from './transport.ts';

export interface ClientOptions {
  /** Absolute http(s) URL whose last path segment is api; a slash at its end makes no difference. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Texts that an answer may repeat whatever the password is: the team's id, say. */
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
  readonly onRetry?: (event: RetryEvent) => void;
  /** Where the proxy variables are read; undefined: no proxy. */
  readonly proxyFromEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Opens no connection yet. Throws for a base URL that is no http(s) URL. */
export function createClient(options: ClientOptions): ItemService {
  const { credentials, parallel = 16, now = Date.now, random = Math.random } = options;
  const sleep = options.sleep ?? ((ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}));
  const base = readBaseUrl(options.baseUrl);
  const transport = createTransport({
    origin: base.origin,
    connections: parallel,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    proxyFromEnvironment: options.proxyFromEnvironment,
  });
  const redact = createRedact(credentials);
  const call = createCall({
    base,
    headers: {
      authorization: authorizationOf(credentials),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': options.userAgent,
    },
    transport,
    throttle: createThrottle({ maximum: parallel, now, sleep }),
    redact,
    known: options.known ?? [],
    policy: { ...defaultRetryPolicy, ...options.retry },
    now,
    random,
    sleep,
    onRetry: options.onRetry ?? (() => {}),
  });
  const send: ItemService['send'] = (request) =>
    call(request).catch((error) => {
      throw withoutSecrets(error, redact);
    });
  return { ...operationsOn(send), close: () => transport.close() };
}

/** A mistake of ours is reported with its message and its stack, which may repeat anything. */
function withoutSecrets(error: unknown, redact: Redact): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const clean = new Error(redact(message));
  if (stack !== undefined) clean.stack = redact(stack);
  return clean;
}

function operationsOn(send: ItemService['send']): Omit<ItemService, 'close'> {
  const update = (id: string, operation: 'updateItem' | 'updateClassifier', options: CallOptions = {}) => ({
    path: pathOf(operation, id),
    repeatable: true,
    ...options,
  });
  return {
    send,
    createItem: (body, options) =>
      send({ operation: 'createItem', path: pathOf('createItem'), body, ...options }),
    updateItem: (id, body, options) =>
      send({ operation: 'updateItem', body, ...update(id, 'updateItem', options) }),
    createClassifier: (body, options) =>
      send({ operation: 'createClassifier', path: pathOf('createClassifier'), body, ...options }),
    updateClassifier: (id, body, options) =>
      send({ operation: 'updateClassifier', body, ...update(id, 'updateClassifier', options) }),
    listUserSpaces: (userId, options) =>
      send({
        operation: 'listUserSpaces',
        path: pathOf('listUserSpaces', userId),
        repeatable: true,
        ...options,
      }),
    write: (request, kind, options) => send({ ...requestOf(request, kind), ...options }),
  };
}

function requestOf({ method, path, body }: RecordedRequest, kind: 'item' | 'classifier') {
  const create = kind === 'item' ? 'createItem' : 'createClassifier';
  const update = kind === 'item' ? 'updateItem' : 'updateClassifier';
  const operation = method === 'POST' ? create : update;
  return { operation, path, body } as const;
}

function readBaseUrl(baseUrl: string): { origin: string; path: string } {
  const { protocol, origin, pathname } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`not an http(s) URL: ${protocol}`);
  return { origin, path: pathname.replace(/\/+$/, '') };
}
