import type { Credentials, Environment } from '../../environment/model.ts';
import type { World } from '../../service/world.ts';

/** Who lives in the embedded service of an environment: its team, one user, and two spaces to look at. */
export function embeddedWorld(
  { teamId, userId = 'user_local' }: Environment,
  credentials: Credentials,
): World {
  const users = [userId];
  return {
    teams: [{ id: teamId, name: teamId }],
    users: [{ id: userId, teamId, ...credentials }],
    spaces: [
      { id: 'space_market', name: 'Market', cols: 8, rows: 6, teamId, users },
      { id: 'space_vault', name: 'Vault', cols: 12, rows: 10, teamId, users },
    ],
  };
}
