import type { Dialect } from '../../src/service/dialect.ts';
import type { FaultSettings } from '../../src/service/faults/fault-settings.ts';
import { type RunningService, startService } from '../../src/service/server.ts';
import { createProject, type Finished, type Project, type RunOptions } from './project.ts';

/** A project with many environments, `team-01` and so on, each a team of its own on one service. */
export interface Teams extends AsyncDisposable {
  readonly project: Project;
  readonly service: RunningService;
  readonly names: readonly string[];
  /** Variables with the credentials of every team: `TEAM_01_USERNAME`, `TEAM_01_PASSWORD`. */
  readonly env: Readonly<Record<string, string>>;
  run(args: string, options?: RunOptions): Promise<Finished>;
}

export async function createTeams(
  count: number,
  files: Readonly<Record<string, string>>,
  options: { readonly dialect?: Partial<Dialect>; readonly faults?: FaultSettings } = {},
): Promise<Teams> {
  const names = Array.from({ length: count }, (_, at) => `team-${String(at + 1).padStart(2, '0')}`);
  const service = await startService({
    database: ':memory:',
    ...options,
    world: {
      teams: names.map((name) => ({ id: `id-of-${name}`, name })),
      users: names.map((name) => ({
        id: `user-of-${name}`,
        username: name,
        password: `secret of ${name}`,
        teamId: `id-of-${name}`,
      })),
    },
  });
  const environments = names.map((name) => [
    `catalog/environments/${name}.yaml`,
    `baseUrl: ${service.url}\nteamId: id-of-${name}\nuserId: user-of-${name}\ncredentials: { usernameFrom: ${variable(name)}_USERNAME, passwordFrom: ${variable(name)}_PASSWORD }\n`,
  ]);
  const project = await createProject({ ...files, ...Object.fromEntries(environments) });
  const env = Object.fromEntries(
    names.flatMap((name) => [
      [`${variable(name)}_USERNAME`, name],
      [`${variable(name)}_PASSWORD`, `secret of ${name}`],
    ]),
  );
  return {
    project,
    service,
    names,
    env,
    run: (args, run = {}) => project.run(args, { ...run, env: { ...env, ...run.env } }),
    async [Symbol.asyncDispose]() {
      await service.close();
      await project[Symbol.asyncDispose]();
    },
  };
}

function variable(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
