import type { Database } from 'libsql';
import type { WireSpaceLink } from '../../contract/wire.ts';
import { openBatch } from './batch.ts';
import { openClassifiers } from './classifiers.ts';
import { openItems } from './items.ts';
import { openLedger } from './ledger.ts';
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
