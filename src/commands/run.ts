import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { selectEnvironments } from '../environment/find.ts';
import { foundText, timesText } from '../render/command-texts.ts';
import { StateRepositories } from '../state/git/remote.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { countOf } from '../text/problem-list.ts';
import {
  type CommandContext,
  type Contexts,
  commandContext,
  type GlobalOptions,
  type Io,
  printedFlags,
  wantedEnvironments,
} from './context.ts';
import { CommandFailure, codeOf, type Ending, type ExitCode, orFail, refuse } from './exit-code.ts';

/** Imports a command, so that it is loaded when it runs. It gets what commander gives, by the types that it declares. */
type Load<Where> = () => Promise<(where: Where, ...rest: never[]) => Promise<ExitCode> | Promise<void>>;

/** What commander calls: with arguments, options and then the command itself. */
type Listener = (...rest: unknown[]) => Promise<void>;

export type Runner = ReturnType<typeof createRunner>;

/** Runs commands: gives them their context, reports why one ended early, and passes its exit code to `finish`. */
export function createRunner(io: Io, options: () => GlobalOptions, finish: (code: ExitCode) => void) {
  const shared = { times: new Map<string, number>(), repositories: new StateRepositories() };
  const contextOf = (name?: string, flags?: string) => commandContext(io, options(), shared, name, flags);
  const run = async (select: () => Promise<Contexts>, command: (contexts: Contexts) => Promise<Ending>) => {
    // Its flags are those of printed commands.
    let context = contextOf();
    const since = io.now().getTime();
    context.trace(`catalog ${context.catalogPath}`);
    try {
      const contexts = await select();
      context = contexts[0];
      finish(codeOf(await command(contexts)));
    } catch (cause) {
      if (!(cause instanceof CommandFailure)) throw cause;
      context.reportErrors(cause.problems);
      if (countOf(cause.problems) > 1) context.note(`\n${foundText(cause.problems)}.\n`);
      finish(cause.exitCode);
    } finally {
      await shared.repositories.remove();
      context.trace(timesText(shared.times, io.now().getTime() - since));
    }
  };
  const selected = async (): Promise<Contexts> => {
    const folder = contextOf().catalogPath;
    const names = orFail(await selectEnvironments(wantedEnvironments(io, options()), folder));
    const [first = contextOf(), ...others] = names.map((name) => contextOf(name));
    return [first, ...others];
  };
  return {
    one(load: Load<CommandContext>): Listener {
      return (...rest) =>
        run(selected, async (contexts) => {
          const environments = contexts.map(({ environmentName }) => environmentName);
          if (contexts.length > 1) refuse('one-environment', { why: 'several', environments });
          return (await load())(contexts[0], ...(rest as never[]));
        });
    },
    several(load: Load<Contexts>): Listener {
      return (...rest) => run(selected, async (contexts) => (await load())(contexts, ...(rest as never[])));
    },
    /** A command whose first `names` arguments are environments; `-e` may only repeat one of them. */
    named(names: number, load: Load<CommandContext>): Listener {
      // It refuses -e, so no flag for an environment may get into the commands that it prints.
      const flags = () => printedFlags(io, contextOf().catalogFolder);
      const local = async (): Promise<Contexts> => [contextOf('local', flags())];
      return (...rest) =>
        run(local, async ([context]) => {
          const { env = [] } = options();
          const environments = env.filter((name) => name !== '' && !rest.slice(0, names).includes(name));
          if (environments.length > 0) refuse('one-environment', { why: 'arguments', environments });
          return (await load())(context, ...(rest as never[]));
        });
    },
  };
}

/** A dash may have been made long by what it was pasted from. */
const ASSIGNMENT = /^(?:-e|--env=|[\u2012-\u2015])?\$?([\w.][\w.-]*)([=:])/;

const WITH_PASSWORD = /:\/{1,2}[^/\s@]+@|:\/\/[^/\s@]*:[^\s@]*@/;

/**
 * No command takes an assignment or a URL with a password, and many would repeat it: as a path that does not exist,
 * in a command to copy, in a report. So it is refused before any of them sees it.
 */
export function credentialsInArguments(
  given: readonly string[],
  { cwd, env: { TROVE_CATALOG = '', TROVE_ENV = '' } }: Pick<Io, 'cwd' | 'env'>,
): Diagnostic | undefined {
  const places = [
    ...given.map((text) => ({ text, place: 'argument' })),
    { text: TROVE_CATALOG, place: 'TROVE_CATALOG' },
    { text: TROVE_ENV, place: 'TROVE_ENV' },
  ];
  const variable = given.map(assignedIn).find((name) => name !== undefined);
  if (variable !== undefined) return error('credentials-in-argument', { why: 'assignment', variable });
  const found = places.find(({ text }) => WITH_PASSWORD.test(text));
  if (found) return error('credentials-in-argument', { why: 'url', place: found.place });
  const [flag, next = '-'] = given.slice(given.indexOf('--password-stdin'));
  const isPassword =
    given.includes('apply') &&
    flag === '--password-stdin' &&
    !next.startsWith('-') &&
    !existsSync(resolve(cwd, next));
  return isPassword ? error('credentials-in-argument', { why: 'password' }) : undefined;
}

/** The variable that an argument gives a value; a format with its file is none. */
function assignedIn(text: string): string | undefined {
  const [, name = '', sign] = ASSIGNMENT.exec(text) ?? [];
  const isVariable = sign === '=' && /^[A-Z_][A-Z0-9_]*$/.test(name);
  return isVariable || /passw|secret|token|^(?:pass|pwd)$/i.test(name) ? name : undefined;
}
