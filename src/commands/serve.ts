import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isLoopback } from '../contract/routes.ts';
import { renderSettings } from '../render/command-texts.ts';
import { type DialectPoint, defaultDialect, dialectPoints } from '../service/dialect.ts';
import type { RunningService, ServiceOptions } from '../service/server.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { readDialect, readFaults, readWorld } from './serve-settings.ts';

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** Needed unless the dialect is printed. */
  readonly db?: string;
  readonly world?: string;
  readonly faults?: string;
  readonly dialect?: string;
  readonly seed?: number;
  readonly printDialect?: boolean;
  readonly allowRemote?: boolean;
}

/**
 * `trove serve`: the embedded service by itself, until SIGINT or SIGTERM tells it to stop; then it finishes
 * what is under way and closes its database. The one line on stdout is its URL, once it listens.
 */
export async function serve(context: CommandContext, options: ServeOptions): Promise<ExitCode> {
  if (options.printDialect) return printDialect(context, options.dialect);
  const stopped = new Promise<void>((stop) => {
    context.io.onInterrupt(() => stop());
  });
  const started = await start(context, options);
  context.print(`Listening on ${started.url}\n`);
  await stopped;
  await started.close();
  return exitCode.done;
}

async function start(context: CommandContext, options: ServeOptions): Promise<RunningService> {
  if (!options.allowRemote && !isLoopback(options.host)) fail([beyondLoopback(options.host)]);
  if (options.db === undefined) return fail([noDatabase]);
  const settings = orFail(await readSettings(context, options));
  const database = resolve(context.io.cwd, options.db);
  await ensureFolder(dirname(database));
  const { startService } = await import('../service/server.ts');
  try {
    const { host, port, seed = 0 } = options;
    const onError = (cause: unknown) => noteFailure(context, cause);
    return await startService({ ...settings, seed, database, host, port, onError });
  } catch (cause) {
    return fail([notStarted(cause as Error & { readonly code?: string }, options)]);
  }
}

function notStarted(
  { code, message }: Error & { readonly code?: string },
  options: ServeOptions,
): Diagnostic {
  if (code !== 'EADDRINUSE') return error('serve', `the service could not be started: ${message}`);
  const taken = `${options.host}:${options.port} is in use by another program`;
  const hint = 'name another port with --port (0 takes a free one), or stop the program that has this one';
  return error('port-in-use', taken, { hint });
}

/** Of all files that are given, so that all their problems are reported at once. */
async function readSettings(
  { io }: CommandContext,
  options: ServeOptions,
): Promise<Result<Pick<ServiceOptions, 'world' | 'faults' | 'dialect'>>> {
  const world = options.world === undefined ? success({}) : await readWorld(options.world, io.cwd);
  const faults =
    options.faults === undefined ? success({ rules: [] }) : await readFaults(options.faults, io.cwd);
  const dialect = options.dialect === undefined ? success({}) : await readDialect(options.dialect, io.cwd);
  if (world.ok && faults.ok && dialect.ok)
    return success({ world: world.value, faults: faults.value, dialect: dialect.value });
  return failure(...[world, faults, dialect].flatMap((read) => (read.ok ? [] : read.diagnostics)));
}

const noDatabase = error('no-database', 'the service needs a file for its database', {
  hint: 'say which with --db FILE',
});

function beyondLoopback(host: string): Diagnostic {
  const message = `other machines could reach ${host}, and passwords come to the service in plain text`;
  const hint = 'leave out --host, or say --allow-remote if that is what you want';
  return error('beyond-loopback', message, { subject: '--host', hint });
}

async function ensureFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const failed = cause as NodeJS.ErrnoException;
    const reason = folderProblems[failed.code ?? ''] ?? failed.message;
    const hint = 'say with --db where the database file is to be';
    const message = `the folder of the database can't be made: ${reason}`;
    fail([error('database-folder', message, { subject: folder, hint })]);
  }
}

const folderProblems: Readonly<Record<string, string>> = {
  EEXIST: 'a file has its name',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'nothing can be written there',
  ENOSPC: 'there is no space left',
};

/** What the client sees as status 500. Messages and stacks are ours and the database's: no request is in them. */
function noteFailure({ debug, note }: CommandContext, cause: unknown): void {
  const { message, stack } = cause as Error;
  note(`the service failed to handle a request: ${debug ? stack : message}\n`);
}

/**
 * `trove serve --print-dialect`: every point with its value and what else it can be, as the
 * dialect file says where there is one.
 */
async function printDialect(context: CommandContext, file: string | undefined): Promise<ExitCode> {
  const read = orFail(file === undefined ? success({}) : await readDialect(file, context.io.cwd));
  const dialect = { ...defaultDialect, ...read };
  const rows = (Object.keys(dialectPoints) as DialectPoint[]).map((point) => ({
    name: point,
    value: String(dialect[point]),
    values: dialectPoints[point].map(String),
  }));
  context.print(renderSettings(rows));
  return exitCode.done;
}
