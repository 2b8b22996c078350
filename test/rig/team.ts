import type { Dialect } from '../../src/service/dialect.ts';
import { type RunningService, startService } from '../../src/service/server.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createProject, type Finished, type Project, type RunOptions } from './project.ts';

const PASSWORD = 'k3ep-me-s3cret';

/** A project with an environment `staging` on the real service, which is reached through a gateway. */
export interface Team extends AsyncDisposable {
  readonly project: Project;
  readonly gateway: Gateway;
  /** Behind the gateway; its ledger tells what became of every request. */
  readonly service: RunningService;
  /** Runs against staging with the right credentials, unless `options.env` says otherwise. */
  run(args: string, options?: RunOptions): Promise<Finished>;
  readonly env: Readonly<Record<string, string>>;
}

export const statePath = 'catalog/state/staging.json';

/** `settings` are more lines of the environment file. */
export async function createTeam(
  files: Readonly<Record<string, string>>,
  settings = '',
  dialect: Partial<Dialect> = {},
): Promise<Team> {
  const service = await startService({
    database: ':memory:',
    dialect,
    world: {
      teams: [{ id: 'team_7', name: 'Armourers' }],
      users: [{ id: 'user_1', username: 'designer', password: PASSWORD, teamId: 'team_7' }],
      spaces: [{ id: 'space_1', name: 'Armoury', cols: 8, rows: 5, teamId: 'team_7', users: ['user_1'] }],
    },
  });
  const gateway = await createGateway(service.url);
  const environment = `baseUrl: ${gateway.url}\nteamId: team_7\n${settings}`;
  const project = await createProject({ ...files, 'catalog/environments/staging.yaml': environment });
  const env = { TROVE_USERNAME: 'designer', TROVE_PASSWORD: PASSWORD, TROVE_ENV: 'staging' };
  return {
    project,
    gateway,
    service,
    env,
    run: (args, options = {}) => project.run(args, { ...options, env: { ...env, ...options.env } }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await service.close();
      await project[Symbol.asyncDispose]();
    },
  };
}
