import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isLoopback } from '../contract/routes.ts';
import type { RunningService, ServiceOptions } from '../service/server.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { printDialect } from './serving/print-dialect.ts';
import { readDialect } from './serving/read-dialect.ts';
import { readFaults } from './serving/read-faults.ts';
import { readWorld } from './serving/read-world.ts';

export interface ServeOptions {
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
  if (!started.ok) {
    context.complain(started.diagnostics);
    return exitCode.error;
  }
  context.print(`Listening on ${started.value.url}\n`);
  await stopped;
  await started.value.close();
  return exitCode.done;
}

async function start(context: CommandContext, options: ServeOptions): Promise<Result<RunningService>> {
  if (!options.allowRemote && !isLoopback(options.host)) return failure(beyondLoopback(options.host));
  if (options.db === undefined) return failure(noDatabase);
  const settings = await readSettings(context, options);
  if (!settings.ok) return settings;
  const database = resolve(context.io.cwd, options.db);
  const folder = await ensureFolder(dirname(database));
  if (folder !== undefined) return failure(folder);
  const { startService } = await import('../service/server.ts');
  try {
    const { host, port, seed = 0 } = options;
    const onError = (cause: unknown) => tellFailure(context, cause);
    return success(await startService({ ...settings.value, seed, database, host, port, onError }));
  } catch (cause) {
    return failure(notStarted(cause as Error & { readonly code?: string }, options));
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

/** Of all files that are given, so that all their problems are told at once. */
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

async function ensureFolder(folder: string): Promise<Diagnostic | undefined> {
  try {
    await mkdir(folder, { recursive: true });
    return undefined;
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reason = folderProblems[code] ?? message;
    const hint = 'say with --db where the database file is to be';
    return error('database-folder', `the folder of the database can't be made: ${reason}`, {
      subject: folder,
      hint,
    });
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
function tellFailure({ debug, note }: CommandContext, cause: unknown): void {
  const { message, stack } = cause as Error;
  note(`the service failed to handle a request: ${debug ? stack : message}\n`);
}
