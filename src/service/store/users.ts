import type { Database } from 'libsql';

/** Who may call, and for which team. */
export function openUsers(db: Database): Users {
  const select = db.prepare<[string]>(
    'SELECT id, team_id teamId, password_hash passwordHash FROM users WHERE username = ?',
  );
  return {
    find: (username) => select.get(username) as User | undefined,
  };
}

export interface Users {
  find(username: string): User | undefined;
}

export interface User {
  readonly id: string;
  readonly teamId: string;
  readonly passwordHash: string;
}
