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
  const shown = columns.filter(({ name }) => !(isList && (name === 'position' || name === 'team_id')));
  const selected = shown.map(({ name, field }) => `${table}.${name} ${field}`);
  const [keys, others] = [columns.filter(({ isKey }) => isKey), columns.filter(({ isKey }) => !isKey)];
  const assignments = (some: typeof columns, separator: string): string =>
    some.map(({ name }) => `${name} = ?`).join(separator);

  const rowOf = (stored: StoredRow): Row => {
    // Picked, since the driver adds a field `_metadata` of its own.
    const row: Record<string, unknown> = {};
    for (const { field, isBoolean } of shown) row[field] = isBoolean ? stored[field] === 1 : stored[field];
    return row as Row;
  };
  const writer = (sql: string, written: typeof columns): ((row: object) => void) => {
    const statement = db.prepare(sql);
    return (row) => {
      const values = row as StoredRow;
      // The driver ends the process where it is given a boolean.
      statement.run(written.map(({ field, isBoolean }) => bound(values[field], isBoolean)));
    };
  };
  return {
    insert: writer(
      `INSERT INTO ${table} (${columns.map(({ name }) => name)}) VALUES (${columns.map(() => '?')})`,
      columns,
    ),
    update: writer(`UPDATE ${table} SET ${assignments(others, ', ')} WHERE ${assignments(keys, ' AND ')}`, [
      ...others,
      ...keys,
    ]),
    one(rest) {
      const statement = db.prepare(`SELECT ${selected} FROM ${table} ${rest}`);
      return (...parameters) => {
        const stored = statement.get(parameters) as StoredRow | undefined;
        return stored && rowOf(stored);
      };
    },
    all(rest) {
      const statement = db.prepare(`SELECT ${selected} FROM ${table} ${rest}`);
      return (...parameters) => (statement.all(parameters) as StoredRow[]).map(rowOf);
    },
  };
}

function bound(value: unknown, isBoolean: boolean): unknown {
  return isBoolean ? Number(value ?? false) : (value ?? null);
}

export interface Table<Row> {
  insert(row: object): void;
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

type StoredRow = Readonly<Record<string, unknown>>;
