import type { Diagnostic } from '../../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** So many environments at a time: each has a rate of its own, and a service may be the same for all. */
const AT_A_TIME = 4;

/** What `task` makes of each, in their order; so many at a time. */
export async function inParallel<T, R>(
  each: readonly T[],
  task: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = each.entries();
  const worker = async () => {
    for (const [at, one] of queue) results[at] = await task(one);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return results;
}

/** A context that says nothing itself and keeps what is wrong, each problem with the name of its environment. */
export function collecting(context: CommandContext) {
  const problems: Diagnostic[] = [];
  const silent: CommandContext = {
    ...context,
    quiet: true,
    print: () => {},
    note: () => {},
    complain: (diagnostics) => void problems.push(...diagnostics),
  };
  const named = (problem: Diagnostic) => ({
    ...problem,
    message: `${context.environmentName}: ${problem.message}`,
  });
  return { context: silent, problems: (): readonly Diagnostic[] => problems.map(named) };
}

/** What needs a person first outranks what a second run may settle. */
const order: readonly ExitCode[] = [
  exitCode.interrupted,
  exitCode.unknown,
  exitCode.error,
  exitCode.locked,
  exitCode.blocked,
  exitCode.changes,
];

/** The one exit code of several environments. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return order.find((code) => codes.includes(code)) ?? exitCode.done;
}
