import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { World } from '../service/world.ts';
import { error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

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
  const { startService } = await import('../service/server.ts');
  try {
    const world = options.world === undefined ? {} : await readWorld(resolve(io.cwd, options.world));
    const { host, port, db } = options;
    const service = await startService({ database: resolve(io.cwd, db), world, host, port });
    context.print(`Listening on ${service.url}\n`);
    await stopped;
    await service.close();
    return exitCode.done;
  } catch (cause) {
    context.complain([error('serve', `the service could not be started: ${(cause as Error).message}`)]);
    return exitCode.error;
  }
}

async function readWorld(path: string): Promise<World> {
  return JSON.parse(await readFile(path, 'utf8')) as World;
}
