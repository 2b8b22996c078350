import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import type { ClientOptions, ItemService } from '../api/client.ts';
import type { WireSpaceLink } from '../contract/api.ts';
import { readCredentials } from '../environment/credentials.ts';
import type { Credentials, Environment } from '../environment/model.ts';
import { askForCredential } from '../render/questions.ts';
import { attemptText, serviceProblem } from '../render/service-error.ts';
import type { RunningService, ServiceOptions } from '../service/server.ts';
import type { World } from '../service/world.ts';
import { makeLocalFolder } from '../state/file/disk.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import { type CommandContext, leadsOutOfCatalog } from './context.ts';
import { fail, failOn, orFail, refuse } from './exit-code.ts';
import { converse, hasTerminal } from './prompt.ts';
import { databaseOf } from './state.ts';

interface ConnectOptions {
  readonly parallel: number;
  readonly passwordStdin?: boolean | undefined;
  /** Aborts the wait for a password on standard input. */
  readonly signal?: AbortSignal;
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
  const credentials = await credentialsFor(environment, options, context);
  const proxyFromEnvironment = context.io.env;
  return client({ baseUrl, credentials, known: [teamId, userId], proxyFromEnvironment }, options, context);
}

/** Reports variables that can't be used before a person is asked anything; on a terminal, missing ones are asked for. */
export function checkCredentials(
  environment: Environment,
  { passwordStdin }: Pick<ConnectOptions, 'passwordStdin'>,
  context: CommandContext,
): void {
  if (environment.service.kind === 'embedded' || passwordStdin) return;
  const read = readCredentials(environment, context.io.env);
  if (read.ok) return;
  const isAsked = hasTerminal(context);
  failOn(read.diagnostics.filter(({ rule }) => !isAsked || rule !== 'missing-credentials'));
}

/** The context of a request: on a terminal, with what a person types for the credentials that no variable holds. */
export async function withCredentials(
  environment: Environment,
  { passwordStdin }: Pick<ConnectOptions, 'passwordStdin'>,
  context: CommandContext,
): Promise<CommandContext> {
  const { io } = context;
  const { usernameFrom, passwordFrom } = environment.credentials;
  const missing = [usernameFrom, passwordFrom].filter((variable) => !io.env[variable]);
  const isEnough = environment.service.kind === 'embedded' || passwordStdin || missing.length === 0;
  if (isEnough || !hasTerminal(context)) return context;
  const typed = await converse(context, async (ask) => {
    const answers: Record<string, string> = {};
    for (const variable of missing) {
      const isSecret = variable === passwordFrom;
      const text = askForCredential(environment.name, isSecret ? 'Password' : 'Username', variable);
      answers[variable] = await ask({ text, isSecret, check: () => undefined });
    }
    return answers;
  });
  const env = { ...io.env, ...typed };
  orFail(readCredentials(environment, env));
  return { ...context, io: { ...io, env } };
}

async function credentialsFor(
  environment: Environment,
  { passwordStdin, signal }: ConnectOptions,
  context: CommandContext,
): Promise<Credentials> {
  const { io } = await withCredentials(environment, { passwordStdin }, context);
  if (!passwordStdin) return orFail(readCredentials(environment, io.env));
  const password = await readPassword(io.stdin, signal);
  stopIf(signal);
  const { passwordFrom } = environment.credentials;
  return orFail(readCredentials(environment, { ...io.env, [passwordFrom]: orFail(password) }));
}

/** Starts the embedded service of an environment, for the credentials that it returns. */
export async function startEmbedded(
  environment: Environment,
  context: CommandContext,
  options: Pick<ServiceOptions, 'port' | 'onError'> = {},
): Promise<{ readonly service: RunningService; readonly credentials: Credentials }> {
  const { dataFolder } = environment;
  const database = databaseOf(environment);
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

/** A person wants it to stop, and nothing was written. */
function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted) refuse('interrupted', { isPending: false });
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
      if (length > MOST_BYTES) return unfit('input-too-long');
    }
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
  const bytes = Buffer.concat(chunks);
  // To replace what is wrong would make another password of it.
  if (!isUtf8(bytes)) return unfit('input-not-text');
  return success(bytes.toString('utf8').replace(/\r?\n$/, ''));
}

function unfit(why: 'input-too-long' | 'input-not-text'): Result<never> {
  return failure(error('invalid-credentials', { why }, { subject: '--password-stdin' }));
}
