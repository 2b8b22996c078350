import { type Diagnostic, error, type Problems, type Result, type Rule } from '../text/diagnostic.ts';

/** What a pipeline learns from the exit. */
export const exitCode = {
  done: 0,
  error: 1,
  changes: 2,
  blocked: 3,
  unknown: 4,
  locked: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** How a command ends if nothing fails: one that gives no exit code is done. */
export type Ending = Awaited<Promise<ExitCode> | Promise<void>>;

export function codeOf(ending: Ending): ExitCode {
  return typeof ending === 'number' ? ending : exitCode.done;
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

export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return order.find((code) => codes.includes(code)) ?? exitCode.done;
}

/**
 * Ends a command. `runCommand` catches it, reports its problems and exits with its code; there are none where a person
 * said no. What a command still holds (a lock, a connection) is let go of in a `finally`.
 */
export class CommandFailure extends Error {
  readonly problems: readonly Diagnostic[];
  readonly exitCode: ExitCode;

  constructor(problems: readonly Diagnostic[], code: ExitCode = exitCode.error) {
    super(problems.map(({ rule }) => rule).join('; '));
    this.problems = problems;
    this.exitCode = code;
  }
}

export function fail(problems: readonly Diagnostic[], code?: ExitCode): never {
  throw new CommandFailure(problems, code);
}

/** The same, unless there is no problem. */
export function failOn(problems: readonly Diagnostic[]): void {
  if (problems.length > 0) fail(problems);
}

export function refuse<R extends Rule>(
  rule: R,
  values: Problems[R],
  rest?: Omit<Partial<Diagnostic>, 'rule' | 'values'>,
  code?: ExitCode,
): never {
  throw new CommandFailure([error(rule, values, rest)], code);
}

/** The value of a result; a command ends where there is none. */
export function orFail<T>(result: Result<T>): T {
  return result.ok ? result.value : fail(result.diagnostics);
}
