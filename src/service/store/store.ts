import type { Database } from 'libsql';
import { type Operation, routes } from '../../contract/routes.ts';
import type { WireSpaceLink } from '../../contract/wire.ts';
import { openBatch } from './batch.ts';
import { openClassifiers } from './classifiers.ts';
import { openItems } from './items.ts';
import { openPageQueries } from './page-queries.ts';
import { openTable } from './table.ts';

/** Every table over one open database, with its statements prepared once. */
export function openStore(db: Database) {
  return {
    transact: openBatch(db),
    attributes: openAttributes(db),
    classifiers: openClassifiers(db),
    items: openItems(db),
    ledger: openLedger(db),
    pageQueries: openPageQueries(db),
    spaces: openSpaces(db),
    users: openUsers(db),
  };
}

export type Store = ReturnType<typeof openStore>;

/** The attribute definitions that the world lists. */
function openAttributes(db: Database) {
  const selectAny = db.prepare<[string]>('SELECT 1 FROM attributes WHERE team_id = ? LIMIT 1');
  const select = db.prepare<[string, string]>('SELECT 1 FROM attributes WHERE team_id = ? AND id = ?');
  return {
    /** Whether the team has the attribute, or lists none and so takes any. */
    takes: (teamId: string, id: string): boolean =>
      select.get(teamId, id) !== undefined || selectAny.get(teamId) === undefined,
  };
}

/** The links of users to spaces, as section 2.3 shows them. */
function openSpaces(db: Database) {
  const findUser = openTable<User>(db, 'users').one('WHERE team_id = ? AND id = ?');
  const linksOf = openTable<SpaceLink>(db, 'space_links').all(
    `JOIN spaces s ON s.id = space_links.space_id
     WHERE s.team_id = ? AND user_id = ? ORDER BY space_links.rowid`,
  );
  const findSpace = openTable<WireSpaceLink['space']>(db, 'spaces').one('WHERE id = ?');
  return {
    /** In the order in which they were linked; undefined where the team has no such user. */
    linksOf(teamId: string, userId: string): WireSpaceLink[] | undefined {
      if (findUser(teamId, userId) === undefined) return undefined;
      return linksOf(teamId, userId).map((link) => ({
        ...link,
        teamId,
        externalId: null,
        updatedAt: null,
        space: findSpace(link.spaceId) as WireSpaceLink['space'],
      }));
    },
  };
}

type SpaceLink = Pick<WireSpaceLink, 'id' | 'userId' | 'spaceId' | 'createdAt'>;

/** Who may call, and for which team. */
function openUsers(db: Database) {
  return { find: openTable<User>(db, 'users').one('WHERE username = ?') };
}

export type Users = ReturnType<typeof openUsers>;

export interface User {
  readonly id: string;
  readonly teamId: string;
  readonly passwordHash: string;
}

/**
 * Who wrote which record how often since the database was opened, beside every record that it has. The counts
 * are in a temporary table: they take part in transactions, cost no wait for the disk, and their memory is
 * bounded because SQLite moves what is much to a file.
 */
function openLedger(db: Database): Ledger {
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

interface Ledger {
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
