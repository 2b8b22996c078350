import type { Pool } from 'pg';
import { isLoopback } from '../../contract/api.ts';
import { createRedact, credentialsOf } from '../../contract/redact.ts';

export interface DatabaseOptions {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`; empty if the variable is not set. */
  readonly url: string;
  /** The name of the variable with the URL. */
  readonly variable: string;
  readonly schema: string;
}

/** One connection for as long as somebody uses it. */
export interface Session {
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
}

const CONNECT_MS = 10_000;
const QUERY_MS = 60_000;
const IDLE_MS = 1000;

/**
 * A database, reached by at most one connection, which is closed soon after its last use and keeps no process alive. It is
 * encrypted, and to whom the certificate names, unless it stays on this machine or the URL has `sslmode=disable`.
 */
export class Database {
  readonly #url: string;
  #pool: Promise<Pool> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws what the driver throws; a connection that failed is never used again. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#pool ??= poolOf(this.#url);
    const client = await (await this.#pool).connect();
    let isSound = false;
    try {
      const done = await work({
        query: async (text, values = []) => (await client.query(text, [...values])).rows,
      });
      isSound = true;
      return done;
    } finally {
      client.release(!isSound);
    }
  }

  /** What went wrong, without what the URL keeps secret. */
  saidBy(cause: Error): string {
    // Node tells of several addresses that all failed, and says nothing itself.
    const [first = cause] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
    const [said = ''] = createRedact(...credentialsOf(this.#url))(first.message).split('\n');
    return said;
  }
}

async function poolOf(text: string): Promise<Pool> {
  const { default: pg } = await import('pg');
  const url = new URL(text);
  const mode = url.searchParams.get('sslmode');
  const isPlain = mode === null ? url.hostname === '' || isLoopback(url.hostname) : mode === 'disable';
  // The driver has its own idea of the modes in between.
  url.searchParams.set('sslmode', isPlain ? 'disable' : 'verify-full');
  const pool = new pg.Pool({
    connectionString: url.href,
    application_name: 'trove',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    keepAlive: true,
    max: 1,
  });
  // They end the process without a listener; whoever waits, or asks next, gets the failure.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}
