import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import type { ClientOptions, ItemService } from '../api/client.ts';
import type { WireSpaceLink } from '../contract/wire.ts';
import { readCredentials } from '../environment/credentials.ts';
import type { Credentials, Environment } from '../environment/model.ts';
import { renderServiceError } from '../render/service-error.ts';
import type { World } from '../service/world.ts';
import { makeLocalFolder } from '../state/file/disk.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { version } from '../version.ts';
import { type CommandContext, leadsOutOfCatalog } from './context.ts';
import { databaseOf } from './state.ts';

interface ConnectOptions {
  readonly parallel: number;
  readonly passwordStdin?: boolean;
  /** Aborted when nobody shall wait any longer for a password on standard input. */
  readonly signal?: AbortSignal;
  /** How often a request is sent at most where the service can't be reached. */
  readonly attempts?: number;
  /** Nothing is recorded and nobody has called it new, so an embedded service that has records has lost its state. */
  readonly expectsNothing?: boolean;
}

/** The service of an environment, ready to be asked; the embedded one is started first and stopped by `close`. */
export async function connect(
  environment: Environment,
  options: ConnectOptions,
  context: CommandContext,
): Promise<Result<ItemService>> {
  if (environment.service.kind === 'embedded') return connectEmbedded(environment, options, context);
  const credentials = await credentialsFor(environment, options, context);
  if (!credentials.ok) return credentials;
  const { baseUrl } = environment.service;
  const known = [environment.teamId, environment.userId ?? ''];
  return success(
    await client({ baseUrl, credentials: credentials.value, known }, options, context, context.io.env),
  );
}

/** Reports variables that are not set before a person is asked. */
export function checkCredentials(
  environment: Environment,
  { passwordStdin }: Pick<ConnectOptions, 'passwordStdin'>,
  { io }: CommandContext,
): Result<unknown> {
  if (environment.service.kind === 'embedded' || passwordStdin) return success(undefined);
  return readCredentials(environment, io.env);
}

async function credentialsFor(
  environment: Environment,
  { passwordStdin, signal }: ConnectOptions,
  { io }: CommandContext,
): Promise<Result<Credentials>> {
  if (!passwordStdin) return readCredentials(environment, io.env);
  const { passwordFrom } = environment.credentials;
  const password = await readPassword(io.stdin, signal);
  if (signal?.aborted) return failure(interruptedBefore());
  return password.ok ? readCredentials(environment, { ...io.env, [passwordFrom]: password.value }) : password;
}

async function connectEmbedded(
  environment: Environment,
  options: ConnectOptions,
  context: CommandContext,
): Promise<Result<ItemService>> {
  const { dataFolder } = environment;
  const database = databaseOf(environment);
  const stray = await leadsOutOfCatalog(database, context);
  if (stray) return failure(stray);
  const credentials = { username: 'trove', password: randomBytes(24).toString('base64url') };
  const { startService } = await import('../service/server.ts');
  try {
    await makeLocalFolder(dataFolder);
    const service = await startService({
      database,
      world: embeddedWorld(environment, credentials),
    });
    const found = options.expectsNothing
      ? service.ledger().filter(({ teamId }) => teamId === environment.teamId).length
      : 0;
    if (found > 0) {
      await service.close();
      return failure(stateGone(found, environment, context));
    }
    const api = await client({ baseUrl: service.url, credentials }, options, context, undefined);
    return success({
      ...api,
      async close() {
        await api.close();
        await service.close();
      },
    });
  } catch (cause) {
    const { code, message } = cause as Error & { readonly code?: string };
    const rule = code === 'SQLITE_BUSY' ? 'database-in-use' : 'embedded-service';
    return failure(
      error(rule, `the embedded service could not be started: ${message}`, { subject: dataFolder }),
    );
  }
}

/** A person wants it to stop, and nothing was written. */
function interruptedBefore(): Diagnostic {
  return error('interrupted', 'interrupted; nothing was written', { hint: 'run it again' });
}

function stateGone(found: number, { state, dataFolder }: Environment, { flags }: CommandContext): Diagnostic {
  const message = `the state is gone, and the embedded service still has ${pluralize(found, 'record')}, which would be made a second time`;
  const hint = `put it back, or find them again: trove apply${flags} --recover; or remove ${dataFolder} to begin anew with an empty service`;
  return error('state-gone', message, { subject: state.path, hint });
}

async function client(
  service: Pick<ClientOptions, 'baseUrl' | 'credentials' | 'known'>,
  { parallel, attempts }: ConnectOptions,
  context: CommandContext,
  proxyFromEnvironment: NodeJS.ProcessEnv | undefined,
): Promise<ItemService> {
  const { createClient } = await import('../api/client.ts');
  return createClient({
    ...service,
    parallel,
    ...(attempts !== undefined && { retry: { maxAttempts: attempts } }),
    proxyFromEnvironment,
    userAgent: `trove/${version}`,
    onRetry: ({ operation, path, attempts, reason, status }, delayMs) => {
      if (!context.debug) return;
      context.note(
        `debug: ${operation} ${path} attempt ${attempts}: ${status ?? reason}, again in ${Math.round(delayMs)} ms\n`,
      );
    },
  });
}

/**
 * Reads the spaces of the environment's user, the one thing that can be read (interface, section 4.5): wrong
 * credentials and a wrong team show here, before anything is written. Fails too if it is interrupted by then.
 */
export async function checkSpaces(
  environment: Environment,
  service: ItemService,
  signal: AbortSignal,
): Promise<Result<undefined>> {
  const { userId, credentials } = environment;
  const outcome = userId === undefined ? undefined : await service.listUserSpaces(userId, { signal });
  if (signal.aborted) return failure(interruptedBefore());
  if (outcome === undefined) return success(undefined);
  if (outcome.kind !== 'answered') {
    const { message, hint } = renderServiceError(outcome.error, credentials);
    return failure(error('service', message, { hint: `${hint} Nothing was written.` }));
  }
  const message = otherTeam(environment, outcome.body);
  const hint = 'check teamId, userId and the credentials; nothing was written';
  return message === undefined ? success(undefined) : failure(error('wrong-team', message, { hint }));
}

/** Each link of a user to a space names its team. Undefined if it is the team of the environment. */
export function otherTeam(
  { teamId, userId }: Environment,
  links: readonly WireSpaceLink[],
): string | undefined {
  const foreign = links.find((link) => link.teamId !== teamId);
  return (
    foreign &&
    `the service says that user ${userId} is in team ${foreign.teamId}, and the environment names team ${teamId}`
  );
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

/** Far more than any password; what is longer is another file, or has no end. */
const MOST_BYTES = 16 * 1024;

/**
 * All of standard input as a password, without the line break that `echo` and editors put at its end. Once `signal` is
 * aborted it is what came by then.
 */
export async function readPassword(stdin: Readable, signal?: AbortSignal): Promise<Result<string>> {
  if (signal) addAbortSignal(signal, stdin);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      if (length > MOST_BYTES) return unfit('is longer than 16 KiB, which no password is');
    }
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
  const bytes = Buffer.concat(chunks);
  // To replace what is wrong would make another password of it.
  if (!isUtf8(bytes)) return unfit('is not UTF-8 text');
  return success(bytes.toString('utf8').replace(/\r?\n$/, ''));
}

function unfit(what: string): Result<never> {
  const subject = '--password-stdin';
  return failure(error('invalid-credentials', `the password on standard input ${what}`, { subject }));
}
