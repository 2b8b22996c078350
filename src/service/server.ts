import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { createAuthenticator } from './authenticator.ts';
import { checkWorld } from './check-world.ts';
import { timestamp } from './choices.ts';
import { errorResponse } from './error-response.ts';
import { badRequest } from './refusal.ts';
import { StartError } from './start-error.ts';
import { applyWorld } from './store/apply-world.ts';
import { closeDatabase, openDatabase } from './store/open-database.ts';
import { openStore } from './store/store.ts';
import type { World } from './world.ts';

/**
 * Starts the embedded service (the whole interface, DESIGN section 8) and resolves once it listens. Throws
 * StartError where the world is not valid, the database can't be opened for this process alone, or the port
 * is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { database, world, host = '127.0.0.1', port = 0, ids = randomUUID, clock = Date.now } = options;
  checkWorld(world);
  const db = openDatabase(database);
  try {
    const making = { makeId: ids, now: () => timestamp(clock()) };
    await applyWorld(db, world, making);
    const store = openStore(db);
    const authenticate = createAuthenticator(store.users);
    const onError = options.onError ?? (() => {});
    const app = createApp({ authenticate, context: { store, ...making }, onError });
    const server = createHttpServer((request) => app.fetch(request));
    const stop = stopper(server);
    const address = await listen(server, host, port);
    const close = once(async () => {
      await stop();
      closeDatabase(db);
    });
    return { url: urlOf(address), port: address.port, close };
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function createHttpServer(fetch: (request: Request) => Response | Promise<Response>): Server {
  const listener = getRequestListener(fetch, {
    // The process that embeds the service keeps its own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => errorResponse(badRequest('The request can not be read.')),
  });
  return createServer({ requestTimeout: 30_000 }, listener);
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new StartError(`Can not listen on ${host}:${port}: ${error.message}`)),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/api`;
}

/**
 * Gives a function that stops accepting, waits for the answers under way and then ends the connections that
 * clients keep open.
 */
function stopper(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  const endIdle = (): void => {
    if (stopping && underWay.size === 0) server.closeAllConnections();
  };
  server.prependListener('request', (_, response) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      endIdle();
    });
  });
  return () =>
    new Promise((resolve) => {
      stopping = true;
      server.close(() => resolve());
      endIdle();
    });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

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
  /** Hears of failures of the service itself, which the caller only sees as status 500. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningService {
  /** The base address, which ends in /api: `http://127.0.0.1:PORT/api`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, finishes what is under way, closes the database. May be called again. */
  close(): Promise<void>;
}
