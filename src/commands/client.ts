import { randomBytes } from 'node:crypto';
import type { ClientOptions, ItemService } from '../api/client.ts';
import type { WireSpaceLink } from '../contract/api.ts';
import type { Credentials, Environment } from '../environment/model.ts';
import { attemptText, serviceProblem } from '../render/service-error.ts';
import type { RunningService, ServiceOptions } from '../service/server.ts';
import type { World } from '../service/world.ts';
import { makeLocalFolder } from '../state/file/disk.ts';
import { version } from '../version.ts';
import { type CommandContext, leadsOutOfCatalog } from './context.ts';
import { credentialsOf, type PasswordSource, stopIf } from './credentials.ts';
import { fail, refuse } from './exit-code.ts';

interface ConnectOptions extends PasswordSource {
  readonly parallel: number;
  /** How often a request is sent at most where the service can't be reached. */
  readonly attempts?: number;
  /** Nothing is recorded and --new-environment was not given, so an embedded service that has records has lost its state. */
  readonly expectsNothing?: boolean;
}

/** Asks the service of an environment for as long as `work` takes; the embedded one runs only then. */
export async function withService<T>(
  environment: Environment,
  options: ConnectOptions,
  context: CommandContext,
  work: (service: ItemService) => Promise<T>,
): Promise<T> {
  const { service: wanted } = environment;
  const service = await context.timed('connect', () =>
    wanted.kind === 'embedded'
      ? connectEmbedded(environment, options, context)
      : connectRemote(wanted.baseUrl, environment, options, context),
  );
  try {
    return await context.timed('service', () => work(service));
  } finally {
    await service.close();
  }
}

async function connectRemote(
  baseUrl: string,
  environment: Environment,
  options: ConnectOptions,
  context: CommandContext,
): Promise<ItemService> {
  const { teamId, userId = '' } = environment;
  const credentials = await credentialsOf(environment, options, context);
  const proxyFromEnvironment = context.io.env;
  return client({ baseUrl, credentials, known: [teamId, userId], proxyFromEnvironment }, options, context);
}

/** Starts the embedded service of an environment, for the credentials that it returns. */
export async function startEmbedded(
  environment: Environment,
  context: CommandContext,
  options: Pick<ServiceOptions, 'port' | 'onError'> = {},
): Promise<{ readonly service: RunningService; readonly credentials: Credentials }> {
  const { dataFolder, database } = environment;
  const stray = await leadsOutOfCatalog(database, context);
  if (stray) fail([stray]);
  const credentials = { username: 'trove', password: randomBytes(24).toString('base64url') };
  const world = embeddedWorld(environment, credentials);
  const { startService } = await import('../service/server.ts');
  const service = await makeLocalFolder(dataFolder)
    .then(() => startService({ ...options, database, world }))
    .catch(({ code, message }: NodeJS.ErrnoException) => {
      const { port = 0 } = options;
      if (code === 'EADDRINUSE') refuse('port-in-use', { host: '127.0.0.1', port });
      const rule = code === 'SQLITE_BUSY' ? 'database-in-use' : 'embedded-service';
      return refuse(rule, { cause: message }, { subject: dataFolder });
    });
  return { service, credentials };
}

async function connectEmbedded(
  environment: Environment,
  options: ConnectOptions,
  context: CommandContext,
): Promise<ItemService> {
  const { teamId } = environment;
  const { service, credentials } = await startEmbedded(environment, context);
  const isOurs = (record: { readonly teamId: string }) => record.teamId === teamId;
  const found = options.expectsNothing ? service.ledger().filter(isOurs).length : 0;
  if (found > 0) {
    await service.close();
    refuse('state-gone', { records: found }, { subject: environment.state.path });
  }
  const api = await client({ baseUrl: service.url, credentials }, options, context);
  return {
    ...api,
    async close() {
      await api.close();
      await service.close();
    },
  };
}

async function client(
  service: Pick<ClientOptions, 'baseUrl' | 'credentials' | 'known' | 'proxyFromEnvironment'>,
  { parallel, attempts }: ConnectOptions,
  { trace }: CommandContext,
): Promise<ItemService> {
  const { createClient } = await import('../api/client.ts');
  return createClient({
    ...service,
    parallel,
    ...(attempts !== undefined && { retry: { maxAttempts: attempts } }),
    userAgent: `trove/${version}`,
    onAttempt: (attempt) => trace(attemptText(attempt)),
  });
}

/**
 * Reads the spaces of the environment's user: wrong credentials and a wrong team show here, before anything is
 * written. Fails too if it is interrupted by then.
 */
export async function checkSpaces(
  environment: Environment,
  service: ItemService,
  signal: AbortSignal,
): Promise<void> {
  const { userId } = environment;
  if (userId !== undefined) {
    const links = await readSpaces(service, environment, userId, signal);
    const answered = otherTeam(environment, links);
    if (answered !== undefined) refuse('wrong-team', { userId, answered, expected: environment.teamId });
  }
  stopIf(signal);
}

/** The spaces of a user, the one thing that can be read (interface, section 4.5). `signal`: that of a run that writes. */
export async function readSpaces(
  service: ItemService,
  { credentials }: Environment,
  userId: string,
  signal?: AbortSignal,
): Promise<readonly WireSpaceLink[]> {
  const outcome = await service.listUserSpaces(userId, signal && { signal });
  stopIf(signal);
  if (outcome.kind === 'answered') return outcome.body;
  return fail([serviceProblem(outcome.error, credentials, signal && 'nothing-written')]);
}

/** Each link of a user to a space names its team. Undefined if it is the team of the environment. */
export function otherTeam({ teamId }: Environment, links: readonly WireSpaceLink[]): string | undefined {
  return links.find((link) => link.teamId !== teamId)?.teamId;
}

/** Who lives in the embedded service of an environment: its team, one user, and two spaces to look at. */
function embeddedWorld({ teamId, userId = 'user_local' }: Environment, credentials: Credentials): World {
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
