import { resolve } from 'node:path';
import { selectEnvironments } from '../environment/find.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import {
  type CommandContext,
  type Contexts,
  catalogFolderOf,
  commandContext,
  type GlobalOptions,
  type Io,
  wantedEnvironments,
} from './context.ts';
import { CommandFailure, type ExitCode, orFail, refuse } from './exit-code.ts';

/** Imports a command, so that it is loaded when it runs. */
type Load<Where, Arguments extends readonly unknown[]> = () => Promise<
  (where: Where, ...rest: Arguments) => Promise<ExitCode>
>;

/** What commander calls: with arguments, options and then the command itself. */
type Listener = (...rest: unknown[]) => Promise<void>;

/** Runs commands: gives them their context, reports why one ended early, and passes its exit code to `finish`. */
export class Runner {
  readonly #io: Io;
  readonly #options: () => GlobalOptions;
  readonly #finish: (code: ExitCode) => void;

  constructor(io: Io, options: () => GlobalOptions, finish: (code: ExitCode) => void) {
    this.#io = io;
    this.#options = options;
    this.#finish = finish;
  }

  /** A command that takes one environment. */
  one<A extends readonly unknown[]>(load: Load<CommandContext, A>): Listener {
    return this.several<A>(async () => {
      const command = await load();
      return (contexts, ...rest) =>
        contexts.length === 1 ? command(contexts[0], ...rest) : takesOne(contexts);
    });
  }

  /** A command that takes several environments. */
  several<A extends readonly unknown[]>(load: Load<Contexts, A>): Listener {
    return (...rest) => this.#run(async () => (await load())(await this.#selected(), ...passed<A>(rest)));
  }

  /** A command whose first `names` arguments are environments; `-e` may only repeat one of them. */
  named<A extends readonly unknown[]>(names: number, load: Load<CommandContext, A>): Listener {
    return (...rest) =>
      this.#run(async () => {
        const { env = [] } = this.#options();
        const others = env.filter((name) => name !== '' && !rest.slice(0, names).includes(name));
        if (others.length > 0) namesItself(others);
        // The default environment, so that no flag for another one gets into printed commands.
        return (await load())(this.#context('local'), ...passed<A>(rest));
      });
  }

  async #run(command: () => Promise<ExitCode>): Promise<void> {
    try {
      this.#finish(await command());
    } catch (cause) {
      if (!(cause instanceof CommandFailure)) throw cause;
      this.#context().reportErrors(cause.problems);
      this.#finish(cause.exitCode);
    }
  }

  async #selected(): Promise<Contexts> {
    const [io, options] = [this.#io, this.#options()];
    const folder = resolve(io.cwd, catalogFolderOf(io, options));
    const names = orFail(await selectEnvironments(wantedEnvironments(io, options), folder));
    const [first = this.#context(), ...others] = names.map((name) => this.#context(name));
    return [first, ...others];
  }

  #context(name?: string): CommandContext {
    return commandContext(this.#io, this.#options(), name);
  }
}

function passed<A extends readonly unknown[]>(rest: readonly unknown[]): A {
  return rest.slice(0, -1) as unknown as A;
}

function takesOne(contexts: Contexts): never {
  const names = contexts.map(({ environmentName }) => environmentName).join(', ');
  const message = `this command takes one environment, and ${contexts.length} were given: ${names}`;
  return refuse('one-environment', message, { hint: 'name one with -e' });
}

function namesItself(others: readonly string[]): never {
  const message = `-e names ${others.join(', ')}, and this command takes its environments as arguments`;
  return refuse('one-environment', message, { hint: 'leave -e out; to see the arguments: trove env --help' });
}

const ASSIGNMENT = /^([A-Z_][A-Z0-9_]*)=/;

/** A URL with a user and a password in it. */
const WITH_PASSWORD = /:\/\/[^/\s@]*:[^\s@]*@/;

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
  const assigned = given.map((text) => ASSIGNMENT.exec(text)?.[1]).find((name) => name !== undefined);
  if (assigned !== undefined) {
    const message = `an argument assigns \`${assigned}\` a value, which is not repeated here`;
    return error('credentials-in-argument', message, { hint: 'variables go before the command' });
  }
  const found = places.find(({ text }) => WITH_PASSWORD.test(text));
  if (!found) return undefined;
  const message = `${found.called} contains a URL with a password, which is not repeated here`;
  const hint = 'credentials come from the variables that the environment names, or from --password-stdin';
  return error('credentials-in-argument', message, { hint });
}
