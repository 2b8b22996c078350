import type { Database } from 'libsql';
import type { WireSpaceLink } from '../../contract/wire.ts';
import { hashPassword, verifyPassword } from '../credentials.ts';
import type { World, WorldSpace, WorldUser } from '../world.ts';
import type { User } from './store.ts';
import { openTable } from './table.ts';

/**
 * Brings the rows of the world into the database, in one transaction. Rows that are there are updated, rows
 * that the world no longer names stay. The world must have passed `checkWorld`.
 */
export async function applyWorld(db: Database, world: World, making: Making): Promise<void> {
  const { teams = [], users = [], spaces = [], attributes = [] } = world;
  const hashed = await Promise.all(users.map((user) => withHash(db, user)));
  const rows = { teams, users: hashed, attributes };
  db.transaction(() => {
    for (const [table, list] of Object.entries(rows)) list.forEach(openTable(db, table).put);
    putSpaces(db, spaces, making);
  })();
}

/** With the stored hash where it still fits: a restart changes nothing. */
async function withHash(db: Database, user: WorldUser): Promise<WorldUser & Pick<User, 'passwordHash'>> {
  const stored = openTable<User>(db, 'users').one('WHERE id = ?')(user.id)?.passwordHash;
  const fits = stored !== undefined && (await verifyPassword(user.password, stored));
  return { ...user, passwordHash: fits ? stored : await hashPassword(user.password) };
}

function putSpaces(db: Database, spaces: readonly WorldSpace[], { makeId, now }: Making): void {
  const table = openTable<WireSpaceLink['space']>(db, 'spaces');
  const find = table.one('WHERE id = ?');
  const link = db.prepare(
    'INSERT INTO space_links (id, user_id, space_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  for (const space of spaces) {
    const stored = find(space.id);
    const at = now();
    // The time of an update moves only where something did.
    const isSame = stored && compared.every((field) => stored[field] === space[field]);
    if (!isSame) table.put({ ...space, createdAt: stored?.createdAt ?? at, updatedAt: at });
    for (const userId of space.users) link.run(makeId(), userId, space.id, at);
  }
}

const compared = ['name', 'cols', 'rows', 'teamId'] as const;

interface Making {
  readonly makeId: () => string;
  readonly now: () => string;
}
