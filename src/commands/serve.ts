import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { error, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { readWorld } from './read-world.ts';

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly db: string;
  readonly world?: string;
}

/** `trove serve`: the embedded service by itself, until it is told to stop. Prints one line with its URL. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<ExitCode> {
  const { io } = context;
  const stopped = new Promise<void>((stop) => {
    io.onInterrupt(stop);
  });
  const world = options.world === undefined ? success({}) : await readWorld(options.world, io.cwd);
  if (!world.ok) {
    context.complain(world.diagnostics);
    return exitCode.error;
  }
  const { startService } = await import('../service/server.ts');
  try {
    const { host, port, db } = options;
    const database = resolve(io.cwd, db);
    await mkdir(dirname(database), { recursive: true });
    const service = await startService({ database, world: world.value, host, port });
    context.print(`Listening on ${service.url}\n`);
    await stopped;
    await service.close();
    return exitCode.done;
  } catch (cause) {
    context.complain([error('serve', `the service could not be started: ${(cause as Error).message}`)]);
    return exitCode.error;
  }
}
