import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Dialect } from './dialect.ts';

import { badRequest, errorResponse } from './refusal.ts';
import { StartError } from './start-error.ts';

/** How long a client may take, and how much it may say before its body. Times are in milliseconds. */
export interface HttpLimits {
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  readonly headersMs: number;
  /** To the end of the body; at least `headersMs`. */
  readonly requestMs: number;
  /** For the next request on a connection that is kept open. */
  readonly keepAliveMs: number;
  /** How often connections are looked at for that. */
  readonly checkMs: number;
  /** Bytes of the request line and the headers. */
  readonly headerBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  checkMs: 1_000,
  headerBytes: 16 * 1024,
};

/**
 * An HTTP server that does not listen yet. What is no HTTP is answered 400, too long headers 431 and a client
 * that is too slow 408, each without a body and without detail, and its connection is closed.
 */
export function createHttpServer(
  handle: Handle,
  limits: HttpLimits,
  errorBody: Dialect['errorBody'],
): Server {
  const listener = getRequestListener(
    (request, { outgoing }) => handle(request, outgoing as ServerResponse),
    {
      // The process that embeds the service keeps its own Request and Response.
      overrideGlobalObjects: false,
      errorHandler: () => errorResponse(badRequest("The request can't be read."), errorBody),
    },
  );
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
  };
  return createServer(options, listener);
}

/** Resolves once the server listens; throws StartError where it can't. */
export function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
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
export function stopper(server: Server): (signal: AbortSignal) => Promise<void> {
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

/** Answers one request; what is already sent when the promise settles is not sent again. */
export type Handle = (request: Request, outgoing: ServerResponse) => Promise<Response>;
