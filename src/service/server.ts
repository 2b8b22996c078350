import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { createAuthenticator } from './credentials.ts';
import { type Dialect, defaultDialect } from './dialect.ts';
import { checkFaults, type FaultSettings } from './faults/fault-settings.ts';
import { mulberry32 } from './faults/faults.ts';
import { type HttpLimits, serveHttp } from './serve-http.ts';
import { closeDatabase, openDatabase } from './store/database.ts';
import { type LedgerEntry, openStore } from './store/store.ts';
import { applyWorld, checkWorld, type World } from './world.ts';

/**
 * Starts the embedded service (the whole interface) and resolves once it listens. Throws
 * StartError where the world or the faults are not valid, the database can't be opened for this process alone,
 * or the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { database, world, host = '127.0.0.1', port = 0, ids = randomUUID, clock = Date.now } = options;
  checkWorld(world);
  if (options.faults) checkFaults(options.faults);
  const db = openDatabase(database);
  try {
    const making = { makeId: ids, now: () => new Date(clock()).toISOString() };
    await applyWorld(db, world, making);
    const store = openStore(db);
    const authenticate = createAuthenticator(store.findUser);
    const onError = options.onError ?? (() => {});
    const dialect = { ...defaultDialect, ...options.dialect };
    const context = { store, dialect, ...making };
    const app = createApp({ authenticate, context, onError, random: mulberry32(options.seed ?? 0) });
    const answer = (request: Request) => app.fetch(request);
    const { address, stop } = await serveHttp(answer, {
      ...options,
      ...{ host, port, errorBody: dialect.errorBody },
    });
    const close = once(async () => {
      await stop();
      closeDatabase(db);
    });
    return { url: urlOf(address), port: address.port, ledger: () => store.ledger.entries(), close };
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/api`;
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
  /** How the service behaves where the interface is silent; for the rest see `defaultDialect`. */
  readonly dialect?: Partial<Dialect>;
  /** Whole number that the order of answers is drawn from where the dialect shuffles it. Default 0. */
  readonly seed?: number;
  /** What goes wrong on purpose; nothing by default. */
  readonly faults?: FaultSettings;
  /** What differs from the default limits. */
  readonly limits?: Partial<HttpLimits>;
  /** How long `close` waits for answers under way, in milliseconds; default 10 000. What is left is cut. */
  readonly stopMs?: number;
  /** Waits so many milliseconds (0: not at all), for latencies and `stopMs`; rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Hears of failures of the service itself, which the caller only sees as status 500. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningService {
  /** The base address, which ends in /api: `http://127.0.0.1:PORT/api`. */
  readonly url: string;
  readonly port: number;
  /** What is stored, and who wrote it how often. For tests: not part of the interface. */
  ledger(): readonly LedgerEntry[];
  /** Stops accepting, finishes what is under way, closes the database. May be called again. */
  close(): Promise<void>;
}
