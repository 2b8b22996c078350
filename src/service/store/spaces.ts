import type { Database } from 'libsql';
import type { WireSpaceLink } from '../../contract/wire.ts';

/** The links of users to spaces, as section 2.3 shows them. */
export function openSpaces(db: Database): Spaces {
  const selectUser = db.prepare<[string, string]>('SELECT 1 FROM users WHERE id = ? AND team_id = ?');
  const selectLinks = db.prepare<[string, string]>(
    `SELECT l.id linkId, l.created_at linkedAt, s.id, s.name, s.cols, s.rows,
       s.created_at createdAt, s.updated_at updatedAt
     FROM space_links l JOIN spaces s ON s.id = l.space_id
     WHERE l.user_id = ? AND s.team_id = ? ORDER BY l.rowid`,
  );
  return {
    linksOf(teamId, userId) {
      if (selectUser.get(userId, teamId) === undefined) return undefined;
      const rows = selectLinks.all(userId, teamId) as LinkRow[];
      return rows.map(({ linkId, linkedAt, id, name, cols, rows, createdAt, updatedAt }) => ({
        id: linkId,
        teamId,
        userId,
        externalId: null,
        spaceId: id,
        createdAt: linkedAt,
        updatedAt: null,
        space: { id, name, cols, rows, createdAt, updatedAt, teamId },
      }));
    },
  };
}

export interface Spaces {
  /** In the order in which they were linked; undefined where the team has no such user. */
  linksOf(teamId: string, userId: string): WireSpaceLink[] | undefined;
}

interface LinkRow {
  readonly linkId: string;
  readonly linkedAt: string;
  readonly id: string;
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
