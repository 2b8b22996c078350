import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';

/** Makes of a command what commander calls: it is given its context, and its exit code is passed on. */
export type Run = <Arguments extends readonly unknown[]>(
  action: (context: CommandContext, ...rest: Arguments) => Promise<ExitCode>,
) => (...rest: unknown[]) => Promise<void>;
