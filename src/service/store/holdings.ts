import type { Database } from 'libsql';

/**
 * What a team has, for people to look through. The interface can't list anything, so these reads serve the
 * page alone. Names sort without regard to ASCII case, then by id.
 */
export function openHoldings(db: Database): Holdings {
  const teamName = db.prepare<[string]>('SELECT name FROM teams WHERE id = ?');
  const username = db.prepare<[string, string]>('SELECT username FROM users WHERE id = ? AND team_id = ?');
  const countItems = db.prepare<[string]>('SELECT count(*) count FROM items WHERE team_id = ?');
  const itemIds = db.prepare<[string, number, number]>(
    'SELECT id FROM items WHERE team_id = ? ORDER BY name COLLATE NOCASE, id LIMIT ? OFFSET ?',
  );
  const itemTexts = db.prepare<[string]>(
    `SELECT i.id, ${joined('i.name', 'i.id', 'i.thumbnail', assignedNames, rangeNames)} texts
     FROM items i WHERE i.team_id = ? ORDER BY i.name COLLATE NOCASE, i.id`,
  );
  const classifierTexts = db.prepare<[string]>(
    `SELECT c.id, c.name, ${joined('c.name', 'c.id', optionNames)} texts
     FROM classifiers c WHERE c.team_id = ? ORDER BY c.name COLLATE NOCASE, c.id`,
  );
  const attributes = db.prepare<[string]>(
    'SELECT id, name FROM attributes WHERE team_id = ? ORDER BY name COLLATE NOCASE, id',
  );
  const spaces = db.prepare<[string]>(
    'SELECT id, name, cols, rows FROM spaces WHERE team_id = ? ORDER BY name COLLATE NOCASE, id',
  );
  const linkedUsers = db.prepare<[string, string]>(
    `SELECT u.username FROM space_links l JOIN users u ON u.id = l.user_id
     WHERE l.space_id = ? AND u.team_id = ? ORDER BY l.rowid`,
  );
  return {
    teamName: (teamId) => (teamName.get(teamId) as { name: string } | undefined)?.name ?? teamId,
    username: (teamId, id) => (username.get(id, teamId) as { username: string } | undefined)?.username ?? id,
    countItems: (teamId) => (countItems.get(teamId) as { count: number }).count,
    itemIds: (teamId, limit, offset) =>
      (itemIds.all(teamId, limit, offset) as { id: string }[]).map(({ id }) => id),
    itemTexts: (teamId) => itemTexts.all(teamId) as Searchable[],
    classifierTexts: (teamId) => classifierTexts.all(teamId) as NamedSearchable[],
    attributes: (teamId) => attributes.all(teamId) as HeldAttribute[],
    spaces: (teamId) =>
      (spaces.all(teamId) as Omit<HeldSpace, 'users'>[]).map((space) => ({
        ...space,
        users: (linkedUsers.all(space.id, teamId) as { username: string }[]).map((user) => user.username),
      })),
  };
}

/** One text of several, a line each, so that no word is found across two of them. */
function joined(...columns: readonly string[]): string {
  return columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ');
}

const optionNames = `(SELECT group_concat(o.name, char(10)) FROM classifier_options o
  WHERE o.team_id = c.team_id AND o.classifier_id = c.id)`;

const assignedNames = `(SELECT group_concat(c.name || char(10) || o.name, char(10))
  FROM item_options x JOIN classifier_options o ON o.id = x.option_id
  JOIN classifiers c ON c.team_id = o.team_id AND c.id = o.classifier_id
  WHERE x.team_id = i.team_id AND x.item_id = i.id)`;

const rangeNames = `(SELECT group_concat(coalesce(a.name, x.attribute_id), char(10))
  FROM item_attributes x LEFT JOIN attributes a ON a.team_id = x.team_id AND a.id = x.attribute_id
  WHERE x.team_id = i.team_id AND x.item_id = i.id)`;

export interface Holdings {
  /** Its id where no such team is known. */
  teamName(teamId: string): string;
  username(teamId: string, userId: string): string;
  countItems(teamId: string): number;
  itemIds(teamId: string, limit: number, offset: number): readonly string[];
  itemTexts(teamId: string): readonly Searchable[];
  classifierTexts(teamId: string): readonly NamedSearchable[];
  attributes(teamId: string): readonly HeldAttribute[];
  spaces(teamId: string): readonly HeldSpace[];
}

/** A record with every text of it that a reader may look for, a line each. */
export interface Searchable {
  readonly id: string;
  readonly texts: string;
}

export interface NamedSearchable extends Searchable {
  readonly name: string;
}

export interface HeldAttribute {
  readonly id: string;
  readonly name: string;
}

export interface HeldSpace {
  readonly id: string;
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  /** Usernames of those who are linked to it, in that order. */
  readonly users: readonly string[];
}
