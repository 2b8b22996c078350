import type { Database } from 'libsql';
import { type Operation, routes } from '../../contract/routes.ts';

/**
 * Who wrote which record how often since the database was opened, beside every record that it has. The counts
 * are in a temporary table: they take part in transactions, cost no wait for the disk, and their memory is
 * bounded because SQLite moves what is much to a file.
 */
export function openLedger(db: Database): Ledger {
  db.exec(
    `CREATE TEMP TABLE writes (
       kind TEXT, team_id TEXT, id TEXT, created_by TEXT, created INTEGER, updated INTEGER,
       PRIMARY KEY (kind, team_id, id)
     ) WITHOUT ROWID`,
  );
  const count = db.prepare<[string, string, string, string | null, number, number]>(
    `INSERT INTO temp.writes VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
       created_by = coalesce(created_by, excluded.created_by),
       created = created + excluded.created, updated = updated + excluded.updated`,
  );
  const select = db.prepare(
    `SELECT kind, r.id, name, r.team_id teamId, created_at createdAt, updated_at updatedAt,
       created_by createdBy, coalesce(created, 0) createdTimes, coalesce(updated, 0) updatedTimes
     FROM (SELECT 'classifier' AS kind, id, name, team_id, created_at, updated_at FROM classifiers
           UNION ALL SELECT 'item', id, name, team_id, created_at, updated_at FROM items) r
     LEFT JOIN temp.writes w USING (kind, team_id, id) ORDER BY kind, teamId, r.id`,
  );
  return {
    count(operation, { userId, teamId }, answer) {
      const kind = kinds[operation];
      if (kind === undefined) return;
      const created = routes[operation].method === 'POST';
      const { id } = answer as { readonly id: string };
      count.run(kind, teamId, id, created ? userId : null, created ? 1 : 0, created ? 0 : 1);
    },
    entries: () => select.all() as LedgerEntry[],
  };
}

const kinds: Readonly<Record<Operation, LedgerEntry['kind'] | undefined>> = {
  createItem: 'item',
  updateItem: 'item',
  createClassifier: 'classifier',
  updateClassifier: 'classifier',
  listUserSpaces: undefined,
};

export interface Ledger {
  /** In the transaction of an operation that succeeds; `answer` is the record that it answers with. */
  count(operation: Operation, caller: { userId: string; teamId: string }, answer: unknown): void;
  /** Every record of every team, by kind, team and id. */
  entries(): LedgerEntry[];
}

/** One record as it is stored, and what happened to it since the service was started. */
export interface LedgerEntry {
  readonly kind: 'classifier' | 'item';
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** User whose create operation was the first one since the start; null where there was none. */
  readonly createdBy: string | null;
  /** Create operations that succeeded with this id: 2 where a second one overwrote the first. */
  readonly createdTimes: number;
  /** Update operations that succeeded. */
  readonly updatedTimes: number;
}
