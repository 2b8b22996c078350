import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Operation, routes } from '../contract/routes.ts';
import type { Dialect } from './dialect.ts';
import type { FaultSettings } from './faults/fault-settings.ts';
import { chooseFaults, type FaultChooser, inject } from './faults/faults.ts';
import { errorResponse, Refusal } from './refusal.ts';
import { StartError } from './world.ts';

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

export type HttpLimits = typeof defaultLimits;

/** Everything around the application: sockets with their limits, faults, and an end in good order. */
export async function serveHttp(
  answer: Answer,
  { host, port, sleep = wait, stopMs = 10_000, ...options }: HttpOptions,
): Promise<{ address: AddressInfo; stop: () => Promise<void> }> {
  const faults = chooseFaults(options.faults ?? { rules: [] });
  const ending = new AbortController();
  const answerRequest = amidFaults(answer, faults, (milliseconds) => sleep(milliseconds, ending.signal));
  const underWay = new Set<Promise<unknown>>();
  const handle: Handle = (request, outgoing) => {
    const handling = answerRequest(request, outgoing).finally(() => underWay.delete(handling));
    underWay.add(handling);
    return handling;
  };
  const server = createHttpServer(handle, { ...defaultLimits, ...options.limits }, options.errorBody);
  server.prependListener('connection', (socket) => {
    if (faults.forConnection()) socket.resetAndDestroy();
  });
  const stopServer = stopper(server);
  const address = await listen(server, host, port);
  const stop = async (): Promise<void> => {
    const patience = new AbortController();
    const lost = sleep(stopMs, patience.signal).then(
      () => ending.abort(),
      () => {},
    );
    await stopServer(ending.signal);
    // A client that went away does not end what it asked for, and that needs the database.
    await Promise.allSettled(underWay);
    patience.abort();
    await lost;
  };
  return { address, stop };
}

/**
 * Lets requests meet their faults. Those come before credentials are looked at, as those of a proxy would. The page
 * for people meets none: it is where to see what the faults did.
 */
function amidFaults(
  answer: Answer,
  faults: FaultChooser,
  sleep: (milliseconds: number) => Promise<void>,
): Handle {
  return async (request, outgoing) => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const arrival = { method, operation: operationOf(method, path) };
    const chosen = path.startsWith('/api/') ? faults.forRequest(arrival) : [];
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

/**
 * An HTTP server that does not listen yet. What is no HTTP is answered 400, too long headers 431 and a client
 * that is too slow 408, each without a body and without detail, and its connection is closed.
 */
function createHttpServer(handle: Handle, limits: HttpLimits, errorBody: Dialect['errorBody']): Server {
  const listener = getRequestListener(
    (request, { outgoing }) => handle(request, outgoing as ServerResponse),
    {
      // The process that embeds the service keeps its own Request and Response.
      overrideGlobalObjects: false,
      errorHandler: () => errorResponse(new Refusal('bad_request', "The request can't be read."), errorBody),
    },
  );
  return createServer(limits, listener);
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
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  const endIdle = (): void => {
    if (stopping && underWay.size === 0) server.closeAllConnections();
  };
  server.prependListener('request', (_, response) => {
    underWay.add(response);
    // Else a busy client could put request after request on its connection, and the end would never come.
    if (stopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      underWay.delete(response);
      endIdle();
    });
  });
  return (signal) =>
    new Promise((resolve) => {
      stopping = true;
      for (const response of underWay) response.shouldKeepAlive = false;
      signal.addEventListener('abort', () => server.closeAllConnections());
      server.close(() => resolve());
      endIdle();
    });
}

interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly errorBody: Dialect['errorBody'];
  readonly faults?: FaultSettings;
  readonly limits?: Partial<HttpLimits>;
  readonly stopMs?: number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The application: it answers whatever happens. */
type Answer = (request: Request) => Response | Promise<Response>;

/** Answers one request; what is already sent when the promise settles is not sent again. */
type Handle = (request: Request, outgoing: ServerResponse) => Promise<Response>;
