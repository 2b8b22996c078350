import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Operation, routes } from '../contract/api.ts';
import { createApp } from './app.ts';
import { createAuthenticator } from './credentials.ts';
import { type Dialect, defaultDialect } from './dialect.ts';
import { checkFaults, chooseFaults, type FaultSettings, inject, mulberry32 } from './faults.ts';
import { errorResponse, Refusal } from './refusal.ts';
import { closeDatabase, openDatabase } from './store/database.ts';
import { type LedgerEntry, openStore } from './store/store.ts';
import { applyWorld, checkWorld, StartError, type World } from './world.ts';

export interface ServiceOptions {
  /** A file, whose folder exists, or `:memory:`. */
  readonly database: string;
  readonly world: World;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Gives new unique ids of at most 191 characters; by default random UUIDs. */
  readonly ids?: () => string;
  /** Gives milliseconds since 1970. */
  readonly clock?: () => number;
  /** How the service behaves where the interface is silent; for the rest see `defaultDialect`. */
  readonly dialect?: Partial<Dialect>;
  /** Whole number that the order of answers is drawn from where the dialect shuffles it. Default 0. */
  readonly seed?: number;
  /** What goes wrong on purpose; nothing by default. */
  readonly faults?: FaultSettings;
  /** What differs from the default limits. */
  readonly limits?: Partial<typeof defaultLimits>;
  /** How long `close` waits for answers under way, in milliseconds; default 10 000. What is left is cut. */
  readonly stopMs?: number;
  /** Waits so many milliseconds (0: not at all), for latencies and `stopMs`; rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Hears of failures of the service itself, which the caller only sees as status 500. */
  readonly onError?: (error: unknown) => void;
}

/** How long a client may take, in milliseconds, and how many bytes it may say before its body. */
const defaultLimits = {
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  headersTimeout: 10_000,
  /** To the end of the body; at least `headersTimeout`. */
  requestTimeout: 30_000,
  /** For the next request on a connection that is kept open. */
  keepAliveTimeout: 5_000,
  /** How often connections are looked at for that. */
  connectionsCheckingInterval: 1_000,
  /** Of the request line and the headers. */
  maxHeaderSize: 16 * 1024,
};

export interface RunningService {
  /** The base address, which ends in /api: `http://127.0.0.1:PORT/api`. */
  readonly url: string;
  readonly port: number;
  /** What is stored, and who wrote it how often. For tests: not part of the interface. */
  ledger(): readonly LedgerEntry[];
  /** Stops accepting, finishes what is under way, closes the database. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts the embedded service (the whole interface) and resolves once it listens. Throws
 * StartError where the world or the faults are not valid, the database can't be opened for this process alone,
 * or the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { world, faults, ids = randomUUID, clock = Date.now, onError = () => {}, seed = 0 } = options;
  checkWorld(world);
  if (faults) checkFaults(faults);
  const db = openDatabase(options.database);
  try {
    const making = { makeId: ids, now: () => new Date(clock()).toISOString() };
    await applyWorld(db, world, making);
    const store = openStore(db);
    const authenticate = createAuthenticator(store.findUser);
    const dialect = { ...defaultDialect, ...options.dialect };
    const context = { store, dialect, ...making };
    const app = createApp({ authenticate, context, onError, random: mulberry32(seed) });
    const { address, stop } = await serveHttp((request) => app.fetch(request), dialect.errorBody, options);
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= stop().then(() => closeDatabase(db));
      return closing;
    };
    return { url: urlOf(address), port: address.port, ledger: () => store.ledger.entries(), close };
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/api`;
}

/** The application: it answers whatever happens. */
type Answer = (request: Request) => Response | Promise<Response>;

/** Everything around the application: sockets with their limits, faults, and an end in good order. */
async function serveHttp(answer: Answer, errorBody: Dialect['errorBody'], options: ServiceOptions) {
  const { host = '127.0.0.1', port = 0, limits, sleep = wait, stopMs = 10_000 } = options;
  const faults = chooseFaults(options.faults ?? { rules: [] });
  const ending = new AbortController();
  const handle = amidFaults(answer, faults, (milliseconds) => sleep(milliseconds, ending.signal));
  const underWay = new Set<Promise<unknown>>();
  const listener = getRequestListener(
    (request, { outgoing }) => {
      const handling = handle(request, outgoing as ServerResponse).finally(() => underWay.delete(handling));
      underWay.add(handling);
      return handling;
    },
    {
      // The process that embeds the service keeps its own Request and Response.
      overrideGlobalObjects: false,
      errorHandler: () => errorResponse(new Refusal('bad_request', "The request can't be read."), errorBody),
    },
  );
  // What is no HTTP is answered 400, too long headers 431 and a client that is too slow 408, each without a body and
  // without detail, and its connection is closed.
  const server = createServer({ ...defaultLimits, ...limits }, listener);
  server.prependListener('connection', (socket) => {
    if (faults.forConnection()) socket.resetAndDestroy();
  });
  const stopServer = stopper(server);
  const address = await listen(server, host, port);
  const stop = async (): Promise<void> => {
    const patience = new AbortController();
    sleep(stopMs, patience.signal).then(
      () => ending.abort(),
      () => {},
    );
    await stopServer(ending.signal);
    // A client that went away does not end what it asked for, and that needs the database.
    await Promise.allSettled(underWay);
    patience.abort();
  };
  return { address, stop };
}

/**
 * Lets requests meet their faults. Those come before credentials are looked at, as those of a proxy would. The page
 * for people meets none: it is where to see what the faults did.
 */
function amidFaults(
  answer: Answer,
  faults: ReturnType<typeof chooseFaults>,
  sleep: (milliseconds: number) => Promise<void>,
) {
  return async (request: Request, outgoing: ServerResponse): Promise<Response> => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const chosen = path.startsWith('/api/') ? faults.forRequest(method, operationOf(method, path)) : [];
    const response = await inject(chosen, () => answer(request), { outgoing, sleep });
    return response ?? RESPONSE_ALREADY_SENT;
  };
}

/** The operation (section 4) with this method at this path, which begins with /api; undefined where there is none. */
function operationOf(method: string, path: string): Operation | undefined {
  return patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.operation;
}

const patterns = (Object.keys(routes) as Operation[]).map((operation) => ({
  operation,
  method: routes[operation].method,
  path: new RegExp(`^/api${routes[operation].path.replace('{id}', '[^/]+')}$`),
}));

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleepFor(milliseconds, undefined, { signal });
}

/** Resolves once the server listens; throws StartError where it can't. */
function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new StartError(`Can't listen on ${host}:${port}: ${error.message}`, { cause: error })),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

/**
 * Gives a function that stops accepting, waits for the answers under way and then ends the connections that
 * clients keep open. `signal` ends those under way as well.
 */
function stopper(server: Server): (signal: AbortSignal) => Promise<void> {
  const unanswered = new Set<ServerResponse>();
  const endIdle = (): void => {
    if (!server.listening && unanswered.size === 0) server.closeAllConnections();
  };
  server.prependListener('request', (_, response) => {
    unanswered.add(response);
    // Else a busy client could put request after request on its connection, and the end would never come.
    if (!server.listening) response.shouldKeepAlive = false;
    response.once('close', () => {
      unanswered.delete(response);
      endIdle();
    });
  });
  return (signal) =>
    new Promise((resolve) => {
      for (const response of unanswered) response.shouldKeepAlive = false;
      signal.addEventListener('abort', () => server.closeAllConnections());
      server.close(() => resolve());
      endIdle();
    });
}
