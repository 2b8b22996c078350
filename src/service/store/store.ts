import type { Database } from 'libsql';
import { type Operation, routes, type WireItem, type WireSpaceLink } from '../../contract/api.ts';
import type { Caller, User } from '../credentials.ts';
import { openClassifiers, openItems } from './records.ts';
import { openBatch, openTable } from './table.ts';

/** Every table over one open database, with its statements prepared once. */
export function openStore(db: Database) {
  const anyAttribute = openTable(db, 'attributes').one('WHERE team_id = ? LIMIT 1');
  const attribute = openTable(db, 'attributes').one('WHERE team_id = ? AND id = ?');
  return {
    transact: openBatch(db),
    classifiers: openClassifiers(db),
    items: openItems(db),
    ledger: openLedger(db),
    lists: openLists(db),
    linksOf: openLinks(db),
    findUser: openTable<User>(db, 'users').one('WHERE username = ?'),
    /** Whether the team has the attribute, or lists none in the world file and so takes any. */
    takesAttribute: (teamId: string, id: string): boolean =>
      attribute(teamId, id) !== undefined || anyAttribute(teamId) === undefined,
  };
}

export type Store = ReturnType<typeof openStore>;

type Space = WireSpaceLink['space'];

/**
 * Gives a query for the spaces of a user as section 2.3 shows them, in the order in which they were linked; undefined
 * where the team has no such user.
 */
function openLinks(db: Database): (teamId: string, userId: string) => WireSpaceLink[] | undefined {
  const findUser = openTable<User>(db, 'users').one('WHERE team_id = ? AND id = ?');
  const linksOf = openTable<Pick<WireSpaceLink, 'id' | 'userId' | 'spaceId' | 'createdAt'>>(
    db,
    'space_links',
  ).all('JOIN spaces s ON s.id = space_id WHERE s.team_id = ? AND user_id = ? ORDER BY space_links.rowid');
  const findSpace = openTable<Space>(db, 'spaces').one('WHERE id = ?');
  return (teamId, userId) =>
    findUser(teamId, userId) &&
    linksOf(teamId, userId).map((link) => ({
      ...{ ...link, teamId, externalId: null, updatedAt: null },
      space: findSpace(link.spaceId) as Space,
    }));
}

/**
 * What a team has, for people to look through. The interface can't list anything, so these reads serve the
 * page alone. Names sort without regard to ASCII case, then by id.
 */
function openLists(db: Database) {
  const listOf = <Row extends NamedRecord = NamedRecord>(table: string) =>
    openTable<Row>(db, table).all('WHERE team_id = ? ORDER BY name COLLATE NOCASE, id');
  return {
    team: openTable<NamedRecord>(db, 'teams').one('WHERE id = ?'),
    user: openTable<User>(db, 'users').one('WHERE team_id = ? AND id = ?'),
    classifiers: listOf('classifiers'),
    spaces: listOf<Space>('spaces'),
    attributes: listOf('attributes'),
    items: listOf<ListedItem>('items'),
    usersOf: openTable<User>(db, 'users').all(
      'JOIN space_links l ON l.user_id = users.id WHERE l.space_id = ? ORDER BY l.rowid',
    ),
  };
}

/** Without its lists. */
export type ListedItem = Omit<WireItem, 'classifiers' | 'attributes'>;

export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/**
 * Who wrote which record how often since the database was opened, beside every record that it has. The counts
 * are in a temporary table: they take part in transactions, cost no wait for the disk, and their memory is
 * bounded because SQLite moves what is much to a file.
 */
function openLedger(db: Database) {
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
    /** In the transaction of an operation that succeeds; `answer` is the record that it answers with. */
    count(operation: Operation, { userId, teamId }: Caller, answer: unknown): void {
      const { method, path } = routes[operation];
      if (method === 'GET') return;
      const kind = path.startsWith('/items') ? 'item' : 'classifier';
      const isCreate = method === 'POST';
      const { id } = answer as { readonly id: string };
      count.run(kind, teamId, id, isCreate ? userId : null, isCreate ? 1 : 0, isCreate ? 0 : 1);
    },
    /** Every record of every team, by kind, team and id. */
    entries: () => select.all() as LedgerEntry[],
  };
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
