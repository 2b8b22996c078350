import type { Pool } from 'pg';
import { isLoopback } from '../../contract/api.ts';
import { createRedact, credentialsOf } from '../../contract/redact.ts';

export interface DatabaseOptions {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=disable`; empty if the variable is not set. */
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
 * encrypted, and to whom the certificate names, unless it stays on this machine or the URL has
 * `sslmode=disable`; any other `sslmode` asks for it there, too. Node's
 * `NODE_EXTRA_CA_CERTS` names the certificates of further authorities.
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
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const mode = url.searchParams.get('sslmode');
  const isPlain = mode === null ? isLoopback(host) : mode === 'disable';
  const pool = new pg.Pool({
    host,
    ...(url.port !== '' && { port: Number(url.port) }),
    ...(url.username !== '' && { user: decodeURIComponent(url.username) }),
    // A function, so that no variable or file of this machine gives another one.
    password: () => decodeURIComponent(url.password),
    ...(url.pathname.length > 1 && { database: decodeURIComponent(url.pathname.slice(1)) }),
    ssl: !isPlain,
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

/** Where other drivers look for what stands before the query here. */
const ELSEWHERE = ['host', 'hostaddr', 'port', 'user', 'password', 'passfile', 'dbname', 'service'];

/**
 * Whether it names a host, and nothing in its query: what stands before that decides where the password goes, and how.
 * Other parameters have no effect.
 */
export function isDatabaseUrl(text: string): boolean {
  if (!/^postgres(?:ql)?:/.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password, pathname, searchParams } = new URL(text);
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
  } catch {
    return false;
  }
  return hostname !== '' && !ELSEWHERE.some((name) => searchParams.has(name));
}
