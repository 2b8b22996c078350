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
  const fields = shown.map(({ field }) => field);
  const booleans = shown.filter(({ isBoolean }) => isBoolean).map(({ field }) => field);
  const rowOf = (stored: StoredRow): Row => {
    for (const field of booleans) stored[field] = stored[field] === 1;
    return stored as Row;
  };

  const writer = (sql: string, written: typeof columns): ((row: object) => void) => {
    const statement = db.prepare(sql);
    const names = written.map(({ field }) => field);
    return (row) => void statement.run(names.map((name) => bindable((row as StoredRow)[name])));
  };
  const keys = columns.filter(({ isKey }) => isKey);
  const others = columns.filter(({ isKey }) => !isKey);
  const equal = ({ name }: { readonly name: string }): string => `${name} = ?`;
  const insert = `INSERT INTO ${table} (${columns.map(({ name }) => name)}) VALUES (${columns.map(() => '?')})`;
  const overwrite = others.map(({ name }) => `${name} = excluded.${name}`);
  return {
    insert: writer(insert, columns),
    put: writer(
      `${insert} ON CONFLICT (${keys.map(({ name }) => name)}) DO UPDATE SET ${overwrite}`,
      columns,
    ),
    update: writer(
      `UPDATE ${table} SET ${others.map(equal).join(', ')} WHERE ${keys.map(equal).join(' AND ')}`,
      [...others, ...keys],
    ),
    one(rest) {
      const statement = db.prepare(`${select} ${rest}`);
      return (...parameters) => {
        const stored = statement.get(parameters) as StoredRow | undefined;
        if (stored === undefined) return undefined;
        // Picked, since the driver adds a field `_metadata` of its own to a single row.
        const row: StoredRow = {};
        for (const field of fields) row[field] = stored[field];
        return rowOf(row);
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

export interface Table<Row> {
  insert(row: object): void;
  /** Inserts the row, or updates the one with the same primary key. */
  put(row: object): void;
  /** Of the row with the same primary key, every other column. */
  update(row: object): void;
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
