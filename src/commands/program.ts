import { Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../version.ts';
import { type CommandContext, commandContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import type { GlobalOptions, Io } from './io.ts';

const examples = `
Examples:
  trove validate                     check the catalog
  trove plan                         what apply would do
  trove apply                        do it, after asking
  trove plan -e staging --out p.json && trove apply -e staging p.json
`;

/** The command line (DESIGN section 6). Each command is loaded when it runs; `finish` is told its exit code. */
export function program(io: Io, finish: (code: ExitCode) => void): Command {
  const trove = new Command('trove')
    .description("Makes a team's records in the item service match a catalog of YAML files.")
    .version(version)
    .option('--catalog <dir>', 'folder of the catalog (TROVE_CATALOG)')
    .option('-e, --env <name>', 'environment to use (TROVE_ENV; default: local, the embedded service)')
    .option('--no-color', 'plain text, also on a terminal')
    .option('--quiet', 'results and errors only')
    .option('--debug', 'tell more on standard error; never a secret')
    .addHelpText('after', examples)
    .showHelpAfterError('(trove --help shows what there is)')
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride();
  const run =
    <Arguments extends readonly unknown[]>(
      action: (context: CommandContext, ...rest: Arguments) => Promise<ExitCode>,
    ) =>
    async (...rest: unknown[]) => {
      // Commander passes arguments, options and then the command itself.
      const context = commandContext(io, trove.opts<GlobalOptions>());
      finish(await action(context, ...(rest.slice(0, -1) as unknown as Arguments)));
    };
  addReading(trove, run);
  addWriting(trove, run);
  addServing(trove, run);
  return trove;
}

type Run = <Arguments extends readonly unknown[]>(
  action: (context: CommandContext, ...rest: Arguments) => Promise<ExitCode>,
) => (...rest: unknown[]) => Promise<void>;

function addReading(trove: Command, run: Run): void {
  trove
    .command('validate')
    .description('check the catalog and the environment, and tell every problem at once')
    .action(run(async (context) => (await import('./validate.ts')).validate(context)));
  trove
    .command('plan')
    .description('show what apply would do, from files alone')
    .option('--format <format>', 'text, json or json=FILE; may be repeated', collect, [])
    .option('--out <file>', 'save the plan for: trove apply FILE')
    .addOption(targetOption())
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .action(run(async (context, options: never) => (await import('./plan.ts')).plan(context, options)));
  trove
    .command('spaces')
    .argument('[user-id]', 'default: userId of the environment')
    .description("list a user's spaces and their grids")
    .addOption(new Option('--format <format>').choices(['text', 'json']).default('text'))
    .addOption(passwordOption())
    .action(
      run(async (context, user: string | undefined, options: never) =>
        (await import('./spaces.ts')).spaces(context, user, options),
      ),
    );
}

function addWriting(trove: Command, run: Run): void {
  trove
    .command('apply')
    .argument('[plan-file]', 'a plan saved by trove plan --out: exactly that is done, once')
    .description('make the environment as the catalog declares it')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .addOption(targetOption())
    .option('--parallel <n>', 'most writes at a time', count, 16)
    .addOption(new Option('--format <format>').choices(['text', 'json']).default('text'))
    .addOption(passwordOption())
    .action(
      run(async (context, planFile: string | undefined, options: never) =>
        (await import('./apply.ts')).apply(context, planFile, options),
      ),
    );
  trove
    .command('resolve')
    .argument('[address]', 'a pending create; without it all are listed')
    .description('say what became of a create whose outcome nobody saw')
    .option('--id <id>', 'the service has it under this id')
    .option('--not-created', 'the service does not have it')
    .addOption(passwordOption())
    .action(
      run(async (context, address: string | undefined, options: never) =>
        (await import('./resolve.ts')).resolve(context, address, options),
      ),
    );
  trove
    .command('probe')
    .description('find out what the service does where its interface is silent, by experiment')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--again', 'also what was found out before')
    .addOption(new Option('--format <format>').choices(['text', 'json']).default('text'))
    .addOption(passwordOption())
    .action(run(async (context, options: never) => (await import('./probe.ts')).probe(context, options)));
  trove
    .command('state')
    .description('look after the state')
    .command('unlock')
    .description('remove the lock that a run left behind')
    .option('--force', 'also where that run may still be going on')
    .action(
      run(async (context, options: never) =>
        (await import('./state-unlock.ts')).stateUnlock(context, options),
      ),
    );
}

function addServing(trove: Command, run: Run): void {
  trove
    .command('serve')
    .description('run the embedded service by itself')
    .option('--port <n>', 'port to listen on; 0 takes a free one', port, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--db <file>', 'database file')
    .option('--world <file>', 'teams, users, spaces and attributes (JSON)')
    .option('--faults <file>', 'what goes wrong on purpose (JSON)')
    .option('--dialect <file>', 'what it does where the interface is silent (YAML or JSON)')
    .option('--print-dialect', 'show every point of the dialect with its values, and stop')
    .option('--seed <n>', 'draws the order of answers where the dialect shuffles it', seed, 0)
    .option('--allow-remote', 'listen on addresses that other machines can reach')
    .action(run(async (context, options: never) => (await import('./serve.ts')).serve(context, options)));
}

function targetOption(): Option {
  return new Option('--target <address>', 'only this and what it depends on; may be repeated')
    .argParser(collect)
    .default([]);
}

function passwordOption(): Option {
  return new Option('--password-stdin', 'read the password from standard input');
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

function count(value: string): number {
  return wholeNumber(value, 1, 256);
}

function port(value: string): number {
  return wholeNumber(value, 0, 65_535);
}

function seed(value: string): number {
  return wholeNumber(value, 0, 2 ** 32 - 1);
}

function wholeNumber(value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
}
