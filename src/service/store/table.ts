import type { Database } from 'libsql';

/**
 * One table as objects whose fields are its columns in camel case. The columns are read from the database, so that
 * no statement lists them a second time: a new one needs its line in `database.ts` alone. Objects may have more
 * fields than the table has columns, and what they lack is null.
 */
export function openTable<Row extends object>(db: Database, table: string): Table<Row> {
  const columns = (db.pragma(`table_info(${table})`) as ColumnInfo[]).map(({ name, type, pk }) => ({
    name,
    field: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    isKey: pk > 0,
    isBoolean: type === 'INTEGER' && name !== 'position',
  }));
  // The members of a list are known by what they belong to, so answers don't repeat team and position in them.
  const isList = columns.some(({ name }) => name === 'position');
  const shown = columns.filter(({ name }) => !isList || !['position', 'team_id'].includes(name));
  const select = `SELECT ${shown.map(({ name, field }) => `${table}.${name} ${field}`)} FROM ${table}`;
  // Picked, since the driver adds a field `_metadata` of its own to a single row.
  const rowOf = (stored: StoredRow): Row =>
    Object.fromEntries(
      shown.map(({ field, isBoolean }) => [field, isBoolean ? stored[field] === 1 : stored[field]]),
    ) as Row;

  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const overwrite = columns.filter(({ isKey }) => !isKey).map(({ name }) => `${name} = excluded.${name}`);
  const put = db.prepare(
    `INSERT INTO ${table} (${columns.map(({ name }) => name)}) VALUES (${columns.map(() => '?')})
     ON CONFLICT (${keys}) DO UPDATE SET ${overwrite}`,
  );
  return {
    put: (row) => void put.run(columns.map(({ field }) => bindable((row as StoredRow)[field]))),
    one(rest) {
      const statement = db.prepare(`${select} ${rest}`);
      return (...parameters) => {
        const stored = statement.get(parameters) as StoredRow | undefined;
        return stored && rowOf(stored);
      };
    },
    all(rest) {
      const statement = db.prepare(`${select} ${rest}`);
      return (...parameters) => (statement.all(parameters) as StoredRow[]).map(rowOf);
    },
  };
}

/** The driver takes no undefined, and ends the process where it is given a boolean. */
function bindable(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

interface Table<Row> {
  /** Inserts the row, or updates the one with the same primary key. */
  put(row: object): void;
  /** Gives a query: `rest` is what stands behind FROM and the name of the table. */
  one(rest: string): (...parameters: readonly string[]) => Row | undefined;
  all(rest: string): (...parameters: readonly string[]) => Row[];
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** 0 for a column that is not part of the primary key. */
  readonly pk: number;
}

type StoredRow = Record<string, unknown>;

/**
 * Group commit: the work of requests that arrive together shares one transaction, and so one wait for the disk.
 * It begins when a turn of the event loop brings no more of it, or `mostPieces` are there. Each piece of work has
 * a savepoint of its own; an error, refusals included, undoes that piece alone. A promise settles only after the
 * commit, so what was answered is durable. When the commit itself fails, all pieces of the batch fail with its error.
 */
export function openBatch(db: Database) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const savepoint = db.prepare('SAVEPOINT piece');
  const undo = db.prepare('ROLLBACK TO piece');
  const release = db.prepare('RELEASE piece');
  let waiting: Piece[] = [];

  const runPiece = ({ work, resolve, reject }: Piece): (() => void) => {
    savepoint.run();
    try {
      const value = work();
      return () => resolve(value);
    } catch (error) {
      undo.run();
      return () => reject(error);
    } finally {
      release.run();
    }
  };
  const flush = (): void => {
    const pieces = waiting;
    waiting = [];
    try {
      begin.run();
      const settle = pieces.map(runPiece);
      commit.run();
      for (const settleOne of settle) settleOne();
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      for (const { reject } of pieces) reject(error);
    }
  };
  // Immediates run after the poll phase: what the operating system has for us by then joins the batch. Answers
  // of the batch before bring their clients' next requests turn by turn, so one turn alone makes small batches.
  const gather = (before: number): void => {
    if (waiting.length === before || waiting.length >= mostPieces) flush();
    else setImmediate(gather, waiting.length);
  };
  return <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(gather, 0);
      waiting.push({ work, resolve: resolve as Piece['resolve'], reject });
    });
}

/** A steady stream of requests must not keep the first of them waiting forever. */
const mostPieces = 256;

interface Piece {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
