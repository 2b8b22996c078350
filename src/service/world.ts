import { StartError } from './start-error.ts';

/**
 * The world file: who and what exists beside the items and classifiers that the operations make. Texts are ids and
 * names as section 2 of the interface has them; every list is optional.
 */
export interface World {
  readonly teams?: readonly WorldTeam[];
  readonly users?: readonly WorldUser[];
  readonly spaces?: readonly WorldSpace[];
  /** A team without any takes every `attributeId`. */
  readonly attributes?: readonly WorldAttribute[];
}

export interface WorldTeam {
  readonly id: string;
  readonly name: string;
}

export interface WorldUser {
  readonly id: string;
  /** Unique, and without a colon: Basic authentication (section 5) can't send one. */
  readonly username: string;
  /** In plain text here; only a salted hash is stored. */
  readonly password: string;
  readonly teamId: string;
}

export interface WorldSpace {
  readonly id: string;
  readonly name: string;
  /** Grid columns and rows. */
  readonly cols: number;
  readonly rows: number;
  readonly teamId: string;
  /** Ids of users of the same team, each linked to the space. */
  readonly users: readonly string[];
}

export interface WorldAttribute {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
}

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
