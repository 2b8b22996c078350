import { selectEnvironments } from '../environment/find.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import {
  absoluteCatalog,
  type CommandContext,
  type Contexts,
  commandContext,
  type GlobalOptions,
  type Io,
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
  const contextOf = (name?: string) => commandContext(io, options(), name);
  const run = async (command: () => Promise<Ending>) => {
    try {
      finish(codeOf(await command()));
    } catch (cause) {
      if (!(cause instanceof CommandFailure)) throw cause;
      contextOf().reportErrors(cause.problems);
      finish(cause.exitCode);
    }
  };
  const selected = async (): Promise<Contexts> => {
    const folder = absoluteCatalog(contextOf());
    const names = orFail(await selectEnvironments(wantedEnvironments(io, options()), folder));
    const [first = contextOf(), ...others] = names.map(contextOf);
    return [first, ...others];
  };
  return {
    one(load: Load<CommandContext>): Listener {
      return (...rest) =>
        run(async () => {
          const command = await load();
          const contexts = await selected();
          if (contexts.length === 1) return command(contexts[0], ...(rest as never[]));
          const names = contexts.map(({ environmentName }) => environmentName).join(', ');
          const message = `this command takes one environment, and ${contexts.length} were given: ${names}`;
          return refuse('one-environment', message, { hint: 'name one with -e' });
        });
    },
    several(load: Load<Contexts>): Listener {
      return (...rest) => run(async () => (await load())(await selected(), ...(rest as never[])));
    },
    /** A command whose first `names` arguments are environments; `-e` may only repeat one of them. */
    named(names: number, load: Load<CommandContext>): Listener {
      return (...rest) =>
        run(async () => {
          const { env = [] } = options();
          const others = env.filter((name) => name !== '' && !rest.slice(0, names).includes(name));
          if (others.length > 0) {
            const message = `-e names ${others.join(', ')}, and this command takes its environments as arguments`;
            const hint = 'leave -e out; to see the arguments: trove env --help';
            refuse('one-environment', message, { hint });
          }
          // The default environment, so that no flag for another one gets into printed commands.
          return (await load())(contextOf('local'), ...(rest as never[]));
        });
    },
  };
}

const ASSIGNMENT = /^(?:-e|--env=)?\$?([\w.][\w.-]*)([=:])/;

const WITH_PASSWORD = /:\/{1,2}[^/\s@]+@|:\/\/[^/\s@]*:[^\s@]*@/;

/**
 * No command takes an assignment or a URL with a password, and many would repeat it: as a path that does not exist,
 * in a command to copy, in a report. So it is refused before any of them sees it.
 */
export function credentialsInArguments(
  given: readonly string[],
  { TROVE_CATALOG = '', TROVE_ENV = '' }: NodeJS.ProcessEnv,
): Diagnostic | undefined {
  const places = [
    ...given.map((text) => ({ text, called: 'an argument' })),
    { text: TROVE_CATALOG, called: 'TROVE_CATALOG' },
    { text: TROVE_ENV, called: 'TROVE_ENV' },
  ];
  const assigned = given.map(assignedIn).find((name) => name !== undefined);
  if (assigned !== undefined) {
    const message = `an argument assigns \`${assigned}\` a value, which is not repeated here`;
    const hint = `variables go before the command: ${assigned}=... trove ...`;
    return error('credentials-in-argument', message, { hint });
  }
  const found = places.find(({ text }) => WITH_PASSWORD.test(text));
  if (!found) return undefined;
  const message = `${found.called} contains a URL with a password, which is not repeated here`;
  const hint = 'credentials come from the variables that the environment names, or from --password-stdin';
  return error('credentials-in-argument', message, { hint });
}

/** The variable that an argument gives a value; a format with its file is none. */
function assignedIn(text: string): string | undefined {
  const [, name = '', sign] = ASSIGNMENT.exec(text) ?? [];
  const isVariable = sign === '=' && /^[A-Z_][A-Z0-9_]*$/.test(name);
  return isVariable || /password|secret|token/i.test(name) ? name : undefined;
}
