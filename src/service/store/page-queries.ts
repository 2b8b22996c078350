import type { Database } from 'libsql';
import { openTable } from './table.ts';

/**
 * What a team has, for people to look through. The interface can't list anything, so these reads serve the
 * page alone. Names sort without regard to ASCII case, then by id.
 */
export function openPageQueries(db: Database) {
  const team = openTable<NamedRecord>(db, 'teams').one('WHERE id = ?');
  const user = openTable<{ username: string }>(db, 'users').one('WHERE team_id = ? AND id = ?');
  const attributes = openTable<NamedRecord>(db, 'attributes').all(`WHERE team_id = ? ${byName}`);
  const spaces = openTable<Omit<TeamSpace, 'users'>>(db, 'spaces').all(`WHERE team_id = ? ${byName}`);
  const linkedUsers = openTable<{ username: string }>(db, 'users').all(
    `JOIN space_links l ON l.user_id = users.id
     WHERE team_id = ? AND l.space_id = ? ORDER BY l.rowid`,
  );
  const countItems = db.prepare<[string]>('SELECT count(*) count FROM items WHERE team_id = ?');
  const itemIds = db.prepare<[string, number, number]>(
    `SELECT id FROM items WHERE team_id = ? ${byName} LIMIT ? OFFSET ?`,
  );
  const itemTexts = db.prepare<[string]>(
    `SELECT id, ${joined('name', 'id', 'thumbnail', assignedNames, rangeNames)} texts
     FROM items WHERE team_id = ? ${byName}`,
  );
  const classifierTexts = db.prepare<[string]>(
    `SELECT id, name, ${joined('name', 'id', optionNames)} texts
     FROM classifiers WHERE team_id = ? ${byName}`,
  );
  return {
    /** Its id where no such team is known. */
    teamName: (teamId: string): string => team(teamId)?.name ?? teamId,
    username: (teamId: string, id: string): string => user(teamId, id)?.username ?? id,
    countItems: (teamId: string): number => (countItems.get(teamId) as { count: number }).count,
    itemIds: (teamId: string, limit: number, offset: number): string[] =>
      (itemIds.all(teamId, limit, offset) as { id: string }[]).map(({ id }) => id),
    itemTexts: (teamId: string) => itemTexts.all(teamId) as Searchable[],
    classifierTexts: (teamId: string) => classifierTexts.all(teamId) as (Searchable & NamedRecord)[],
    attributes,
    spaces: (teamId: string): TeamSpace[] =>
      spaces(teamId).map((space) => ({
        ...space,
        users: linkedUsers(teamId, space.id).map(({ username }) => username),
      })),
  };
}

const byName = 'ORDER BY name COLLATE NOCASE, id';

/** One text of several, a line each, so that no word is found across two of them. */
function joined(...columns: readonly string[]): string {
  return columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ');
}

const optionNames = `(SELECT group_concat(o.name, char(10)) FROM classifier_options o
  WHERE o.team_id = classifiers.team_id AND o.classifier_id = classifiers.id)`;

const assignedNames = `(SELECT group_concat(c.name || char(10) || o.name, char(10))
  FROM item_options x JOIN classifier_options o ON o.id = x.option_id
  JOIN classifiers c ON c.team_id = o.team_id AND c.id = o.classifier_id
  WHERE x.team_id = items.team_id AND x.item_id = items.id)`;

const rangeNames = `(SELECT group_concat(coalesce(a.name, x.attribute_id), char(10))
  FROM item_attributes x LEFT JOIN attributes a ON a.team_id = x.team_id AND a.id = x.attribute_id
  WHERE x.team_id = items.team_id AND x.item_id = items.id)`;

/** A record with every text of it that a reader may look for, a line each. */
export interface Searchable {
  readonly id: string;
  readonly texts: string;
}

export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

export interface TeamSpace extends NamedRecord {
  readonly cols: number;
  readonly rows: number;
  /** Usernames of those who are linked to it, in that order. */
  readonly users: readonly string[];
}
