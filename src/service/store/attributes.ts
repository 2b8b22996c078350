import type { Database } from 'libsql';

/** The attribute definitions that the world lists. */
export function openAttributes(db: Database): Attributes {
  const selectAny = db.prepare<[string]>('SELECT 1 FROM attributes WHERE team_id = ? LIMIT 1');
  const select = db.prepare<[string, string]>('SELECT 1 FROM attributes WHERE team_id = ? AND id = ?');
  return {
    takes: (teamId, id) => select.get(teamId, id) !== undefined || selectAny.get(teamId) === undefined,
  };
}

export interface Attributes {
  /** Whether the team has the attribute, or lists none and so takes any. */
  takes(teamId: string, id: string): boolean;
}
