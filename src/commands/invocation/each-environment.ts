import type { Diagnostic } from '../../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** So many environments at a time: each has a rate of its own, and a service may be the same for all. */
const AT_A_TIME = 4;

/** Waits for what other tasks have to do first, and lets them have the place of this one. */
export type Aside = <W>(wait: () => Promise<W>) => Promise<W>;

/** What `task` makes of each, in their order; so many at a time. Where one throws, all others end first. */
export async function inParallel<T, R>(
  each: readonly T[],
  task: (one: T, aside: Aside) => Promise<R>,
): Promise<readonly R[]> {
  const queue: (() => void)[] = [];
  let free = AT_A_TIME;
  const enter = async () => {
    if (free === 0) await new Promise<void>((resolve) => queue.push(resolve));
    else free--;
  };
  const leave = () => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  const aside: Aside = async (wait) => {
    leave();
    try {
      return await wait();
    } finally {
      await enter();
    }
  };
  const run = async (one: T) => {
    await enter();
    try {
      return await task(one, aside);
    } finally {
      leave();
    }
  };
  const running = each.map(run);
  await Promise.allSettled(running);
  return Promise.all(running);
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
