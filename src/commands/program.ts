import { Argument, Option } from 'commander';
import { version } from '../version.ts';
import type { GlobalOptions, Io } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import {
  addHelping,
  FormatsOption,
  formatOption,
  passwordOption,
  pointToHelp,
  repeatable,
  TroveCommand,
  wholeNumber,
} from './options.ts';
import { createRunner, type Runner } from './run.ts';

/** The command line. Each command is loaded when it runs; `finish` is told its exit code. */
export function program(io: Io, finish: (code: ExitCode) => void): TroveCommand {
  const trove = new TroveCommand('trove')
    .description("Makes a team's records in the item service match a catalog of YAML files.")
    .version(version)
    .option('--catalog <dir>', 'folder of the catalog (TROVE_CATALOG)')
    .addOption(
      repeatable('-e, --env <name>', 'environment (TROVE_ENV; default: local, the embedded service)'),
    )
    .option('--no-color', 'plain text, also on a terminal')
    .option('--quiet', 'results and errors only')
    .option('--debug', 'tell more on standard error; never a secret')
    .example('trove init', 'begin a catalog')
    .example('trove validate', 'check it')
    .example('trove plan', 'see what apply would do')
    .example('trove apply', 'do it, after asking')
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
  pointToHelp(trove, '');
  return trove;
}

function addAuthoring(trove: TroveCommand, run: Runner): void {
  trove
    .add('init', 'begin a catalog that works as it is; nothing is overwritten')
    .argument('[folder]', 'of the project; the catalog goes below it (default: this one)')
    .addOption(new Option('--example', 'begin with two classifiers and two items').conflicts('empty'))
    .option('--empty', 'begin with nothing declared')
    .option('--base-url <url>', 'also an environment at this service, named by -e (default: staging)')
    .option('--team-id <id>', 'the team of that environment')
    .example('trove init', 'here; on a terminal it asks')
    .example('trove init game --empty', 'in game/catalog, nothing declared')
    .example('trove init --base-url URL --team-id ID', 'with an environment staging')
    .action(run.one(async () => (await import('./init.ts')).init));
  trove
    .add('fmt', 'give files their one form: order of keys, indent; comments stay with what they belong to')
    .argument('[files...]', 'catalog and environment files, or folders of them (default: all)')
    .option('--check', 'change nothing, show what would change, and exit with 1 where something would')
    .example('trove fmt', 'every file of the catalog')
    .example('trove fmt catalog/items', 'those below a folder')
    .example('trove fmt --check', 'in a pipeline: show, change nothing')
    .action(run.one(async () => (await import('./fmt.ts')).fmt));
}

function addReading(trove: TroveCommand, run: Runner): void {
  trove
    .add('validate', 'check the catalog and the environment, and tell every problem at once')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'gitlab', 'sarif'))
    .example('trove validate', 'the catalog and all environments')
    .example('trove validate --catalog game/catalog', 'another catalog')
    .action(run.one(async () => (await import('./validate.ts')).validate));
  trove
    .add('plan', 'show what apply would do, from files alone')
    .addPlanOptions()
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .option('--out <file>', 'save the plan for: trove apply FILE')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .example('trove plan', 'for the embedded service')
    .example('trove plan -e staging --out plan.json', 'save it for trove apply')
    .example('trove plan --target item.iron-sword', 'this, and what it needs')
    .example('trove plan --format html=plan.html', 'a page for a designer')
    .example('trove plan --format markdown', 'for a comment on a pull request')
    .example('trove plan --detailed-exitcode', 'exit with 2 where there are changes')
    .action(run.several(async () => (await import('./plan.ts')).plan));
  trove
    .add('show', 'show a saved plan, or what an apply did; needs no catalog')
    .argument('<file>', 'of trove plan --out, or of trove apply --format ndjson')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .example('trove show plan.json', 'what a saved plan holds')
    .example('trove show plan.json --format markdown', 'for a comment')
    .example('trove show apply.ndjson', 'what an apply did')
    .action(run.one(async () => (await import('./show.ts')).show));
  trove
    .add('doctor', 'check everything that can be checked without a write, and say what to do next')
    .addOption(formatOption())
    .addOption(passwordOption())
    .example('trove doctor -e staging', 'what this environment still needs')
    .action(run.one(async () => (await import('./doctor.ts')).doctor));
  trove
    .add('spaces', "list a user's spaces and their grids")
    .argument('[user-id]', 'default: userId of the environment')
    .addOption(formatOption())
    .addOption(passwordOption())
    .example('trove spaces -e staging', 'of the user of the environment')
    .example('trove spaces user_1 -e staging', 'of another user')
    .action(run.one(async () => (await import('./spaces.ts')).spaces));
}

function addWriting(trove: TroveCommand, run: Runner): void {
  trove
    .add('apply', 'make the environment as the catalog declares it')
    .addPlanOptions()
    .argument('[plan-file]', 'a plan saved by trove plan --out: exactly that is done, once')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--parallel <n>', 'most writes at a time', wholeNumber(1, 256), 16)
    .addOption(formatOption().choices(['text', 'json', 'ndjson']))
    .addOption(passwordOption())
    .example('trove apply', 'plan, ask, and do it')
    .example('trove apply -e staging --yes', 'in a pipeline')
    .example('trove apply -e staging plan.json', 'exactly a saved plan, once')
    .example('trove apply --replace classifier.rarity', 'create it anew')
    .example('trove apply -e staging --reassert', 'undo edits made elsewhere')
    .action(run.several(async () => (await import('./apply.ts')).apply));
  trove
    .add('probe', 'find out what the service does where its interface is silent, by experiment')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--again', 'also what was found out before')
    .addOption(formatOption())
    .addOption(passwordOption())
    .example('trove probe -e staging', 'say what would be left behind, and ask')
    .example('trove probe -e staging --again', 'also what was found out before')
    .action(run.one(async () => (await import('./probe.ts')).probe));
  trove
    .add('resolve', 'say what became of a create whose outcome nobody saw')
    .argument('[address]', 'a pending create; without it all are listed')
    .option('--id <id>', 'the service has it under this id')
    .option('--not-created', 'the service does not have it')
    .addOption(passwordOption())
    .example('trove resolve -e staging', 'list what is pending')
    .example('trove resolve classifier.rarity --id c-17', 'it exists under this id')
    .example('trove resolve classifier.rarity --not-created', 'it does not exist')
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

function addImport(trove: TroveCommand, run: Runner): void {
  trove
    .add('import', 'record ids of what exists in the service already; nothing is sent')
    .argument('[address]', 'a declared item or classifier: item.iron-sword')
    .argument('[id]', 'the id that the service has it under')
    .option('--file <file>', 'many of them, as YAML, JSON or CSV')
    .option('--dry-run', 'check and show them, and record nothing')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .addOption(formatOption())
    .addHelpText('after', importFile)
    .example('trove import item.iron-sword i-17', 'one record')
    .example('trove import --file ids.csv --dry-run', 'check many, record nothing')
    .action(run.one(async () => (await import('./import-ids.ts')).importIds));
}

function addState(trove: TroveCommand, run: Runner): void {
  const state = trove
    .add('state', 'look after the state')
    .example('trove state list', 'all addresses with their ids')
    .example('trove state show item.iron-sword', 'what was answered, and when')
    .example('trove state mv --help', 'each has examples, too');
  state
    .add('list', 'everything that is recorded, with its id')
    .addOption(formatOption())
    .example('trove state list -e staging', 'all addresses with their ids')
    .action(run.one(async () => (await import('./state-commands.ts')).stateList));
  state
    .add('show', 'all that is recorded of one address')
    .argument('<address>', 'a recorded item or classifier')
    .addOption(formatOption())
    .example('trove state show item.iron-sword', 'what was answered, and when')
    .action(run.one(async () => (await import('./state-commands.ts')).stateShow));
  state
    .add('pull', 'print the whole state as JSON')
    .example('trove state pull -e staging > state.json', 'a copy, for trove state push')
    .action(run.one(async () => (await import('./state-commands.ts')).statePull));
  state
    .add('mv', 'record a resource under another address; nothing is sent')
    .argument('<from>', 'as it is recorded now')
    .argument('<to>', 'an address of the same kind that nothing is recorded for')
    .example('trove state mv item.sword item.iron-sword', 'after its key was changed')
    .action(run.one(async () => (await import('./state-commands.ts')).stateMove));
  state
    .add('forget', 'lose the ids of an address on purpose; nothing is sent')
    .argument('<address>', 'a recorded item or classifier')
    .option('--yes', 'do not ask')
    .example('trove state forget item.iron-sword', 'after asking')
    .action(run.one(async () => (await import('./state-commands.ts')).stateForget));
  state
    .add('push', 'replace the state by a file')
    .argument('<file>', 'a state, as trove state pull prints it')
    .option('--force', 'also where it is older, of another history, or would lose ids')
    .example('trove state push -e staging state.json', 'put a copy back')
    .action(run.one(async () => (await import('./state-commands.ts')).statePush));
  state
    .add('unlock', 'remove the lock that a run left behind')
    .option('--force', 'also where that run may still be going on')
    .option('--yes', 'do not ask, also where it surely is')
    .example('trove state unlock -e staging', 'after a run was killed')
    .action(run.one(async () => (await import('./state-commands.ts')).stateUnlock));
}

/** The commands below `trove env`. They name environments as arguments. */
function addEnvironments(trove: TroveCommand, run: Runner): void {
  const env = trove
    .add('env', 'look after the environments of the catalog')
    .example('trove env list', 'all of them, and what is open')
    .example('trove env add --help', 'each has examples, too');
  env
    .add('list', 'every environment: its target, what is recorded, and what is open')
    .addOption(formatOption())
    .example('trove env list', 'all of them, and what is open')
    .action(run.named(0, async () => (await import('./env-commands.ts')).envList));
  env
    .add('add', 'write the file of a new environment; on a terminal, what is missing is asked')
    .argument('<name>', 'of the new environment: lower-case words joined by - or _')
    .option('--from <env>', 'copy its file, with what is of one team only changed')
    .option('--base-url <url>', 'address of the service; its last path segment is api')
    .option('--team-id <id>', 'the team whose records these are')
    .option('--user-id <id>', 'its spaces are read before the first write')
    .option('--username-from <variable>', 'variable with the username (default: NAME_USERNAME)')
    .option('--password-from <variable>', 'variable with the password (default: NAME_PASSWORD)')
    .addOption(new Option('--service <service>', 'the service that Trove brings along').choices(['embedded']))
    .example('trove env add qa --from staging', 'it asks for the rest')
    .example('trove env add qa --base-url URL --team-id ID', 'from a template')
    .action(run.named(1, async () => (await import('./env-commands.ts')).envAdd));
  env
    .add('diff', 'what two teams have differently, by files and last answers')
    .argument('<one>', 'an environment')
    .argument('<other>', 'another one')
    .addOption(formatOption())
    .option('--exit-code', 'exit with 2 where something differs')
    .example('trove env diff staging qa', 'what these two have differently')
    .action(run.named(2, async () => (await import('./env-commands.ts')).envDiff));
}

function addServing(trove: TroveCommand, run: Runner): void {
  trove
    .add('serve', 'run the embedded service by itself')
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
    .example('trove serve --port 8787 --db service.db', 'for teams on this machine')
    .example('trove serve --print-dialect', 'what it can be told to do')
    .action(run.one(async () => (await import('./serve.ts')).serve));
}

/** Completing takes the environment from no variable: it must go on where that names none. */
function addCompleting(trove: TroveCommand, run: Runner): void {
  trove
    .add('completion', 'print what makes a shell complete commands, flags, environments and addresses')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .example('source <(trove completion bash)', 'in ~/.bashrc')
    .example('source <(trove completion zsh)', 'in ~/.zshrc, behind compinit')
    .example('trove completion fish | source', 'in config.fish')
    .action(run.one(async () => (await import('./complete.ts')).completion));
  trove
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(run.named(0, async () => (await import('./complete.ts')).complete));
}
