import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Dialect } from '../../src/service/dialect.ts';
import type { FaultSettings } from '../../src/service/faults.ts';
import { type RunningService, startService } from '../../src/service/server.ts';
import type { World } from '../../src/service/world.ts';
import { createGateway, type Exchange, type Fate, type Gateway } from './gateway.ts';
import { createProject, type Finished, finished, type Project, type RunOptions } from './project.ts';
import { recorded } from './recorded.ts';
import { smallCatalog } from './small-catalog.ts';

export const statePath = 'catalog/state/staging.json';

/** A project with one or more environments on the real service. */
interface Served extends AsyncDisposable {
  readonly project: Project;
  /** Its ledger tells what became of every request. */
  readonly service: RunningService;
  /** Variables with the right credentials, unless the `env` of a run says otherwise. */
  readonly env: Readonly<Record<string, string>>;
  run(args: string, options?: RunOptions): Promise<Finished>;
}

/** With one environment, `staging`, whose service is reached through a gateway. */
export interface Team extends Served {
  readonly gateway: Gateway;
  /** What the state of staging has recorded. */
  recorded(): Promise<ReturnType<typeof recorded>>;
  /** From now on the creates of this name have this fate, and all else passes. */
  onCreate(name: string, fate: Fate): void;
  /** Runs a command in a process of its own, which gets a signal as its request of this number arrives. */
  endedAt(number: number, args: string, signal?: NodeJS.Signals): Promise<Finished>;
}

/** With many environments, `team-01` and so on, each a team of its own on one service. */
export interface Teams extends Served {
  readonly names: readonly string[];
}

type Files = Readonly<Record<string, string>>;

/** `settings` are more lines of the environment file. */
export async function createTeam(files: Files, settings = '', dialect: Partial<Dialect> = {}): Promise<Team> {
  const password = 'k3ep-me-s3cret';
  const world: World = {
    teams: [{ id: 'team_7', name: 'Armourers' }],
    users: [{ id: 'user_1', username: 'designer', password, teamId: 'team_7' }],
    spaces: [{ id: 'space_1', name: 'Armoury', cols: 8, rows: 5, teamId: 'team_7', users: ['user_1'] }],
  };
  const service = await startService({ database: ':memory:', dialect, world });
  const gateway = await createGateway(service.url);
  const environment = `baseUrl: ${gateway.url}\nteamId: team_7\n${settings}`;
  const project = await createProject({ ...files, 'catalog/environments/staging.yaml': environment });
  const env = { TROVE_USERNAME: 'designer', TROVE_PASSWORD: password, TROVE_ENV: 'staging' };
  return {
    ...served(project, service, env, gateway),
    gateway,
    recorded: async () => recorded(await project.state(statePath)),
    onCreate(name, fate) {
      gateway.decide = (exchange) => (isCreateOf(name)(exchange) ? fate : 'pass');
    },
    async endedAt(number, args, signal = 'SIGKILL') {
      const before = gateway.exchanges.length;
      const child = project.start(args, { env });
      gateway.decide = (_, index) => {
        if (index - before === number) child.kill(signal);
        return 'pass';
      };
      const ended = await finished(child);
      gateway.decide = () => 'pass';
      return ended;
    },
  };
}

/** The same, and all of the catalog was applied. */
export async function appliedTeam(
  files: Files = smallCatalog,
  ...rest: [settings?: string, dialect?: Partial<Dialect>]
): Promise<Team> {
  const team = await createTeam(files, ...rest);
  const { code, stdout, stderr } = await team.run('apply --yes --new-environment');
  expect(code, stdout + stderr).toBe(0);
  return team;
}

/**
 * One team for the tests of a file or group, each of which finds its folder as it was. What they send stays in the
 * service: they may update, but not create.
 */
export function sharedTeam(make: () => Promise<Team> = appliedTeam): () => Team {
  let team: Team;
  let before: string;
  beforeAll(async () => {
    team = await make();
    before = `${team.project.folder}-before`;
    await cp(team.project.folder, before, { recursive: true });
  });
  beforeEach(async () => {
    team.gateway.decide = () => 'pass';
    await rm(team.project.folder, { recursive: true });
    await cp(before, team.project.folder, { recursive: true });
  });
  afterAll(async () => {
    await rm(before, { recursive: true });
    await team[Symbol.asyncDispose]();
  });
  return () => team;
}

export async function createTeams(
  count: number,
  files: Files,
  options: { readonly dialect?: Partial<Dialect>; readonly faults?: FaultSettings } = {},
): Promise<Teams> {
  const names = Array.from({ length: count }, (_, at) => `team-${String(at + 1).padStart(2, '0')}`);
  const secretOf = (name: string) => `secret of ${name}`;
  const world: World = {
    teams: names.map((name) => ({ id: `id-of-${name}`, name })),
    users: names.map((name) => {
      const id = `user-of-${name}`;
      return { id, username: name, password: secretOf(name), teamId: `id-of-${name}` };
    }),
  };
  const service = await startService({ database: ':memory:', ...options, world });
  const variable = (name: string) => name.toUpperCase().replaceAll('-', '_');
  const environments = names.map((name) => [
    `catalog/environments/${name}.yaml`,
    `baseUrl: ${service.url}\nteamId: id-of-${name}\nuserId: user-of-${name}\ncredentials: { usernameFrom: ${variable(name)}_USERNAME, passwordFrom: ${variable(name)}_PASSWORD }\n`,
  ]);
  const project = await createProject({ ...files, ...Object.fromEntries(environments) });
  const variables = names.flatMap((name) => [
    [`${variable(name)}_USERNAME`, name],
    [`${variable(name)}_PASSWORD`, secretOf(name)],
  ]);
  return { ...served(project, service, Object.fromEntries(variables)), names };
}

function served(
  project: Project,
  service: RunningService,
  env: Readonly<Record<string, string>>,
  gateway?: Gateway,
): Served {
  return {
    project,
    service,
    env,
    run: (args, options = {}) => project.run(args, { ...options, env: { ...env, ...options.env } }),
    async [Symbol.asyncDispose]() {
      await gateway?.[Symbol.asyncDispose]();
      await service.close();
      await project[Symbol.asyncDispose]();
    },
  };
}

export const isCreateOf =
  (name: string) =>
  ({ method, body }: Exchange): boolean =>
    method === 'POST' && body.name === name;
