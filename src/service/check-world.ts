import { StartError } from './start-error.ts';
import type { World } from './world.ts';

/** Throws a StartError that names every reference of the world that leads nowhere, and every repetition. */
export function checkWorld(world: World): void {
  const problems = [...unknownTeams(world), ...unknownUsers(world), ...repeated(world), ...colons(world)];
  if (problems.length > 0) throw new StartError(`The world is not valid:\n${problems.join('\n')}`);
}

function unknownTeams({ teams = [], users = [], spaces = [], attributes = [] }: World): string[] {
  const known = new Set(teams.map(({ id }) => id));
  return Object.entries({ users, spaces, attributes }).flatMap(([list, rows]) =>
    rows.flatMap(({ teamId }, index) =>
      known.has(teamId) ? [] : [`${list}[${index}].teamId: there is no team ${JSON.stringify(teamId)}`],
    ),
  );
}

function unknownUsers({ users = [], spaces = [] }: World): string[] {
  const teamOf = new Map(users.map(({ id, teamId }) => [id, teamId]));
  return spaces.flatMap((space, index) =>
    space.users
      .filter((id) => teamOf.get(id) !== space.teamId)
      .map((id) => `spaces[${index}].users: the space's team has no user ${JSON.stringify(id)}`),
  );
}

function repeated({ teams = [], users = [], spaces = [] }: World): string[] {
  const columns = {
    'teams: id': teams.map(({ id }) => id),
    'users: id': users.map(({ id }) => id),
    'users: username': users.map(({ username }) => username),
    'spaces: id': spaces.map(({ id }) => id),
  };
  return Object.entries(columns).flatMap(([column, values]) =>
    values
      .filter((value, index) => values.indexOf(value) < index)
      .map((value) => `${column} ${JSON.stringify(value)} is given twice`),
  );
}

function colons({ users = [] }: World): string[] {
  return users.flatMap(({ username }, index) =>
    username.includes(':') ? [`users[${index}].username: Basic authentication can't send a colon in it`] : [],
  );
}
