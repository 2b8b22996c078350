import { resolve } from 'node:path';
import { selectEnvironments } from '../../environment/find.ts';
import { error } from '../../text/diagnostic.ts';
import {
  type CommandContext,
  catalogFolderOf,
  commandContext,
  wantedEnvironments,
} from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import type { GlobalOptions, Io } from '../invocation/io.ts';

type Action<Where, Arguments extends readonly unknown[]> = (
  where: Where,
  ...rest: Arguments
) => Promise<ExitCode>;

/**
 * Makes of a command what commander calls: it is given its context, and its exit code is passed on. `several` is
 * what it does with more than one environment; without it, one is all that it takes.
 */
export type Run = <Arguments extends readonly unknown[]>(
  action: Action<CommandContext, Arguments>,
  several?: Action<readonly CommandContext[], Arguments>,
) => (...rest: unknown[]) => Promise<void>;

export function createRun(io: Io, options: () => GlobalOptions, finish: (code: ExitCode) => void): Run {
  return <Arguments extends readonly unknown[]>(
    action: Action<CommandContext, Arguments>,
    several?: Action<readonly CommandContext[], Arguments>,
  ) =>
    async (...rest: unknown[]) => {
      // Commander passes arguments, options and then the command itself.
      const passed = rest.slice(0, -1) as unknown as Arguments;
      const given = options();
      const wanted = wantedEnvironments(io, given);
      const selected = await selectEnvironments(wanted, resolve(io.cwd, catalogFolderOf(io, given)));
      const contexts = selected.ok ? selected.value.map((name) => commandContext(io, given, name)) : [];
      const [context = commandContext(io, given)] = contexts;
      if (!selected.ok) finish(complain(context, selected.diagnostics));
      else if (contexts.length === 1) finish(await action(context, ...passed));
      else if (several) finish(await several(contexts, ...passed));
      else finish(complain(context, [takesOne(selected.value)]));
    };
}

/** For a command whose first `names` arguments are environments; `-e` may only repeat one of them. */
export type RunNamed = <Arguments extends readonly unknown[]>(
  action: Action<CommandContext, Arguments>,
  names: number,
) => (...rest: unknown[]) => Promise<void>;

export function createRunNamed(
  io: Io,
  options: () => GlobalOptions,
  finish: (code: ExitCode) => void,
): RunNamed {
  return <Arguments extends readonly unknown[]>(action: Action<CommandContext, Arguments>, names: number) =>
    async (...rest: unknown[]) => {
      const passed = rest.slice(0, -1) as unknown as Arguments;
      const given = options();
      // The default environment, so that no flag for another one gets into printed commands.
      const context = commandContext(io, given, 'local');
      const named: readonly unknown[] = passed.slice(0, names);
      const others = (given.env ?? []).filter((name) => name !== '' && !named.includes(name));
      if (others.length > 0) finish(complain(context, [namesItself(others)]));
      else finish(await action(context, ...passed));
    };
}

function complain(context: CommandContext, diagnostics: Parameters<CommandContext['complain']>[0]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}

function takesOne(names: readonly string[]) {
  const message = `this command takes one environment, and ${names.length} were given: ${names.join(', ')}`;
  return error('one-environment', message, { hint: 'name one with -e' });
}

function namesItself(others: readonly string[]) {
  const message = `-e names ${others.join(', ')}, and this command takes its environments as arguments`;
  return error('one-environment', message, { hint: 'leave -e out; to see the arguments: trove env --help' });
}
