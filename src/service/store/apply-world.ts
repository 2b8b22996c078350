import type { Database } from 'libsql';
import { hashPassword, verifyPassword } from '../credentials.ts';
import type { World, WorldSpace, WorldUser } from '../world.ts';

/**
 * Brings the rows of the world into the database, in one transaction. Rows that are there are updated, rows
 * that the world no longer names stay. The world must have passed `checkWorld`.
 */
export async function applyWorld(db: Database, world: World, { makeId, now }: Making): Promise<void> {
  const { teams = [], users = [], spaces = [], attributes = [] } = world;
  const hashes = await Promise.all(users.map((user) => hashOf(db, user)));
  const upsertTeam = db.prepare(
    'INSERT INTO teams (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  );
  const upsertAttribute = db.prepare(
    `INSERT INTO attributes (team_id, id, name) VALUES (?, ?, ?)
     ON CONFLICT (team_id, id) DO UPDATE SET name = excluded.name`,
  );
  db.transaction(() => {
    for (const { id, name } of teams) upsertTeam.run(id, name);
    for (const { id, name, teamId } of attributes) upsertAttribute.run(teamId, id, name);
    upsertUsers(db, users, hashes);
    upsertSpaces(db, spaces, { makeId, now });
  })();
}

/** The stored hash where it still fits: a restart changes nothing. */
async function hashOf(db: Database, { id, password }: WorldUser): Promise<string> {
  const select = db.prepare<[string]>('SELECT password_hash passwordHash FROM users WHERE id = ?');
  const stored = (select.get(id) as { passwordHash: string } | undefined)?.passwordHash;
  const fits = stored !== undefined && (await verifyPassword(password, stored));
  return fits ? stored : hashPassword(password);
}

function upsertUsers(db: Database, users: readonly WorldUser[], hashes: readonly string[]): void {
  const upsert = db.prepare(
    `INSERT INTO users (id, username, password_hash, team_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       username = excluded.username, password_hash = excluded.password_hash, team_id = excluded.team_id`,
  );
  for (const [index, { id, username, teamId }] of users.entries()) {
    upsert.run(id, username, hashes[index], teamId);
  }
}

function upsertSpaces(db: Database, spaces: readonly WorldSpace[], { makeId, now }: Making): void {
  // The time of an update moves only where something did.
  const upsert = db.prepare(
    `INSERT INTO spaces (id, team_id, name, cols, rows, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       team_id = excluded.team_id, name = excluded.name, cols = excluded.cols, rows = excluded.rows,
       updated_at = excluded.updated_at
     WHERE (team_id, name, cols, rows) IS NOT (excluded.team_id, excluded.name, excluded.cols, excluded.rows)`,
  );
  const link = db.prepare(
    'INSERT INTO space_links (id, user_id, space_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  for (const { id, teamId, name, cols, rows, users } of spaces) {
    const at = now();
    upsert.run(id, teamId, name, cols, rows, at, at);
    for (const userId of users) link.run(makeId(), userId, id, at);
  }
}

interface Making {
  readonly makeId: () => string;
  readonly now: () => string;
}
