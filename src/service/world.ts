import type { Database } from 'libsql';
import type { World } from '../../generated/settings-types.js';
import type { WireSpaceLink } from '../contract/api.ts';
import { hashPassword } from './credentials.ts';
import { openTable } from './store/table.ts';

/** The service can't start for a reason that its user can fix; the message names it. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** The code of what the system or the database said, where one of them did: `EADDRINUSE`, `SQLITE_BUSY`. */
  get code(): string | undefined {
    return (this.cause as { readonly code?: string } | undefined)?.code;
  }
}

/** The world file: who and what exists beside the items and classifiers that the operations make. */
export type { World };

type WorldSpace = NonNullable<World['spaces']>[number];

const MOST_NAMED = 20;

/**
 * Throws a StartError that names the places of references that lead nowhere, and of repetitions: the first few. What
 * stands there may be a password in the wrong place.
 */
export function checkWorld(world: World): void {
  const problems = [...problemsIn(world)];
  const more = problems.length > MOST_NAMED ? [`and ${problems.length - MOST_NAMED} more`] : [];
  const named = [...problems.slice(0, MOST_NAMED), ...more].join('; ');
  if (problems.length > 0) throw new StartError(`The world is not valid: ${named}`);
}

function* problemsIn({ teams = [], users = [], spaces = [], attributes = [] }: World): Generator<string> {
  const known = new Set(teams.map(({ id }) => id));
  for (const [list, rows] of Object.entries({ users, spaces, attributes }))
    for (const [index, { teamId }] of rows.entries())
      if (!known.has(teamId)) yield `${list}[${index}].teamId: there is no such team`;
  const teamOf = new Map(users.map(({ id, teamId }) => [id, teamId]));
  for (const [index, { users: linked, teamId }] of spaces.entries())
    for (const [at, id] of linked.entries())
      if (teamOf.get(id) !== teamId) yield `spaces[${index}].users[${at}]: the space's team has no such user`;
  const names = users.map(({ username }) => ({ id: username }));
  const unique = [
    ['teams', 'id', teams],
    ['users', 'id', users],
    ['users', 'username', names],
    ['spaces', 'id', spaces],
  ] as const;
  for (const [list, column, rows] of unique) {
    const before = new Set<string>();
    for (const [index, { id }] of rows.entries()) {
      if (before.has(id)) yield `${list}[${index}].${column} is given twice`;
      before.add(id);
    }
  }
  for (const [index, { username }] of users.entries())
    if (username.includes(':'))
      yield `users[${index}].username: Basic authentication can't send a colon in it`;
}

/**
 * Brings the rows of the world into the database, in one transaction. Rows that are there are updated, rows
 * that the world no longer names stay. The world must have passed `checkWorld`.
 */
export async function applyWorld(db: Database, world: World, making: Making): Promise<void> {
  const { teams = [], users = [], spaces = [], attributes = [] } = world;
  const hashed = users.map(async (user) => ({ ...user, passwordHash: await hashPassword(user.password) }));
  const rows = { teams, users: await Promise.all(hashed), attributes };
  db.transaction(() => {
    for (const [table, list] of Object.entries(rows)) list.forEach(openTable(db, table).put);
    putSpaces(db, spaces, making);
  })();
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
