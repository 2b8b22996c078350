import { Argument, Command, Option } from 'commander';
import { version } from '../version.ts';
import { shells } from './completion.ts';
import type { GlobalOptions, Io } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { addExamples, addHelping, pointToHelp } from './help.ts';
import {
  FormatsOption,
  formatOption,
  passwordOption,
  repeatable,
  wholeNumber,
  withPlanOptions,
} from './options.ts';
import { createRunner, type Runner } from './run.ts';

/** The command line. Each command is loaded when it runs; `finish` is told its exit code. */
export function program(io: Io, finish: (code: ExitCode) => void): Command {
  const trove = new Command('trove')
    .description("Makes a team's records in the item service match a catalog of YAML files.")
    .version(version)
    .option('--catalog <dir>', 'folder of the catalog (TROVE_CATALOG)')
    .addOption(
      repeatable('-e, --env <name>', 'environment (TROVE_ENV; default: local, the embedded service)'),
    )
    .option('--no-color', 'plain text, also on a terminal')
    .option('--quiet', 'results and errors only')
    .option('--debug', 'tell more on standard error; never a secret')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .exitOverride();
  const run = createRunner(io, () => trove.opts<GlobalOptions>(), finish);
  addAuthoring(trove, run);
  addReading(trove, run);
  addWriting(trove, run);
  addImport(trove, run);
  addState(trove, run);
  addEnvironments(trove, run);
  addServing(trove, run);
  addCompleting(trove, run);
  addHelping(trove);
  addExamples(trove);
  pointToHelp(trove, '');
  return trove;
}

function addAuthoring(trove: Command, run: Runner): void {
  trove
    .command('init')
    .argument('[folder]', 'of the project; the catalog goes below it (default: this one)')
    .description('begin a catalog that works as it is; nothing is overwritten')
    .addOption(new Option('--example', 'begin with two classifiers and two items').conflicts('empty'))
    .option('--empty', 'begin with nothing declared')
    .option('--base-url <url>', 'also an environment at this service, named by -e (default: staging)')
    .option('--team-id <id>', 'the team of that environment')
    .action(run.one(async () => (await import('./init.ts')).init));
  trove
    .command('fmt')
    .argument('[files...]', 'catalog and environment files, or folders of them (default: all)')
    .description('give files their one form: order of keys, indent; comments stay with what they belong to')
    .option('--check', 'change nothing, show what would change, and exit with 1 where something would')
    .action(run.one(async () => (await import('./fmt.ts')).fmt));
}

function addReading(trove: Command, run: Runner): void {
  trove
    .command('validate')
    .description('check the catalog and the environment, and tell every problem at once')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'gitlab', 'sarif'))
    .action(run.one(async () => (await import('./validate.ts')).validate));
  withPlanOptions(trove.command('plan'))
    .description('show what apply would do, from files alone')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .option('--out <file>', 'save the plan for: trove apply FILE')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .action(run.several(async () => (await import('./plan.ts')).plan));
  trove
    .command('show')
    .argument('<file>', 'of trove plan --out, or of trove apply --format ndjson')
    .description('show a saved plan, or what an apply did; needs no catalog')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .action(run.one(async () => (await import('./show.ts')).show));
  trove
    .command('doctor')
    .description('check everything that can be checked without a write, and say what to do next')
    .addOption(formatOption())
    .addOption(passwordOption())
    .action(run.one(async () => (await import('./doctor.ts')).doctor));
  trove
    .command('spaces')
    .argument('[user-id]', 'default: userId of the environment')
    .description("list a user's spaces and their grids")
    .addOption(formatOption())
    .addOption(passwordOption())
    .action(run.one(async () => (await import('./spaces.ts')).spaces));
}

function addWriting(trove: Command, run: Runner): void {
  withPlanOptions(trove.command('apply'))
    .argument('[plan-file]', 'a plan saved by trove plan --out: exactly that is done, once')
    .description('make the environment as the catalog declares it')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--parallel <n>', 'most writes at a time', wholeNumber(1, 256), 16)
    .addOption(formatOption().choices(['text', 'json', 'ndjson']))
    .addOption(passwordOption())
    .action(run.several(async () => (await import('./apply.ts')).apply));
  trove
    .command('probe')
    .description('find out what the service does where its interface is silent, by experiment')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--again', 'also what was found out before')
    .addOption(formatOption())
    .addOption(passwordOption())
    .action(run.one(async () => (await import('./probe.ts')).probe));
  trove
    .command('resolve')
    .argument('[address]', 'a pending create; without it all are listed')
    .description('say what became of a create whose outcome nobody saw')
    .option('--id <id>', 'the service has it under this id')
    .option('--not-created', 'the service does not have it')
    .addOption(passwordOption())
    .action(run.one(async () => (await import('./resolve.ts')).resolve));
}

const importFile = `
A file names an id for each address; an option's id goes with its classifier's:
  ids.yaml  item.iron-sword: 5f2c
            classifier.rarity: { id: 8d41, options: { rare: 91ab } }
  ids.json  the same as JSON
  ids.csv   address,id
            item.iron-sword,5f2c
            classifier.rarity,8d41
            classifier.rarity.rare,91ab
`;

function addImport(trove: Command, run: Runner): void {
  trove
    .command('import')
    .argument('[address]', 'a declared item or classifier: item.iron-sword')
    .argument('[id]', 'the id that the service has it under')
    .description('record ids of what exists in the service already; nothing is sent')
    .option('--file <file>', 'many of them, as YAML, JSON or CSV')
    .option('--dry-run', 'check and show them, and record nothing')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .addOption(formatOption())
    .addHelpText('after', importFile)
    .action(run.one(async () => (await import('./import-ids.ts')).importIds));
}

function addState(trove: Command, run: Runner): void {
  const state = trove.command('state').description('look after the state');
  state
    .command('list')
    .description('everything that is recorded, with its id')
    .addOption(formatOption())
    .action(run.one(async () => (await import('./state-read.ts')).stateList));
  state
    .command('show')
    .argument('<address>', 'a recorded item or classifier')
    .description('all that is recorded of one address')
    .addOption(formatOption())
    .action(run.one(async () => (await import('./state-read.ts')).stateShow));
  state
    .command('pull')
    .description('print the whole state as JSON')
    .action(run.one(async () => (await import('./state-read.ts')).statePull));
  state
    .command('mv')
    .argument('<from>', 'as it is recorded now')
    .argument('<to>', 'an address of the same kind that nothing is recorded for')
    .description('record a resource under another address; nothing is sent')
    .action(run.one(async () => (await import('./state-change.ts')).stateMove));
  state
    .command('forget')
    .argument('<address>', 'a recorded item or classifier')
    .description('lose the ids of an address on purpose; nothing is sent')
    .option('--yes', 'do not ask')
    .action(run.one(async () => (await import('./state-change.ts')).stateForget));
  state
    .command('push')
    .argument('<file>', 'a state, as trove state pull prints it')
    .description('replace the state by a file')
    .option('--force', 'also where it is older, of another history, or would lose ids')
    .action(run.one(async () => (await import('./state-change.ts')).statePush));
  state
    .command('unlock')
    .description('remove the lock that a run left behind')
    .option('--force', 'also where that run may still be going on')
    .option('--yes', 'do not ask, also where it surely is')
    .action(run.one(async () => (await import('./state-unlock.ts')).stateUnlock));
}

/** The commands below `trove env`. They name environments as arguments. */
function addEnvironments(trove: Command, run: Runner): void {
  const env = trove.command('env').description('look after the environments of the catalog');
  env
    .command('list')
    .description('every environment: its target, what is recorded, and what is open')
    .addOption(formatOption())
    .action(run.named(0, async () => (await import('./env-list.ts')).envList));
  env
    .command('add')
    .argument('<name>', 'of the new environment: lower-case words joined by - or _')
    .description('write the file of a new environment; on a terminal, what is missing is asked')
    .option('--from <env>', 'copy its file, with what is of one team only changed')
    .option('--base-url <url>', 'address of the service; its last path segment is api')
    .option('--team-id <id>', 'the team whose records these are')
    .option('--user-id <id>', 'its spaces are read before the first write')
    .option('--username-from <variable>', 'variable with the username (default: NAME_USERNAME)')
    .option('--password-from <variable>', 'variable with the password (default: NAME_PASSWORD)')
    .addOption(new Option('--service <service>', 'the service that Trove brings along').choices(['embedded']))
    .action(run.named(1, async () => (await import('./env-add.ts')).envAdd));
  env
    .command('diff')
    .argument('<one>', 'an environment')
    .argument('<other>', 'another one')
    .description('what two teams have differently, by files and last answers')
    .addOption(formatOption())
    .option('--exit-code', 'exit with 2 where something differs')
    .action(run.named(2, async () => (await import('./env-diff.ts')).envDiff));
}

function addServing(trove: Command, run: Runner): void {
  trove
    .command('serve')
    .description('run the embedded service by itself')
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--db <file>', 'database file; required unless --print-dialect')
    .option('--world <file>', 'teams, users, spaces and attributes (JSON)')
    .option('--faults <file>', 'what goes wrong on purpose (JSON)')
    .option('--dialect <file>', 'what it does where the interface is silent (YAML or JSON)')
    .option('--print-dialect', 'show every point of the dialect with its values, and stop')
    .option(
      '--seed <n>',
      'draws the order of answers where the dialect shuffles it',
      wholeNumber(0, 2 ** 32 - 1),
      0,
    )
    .option('--allow-remote', 'listen on addresses that other machines can reach')
    .action(run.one(async () => (await import('./serve.ts')).serve));
}

/** Completing takes the environment from no variable: it must go on where that names none. */
function addCompleting(trove: Command, run: Runner): void {
  trove
    .command('completion')
    .addArgument(new Argument('<shell>').choices(shells))
    .description('print what makes a shell complete commands, flags, environments and addresses')
    .action(run.one(async () => (await import('./completion.ts')).completion));
  trove
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(
      run.named(0, async () => {
        const { complete } = await import('./complete.ts');
        return (context, words: readonly string[]) => complete(context, trove, words);
      }),
    );
}
