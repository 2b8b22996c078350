import { randomBytes } from 'node:crypto';
import type { ClientOptions } from '../../api/client.ts';
import type { ItemService } from '../../api/item-service.ts';
import { readCredentials } from '../../environment/credentials.ts';
import type { Credentials, Environment } from '../../environment/model.ts';
import { makeLocalFolder } from '../../state/file/atomic-write.ts';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import { version } from '../../version.ts';
import type { CommandContext } from '../invocation/context.ts';
import { leadsOutOfCatalog } from '../output/inside-catalog.ts';
import { databaseOf } from '../recording/surroundings.ts';
import { embeddedWorld } from './embedded-world.ts';
import { readPassword } from './password.ts';

export interface ConnectOptions {
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

/** Complains early about variables that are not set: before anybody is asked, and before anything is locked away. */
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
  const { startService } = await import('../../service/server.ts');
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
export function interruptedBefore(): Diagnostic {
  return error('interrupted', 'interrupted; nothing was written', { hint: 'run it again' });
}

function stateGone(found: number, { state, dataFolder }: Environment, { flags }: CommandContext): Diagnostic {
  const message = `the state is gone, and the embedded service still has ${counted(found, 'record')}, which would be made a second time`;
  const hint = `put it back, or find them again: trove apply${flags} --recover; or remove ${dataFolder} to begin anew with an empty service`;
  return error('state-gone', message, { subject: state.path, hint });
}

async function client(
  service: Pick<ClientOptions, 'baseUrl' | 'credentials' | 'known'>,
  { parallel, attempts }: ConnectOptions,
  context: CommandContext,
  proxyFromEnvironment: NodeJS.ProcessEnv | undefined,
): Promise<ItemService> {
  const { createClient } = await import('../../api/client.ts');
  return createClient({
    ...service,
    parallel,
    ...(attempts !== undefined && { retry: { maxAttempts: attempts } }),
    proxyFromEnvironment,
    userAgent: `trove/${version}`,
    onRetry: ({ operation, path, attempt, delayMs, failure: { reason, status } }) => {
      if (!context.debug) return;
      context.note(
        `debug: ${operation} ${path} attempt ${attempt}: ${status ?? reason}, again in ${Math.round(delayMs)} ms\n`,
      );
    },
  });
}
