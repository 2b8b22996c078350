import { randomUUID } from 'node:crypto';
import type { DatabaseError } from 'pg';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { Contents } from '../shared/contents.ts';
import type { Change, Engine, Replacement, Shared, Snapshot, Trouble } from '../shared/engine.ts';
import { Database, type DatabaseOptions, isDatabaseUrl, type Session } from './database.ts';

/** A conflict of two transactions: serialization, deadlock. */
const CONFLICT = /^(?:40001|40P01)$/;
/** The server ended the connection, or can take none: what was asked may have been done. */
const BROKEN = /^(?:08|57|53)/;

/** Of the tables that this Trove makes, and the newest that it can read. */
const SCHEMA_FORMAT = 1;

interface Row {
  readonly version: string;
  readonly path: string | null;
  readonly id: string;
  /** Null for one that was read before. */
  readonly content: string | null;
}

/**
 * A folder in a PostgreSQL database: a row for its version, which each change replaces in the transaction that changes
 * the rows of its files. Nothing depends on the session, so that it works behind a pooler of transactions.
 */
export class PostgresFolder implements Engine {
  readonly #options: DatabaseOptions;
  readonly #database: Database;
  /** Of the folder, among those of the schema. */
  readonly #name: string;
  readonly #schema: string;
  readonly #subject: string;
  readonly #shared: Shared = { known: undefined, last: Promise.resolve() };
  readonly #contents = new Contents();
  /** The schema has the tables, of a format that this Trove knows. */
  #isThere = false;

  /** `subject`: the state, as problems name it. */
  constructor(options: DatabaseOptions & { readonly name: string }, subject: string) {
    this.#options = options;
    this.#database = new Database(options.url);
    this.#name = options.name;
    this.#schema = quoted(options.schema);
    this.#subject = subject;
  }

  get busy(): Diagnostic {
    return this.#problem('busy');
  }

  async shared(): Promise<Result<Shared>> {
    return success(this.#shared);
  }

  async contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>> {
    return this.#contents.of(ids, this);
  }

  async read(known: Snapshot | undefined): Promise<Result<Snapshot | undefined>> {
    const found = await this.#with(async ({ query }) =>
      this.#isThere
        ? query<Row>(
            `SELECT s.version, f.path, f.id, CASE WHEN f.id = ANY($2) THEN NULL ELSE f.content END AS content
           FROM ${this.#schema}.states s
           LEFT JOIN ${this.#schema}.files f ON f.state = s.name AND s.version IS DISTINCT FROM $3
          WHERE s.name = $1`,
            [this.#name, this.#contents.ids, known?.version ?? null],
          )
        : [],
    );
    if ('trouble' in found) return failure(found.trouble.problem);
    const isSame = known !== undefined && found[0]?.version === known.version;
    return success(isSame ? known : this.#saw(found));
  }

  #saw(rows: readonly Row[]): Snapshot {
    const files = rows.flatMap(({ path, id, content }) =>
      path === null ? [] : [[path, { id, ...(content !== null && { text: content }) }] as const],
    );
    return { version: rows[0]?.version, files: this.#contents.keep(files) };
  }

  async replace(before: Snapshot, { texts }: Change): Promise<Result<Replacement>> {
    const { files, written } = this.#contents.change(before, texts);
    const version = randomUUID();
    const done = await this.#with((session) =>
      inTransaction(session, async () => {
        if (before.version === undefined) await this.#prepare(session);
        const isFirst = await this.#advance(session, before.version, version);
        if (isFirst) await this.#write(session, [...texts.keys()], written);
        return { isFirst };
      }),
    );
    const intended = { version, files };
    if ('trouble' in done) return success({ intended, trouble: done.trouble });
    const conflict = { kind: 'conflict' as const, problem: this.busy };
    return success({ intended, trouble: done.isFirst ? undefined : conflict });
  }

  /** One at a time. Rights on the schema are enough, if it is there. */
  async #prepare({ query }: Session): Promise<void> {
    await query("SELECT pg_advisory_xact_lock(hashtext('trove'))");
    const [found] = await query<{ schema: string | null; format: string | null }>(
      'SELECT to_regnamespace($1) AS schema, to_regclass($2) AS format',
      [this.#schema, this.#format],
    );
    if (found?.schema === null) await query(`CREATE SCHEMA ${this.#schema}`);
    if (found?.format === null)
      for (const statement of schemaStatements(this.#schema)) await query(statement);
  }

  /** False: another change came first. */
  async #advance({ query }: Session, before: string | undefined, version: string): Promise<boolean> {
    const states = `${this.#schema}.states`;
    const advanced =
      before === undefined
        ? await query(
            `INSERT INTO ${states} (name, version) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
            [this.#name, version],
          )
        : await query(
            `UPDATE ${states} SET version = $2, changed = now() WHERE name = $1 AND version = $3 RETURNING 1`,
            [this.#name, version, before],
          );
    return advanced.length === 1;
  }

  async #write(
    { query }: Session,
    paths: readonly string[],
    written: readonly { path: string; id: string; text: string }[],
  ): Promise<void> {
    const files = `${this.#schema}.files`;
    await query(`DELETE FROM ${files} WHERE state = $1 AND path = ANY($2)`, [this.#name, paths]);
    await query(
      `INSERT INTO ${files} (state, path, id, content)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])`,
      [
        this.#name,
        written.map(({ path }) => path),
        written.map(({ id }) => id),
        written.map(({ text }) => text),
      ],
    );
  }

  async #with<T extends object>(
    work: (session: Session) => Promise<T>,
  ): Promise<T | { readonly trouble: Trouble }> {
    if (!isDatabaseUrl(this.#options.url))
      return { trouble: { kind: 'refused', problem: this.#problem('no-url') } };
    let hasConnected = false;
    try {
      return await this.#database.use(async (session) => {
        hasConnected = true;
        this.#isThere ||= await this.#look(session);
        return work(session);
      });
    } catch (cause) {
      return { trouble: this.#troubleOf(cause as Error, hasConnected) };
    }
  }

  async #look({ query }: Session): Promise<boolean> {
    const [found] = await query<{ format: string | null }>('SELECT to_regclass($1) AS format', [
      this.#format,
    ]);
    if (found?.format === null) return false;
    const formats = await query<{ version: number }>(`SELECT version FROM ${this.#format}`);
    if (formats.some(({ version }) => version > SCHEMA_FORMAT)) throw new NewerSchema();
    return true;
  }

  get #format(): string {
    return `${this.#schema}.format`;
  }

  #troubleOf(cause: Error, hasConnected: boolean): Trouble {
    if (cause instanceof NewerSchema) return { kind: 'refused', problem: this.#problem('newer') };
    const said = this.#database.saidBy(cause);
    const { code = '' } = cause as DatabaseError;
    if (CONFLICT.test(code)) return { kind: 'conflict', problem: this.busy };
    const isAnswer = /^[0-9A-Z]{5}$/.test(code) && !BROKEN.test(code);
    const problem = this.#problem(isAnswer && hasConnected ? 'refused' : 'unreachable', said);
    return { kind: isAnswer ? 'refused' : 'unknown', problem };
  }

  #problem(why: 'busy' | 'newer' | 'no-url'): Diagnostic;
  #problem(why: 'unreachable' | 'refused', said: string): Diagnostic;
  #problem(why: 'busy' | 'newer' | 'no-url' | 'unreachable' | 'refused', said = ''): Diagnostic {
    const { schema, variable } = this.#options;
    return error('state-database', { why, said, schema, variable }, { subject: this.#subject });
  }
}

class NewerSchema extends Error {}

async function inTransaction<T>({ query }: Session, work: () => Promise<T>): Promise<T> {
  await query('BEGIN');
  try {
    // Whatever the server is set to: what it acknowledges is on its disk.
    await query('SET LOCAL synchronous_commit = on');
    const done = await work();
    await query('COMMIT');
    return done;
  } catch (cause) {
    await query('ROLLBACK').catch(() => undefined);
    throw cause;
  }
}

/** As an identifier of SQL. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The tables in a schema: `states` has the version of each folder, `files` its files: the state, and while a run has
 * it its lock and journal. `entries` is for people, who may join it with what they have.
 */
function schemaStatements(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.format (version integer NOT NULL)`,
    `INSERT INTO ${schema}.format VALUES (${SCHEMA_FORMAT})`,
    `CREATE TABLE ${schema}.states (
       name text PRIMARY KEY, version text NOT NULL, changed timestamptz NOT NULL DEFAULT now())`,
    `CREATE TABLE ${schema}.files (
       state text NOT NULL REFERENCES ${schema}.states (name) ON DELETE CASCADE,
       path text NOT NULL, id text NOT NULL, content text NOT NULL, PRIMARY KEY (state, path))`,
    `CREATE VIEW ${schema}.entries AS
     SELECT f.state, e ->> 'address' AS address, e ->> 'status' AS status, e ->> 'id' AS id, e AS entry
       FROM ${schema}.files f, json_array_elements(f.content::json -> 'entries') e
      WHERE f.path = f.state || '.json'`,
  ];
}
