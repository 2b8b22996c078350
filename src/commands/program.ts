import { Argument, Option } from 'commander';
import { version } from '../version.ts';
import type { GlobalOptions, Io } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import {
  addHelping,
  collectEnvironments,
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
    .option('--catalog <dir>', 'catalog folder (TROVE_CATALOG; default: catalog, here or in a parent folder)')
    .addOption(
      repeatable(
        '-e, --env <name>',
        "environment, or a pattern such as 'team-*', which never matches local (TROVE_ENV; default: local, the embedded service)",
      ).argParser(collectEnvironments),
    )
    .option('--no-color', 'disable color')
    .option('--quiet', 'hide progress and notices')
    .option('--debug', 'print requests and times to standard error; never secrets')
    .example('trove init', 'create a catalog')
    .example('trove validate', 'check it')
    .example('trove plan', 'see what apply would change')
    .example('trove apply', 'apply the changes, after confirmation')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
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
  trove
    .add('version', 'print the version')
    .example('trove version', 'the same as trove --version')
    .action(() => void io.stdout.write(`${version}\n`));
  pointToHelp(trove, '');
  return trove;
}

function addAuthoring(trove: TroveCommand, run: Runner): void {
  trove
    .add('init', 'create a new catalog')
    .argument('[folder]', 'project folder (default: the current folder)')
    .addOption(
      new Option('--example', 'start with two classifiers and two items, without prompts').conflicts('empty'),
    )
    .option('--empty', 'start with an empty catalog, without prompts')
    .option('--base-url <url>', 'add an environment for this service: staging, unless -e names another')
    .option('--team-id <id>', 'team of that environment')
    .option('--user-id <id>', 'user of that environment, for trove doctor and trove spaces')
    .example('trove init', 'here; prompts on a terminal')
    .example('trove init game --empty', 'an empty catalog in game/catalog')
    .example('trove init --base-url URL --team-id ID', 'with the environment staging')
    .action(run.one(async () => (await import('./init.ts')).init));
  trove
    .add('fmt', 'format files: key order and indentation')
    .argument('[files...]', 'files or folders of the catalog (default: all)')
    .option('--check', 'write nothing; show changes and exit with 1 if there are any')
    .example('trove fmt', 'all files')
    .example('trove fmt catalog/items', 'one folder')
    .example('trove fmt --check', 'check in a pipeline')
    .action(run.one(async () => (await import('./fmt.ts')).fmt));
}

function addReading(trove: TroveCommand, run: Runner): void {
  trove
    .add('validate', 'check the catalog and its environments')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'gitlab', 'sarif'))
    .example('trove validate', 'the catalog and all environments')
    .example('trove validate --catalog game/catalog', 'another catalog')
    .action(run.one(async () => (await import('./validate.ts')).validate));
  trove
    .add('plan', 'show what apply would change')
    .addPlanOptions()
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .option('--out <file>', 'save the plan for trove apply FILE')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .example('trove plan', 'for the embedded service')
    .example('trove plan -e staging --out plan.json', 'save it for trove apply')
    .example('trove plan --target item.iron-sword', 'one item and its dependencies')
    .example('trove plan --format html=plan.html', 'a page for a designer')
    .example('trove plan --format markdown', 'for a comment on a pull request')
    .example('trove plan --detailed-exitcode', 'exit with 2 if there are changes')
    .action(run.several(async () => (await import('./plan.ts')).plan));
  trove
    .add('show', 'show a saved plan or a finished apply')
    .argument('<file>', 'from trove plan --out or trove apply --format ndjson')
    .option('--all', 'list every create in text, however many')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .example('trove show plan.json', 'a saved plan')
    .example('trove show plan.json --format markdown', 'for a comment')
    .example('trove show apply.ndjson', 'what an apply did')
    .action(run.one(async () => (await import('./show.ts')).show));
  trove
    .add('explain', 'explain the code of a problem')
    .argument('[code]', 'as messages show it, such as stale-plan (default: list all)')
    .example('trove explain stale-plan', 'what it means and what to do')
    .action(run.named(0, async () => (await import('./explain.ts')).explain));
  trove
    .add('doctor', 'check the setup without writing anything')
    .addOption(formatOption())
    .addOption(passwordOption())
    .example('trove doctor -e staging', 'what this environment still needs')
    .action(run.one(async () => (await import('./doctor.ts')).doctor));
  trove
    .add('spaces', 'list the spaces of a user')
    .argument('[user-id]', 'default: userId of the environment')
    .addOption(formatOption())
    .addOption(passwordOption())
    .example('trove spaces -e staging', 'of the user of the environment')
    .example('trove spaces user_1 -e staging', 'of another user')
    .action(run.one(async () => (await import('./spaces.ts')).spaces));
}

function addWriting(trove: TroveCommand, run: Runner): void {
  trove
    .add('apply', 'create and update records to match the catalog')
    .addPlanOptions()
    .argument('[plan-file]', 'plan saved by trove plan --out; applied exactly as is, once')
    .option('--yes', 'skip the confirmation prompt')
    .option('--new-environment', 'confirm that nothing has been applied to this environment yet')
    .option('--parallel <n>', 'maximum concurrent writes', wholeNumber(1, 256), 16)
    .addOption(formatOption().choices(['text', 'json', 'ndjson']))
    .addOption(passwordOption())
    .example('trove apply', 'plan, confirm, apply')
    .example('trove apply -e staging --yes', 'in a pipeline')
    .example('trove apply plan.json', 'exactly a saved plan, once')
    .example('trove apply --replace classifier.rarity', 'replace a record')
    .example('trove apply -e staging --reassert', 'undo edits made elsewhere')
    .action(run.several(async () => (await import('./apply.ts')).apply));
  trove
    .add('probe', 'discover undocumented behavior with permanent test records')
    .option('--yes', 'skip the confirmation prompt')
    .option('--new-environment', 'confirm that nothing has been applied to this environment yet')
    .option('--again', 'probe known settings again')
    .addOption(formatOption())
    .addOption(passwordOption())
    .example('trove probe -e staging', 'show what it leaves behind, and confirm')
    .example('trove probe -e staging --again', 'probe known settings again')
    .action(run.one(async () => (await import('./probe.ts')).probe));
  trove
    .add('resolve', 'settle creates whose responses were lost')
    .argument('[addresses...]', 'addresses of pending creates (default: list all)')
    .option('--id <id>', 'the record exists with this ID')
    .option('--not-created', 'the records do not exist')
    .option('--all', 'with --not-created: all whose responses name no record, after confirmation')
    .option('--yes', 'skip the confirmation prompt of --all')
    .addOption(passwordOption())
    .example('trove resolve -e staging', 'list what is pending')
    .example('trove resolve classifier.rarity --id c-17', 'it exists with this ID')
    .example('trove resolve classifier.rarity --not-created', 'it does not exist')
    .example('trove resolve --all --not-created', 'none of them exists')
    .action(run.one(async () => (await import('./resolve.ts')).resolve));
}

const importFile = `
A file maps addresses to IDs; an option's ID comes with its classifier's:
  ids.yaml  item.iron-sword: 5f2c
            classifier.rarity: { id: 8d41, options: { rare: 91ab } }
  ids.json  the same as JSON
  ids.csv   address,id
            item.iron-sword,5f2c
            classifier.rarity,8d41
            classifier.rarity.rare,91ab`;

function addImport(trove: TroveCommand, run: Runner): void {
  trove
    .add('import', 'import the IDs of existing records; sends nothing')
    .argument('[address]', 'declared item or classifier, such as item.iron-sword')
    .argument('[id]', 'ID of the record in the service')
    .option('--file <file>', 'file of addresses and IDs: YAML, JSON or CSV')
    .option('--dry-run', 'check and show the IDs; record nothing')
    .option('--yes', 'skip the confirmation prompt')
    .option('--new-environment', 'confirm that nothing has been applied to this environment yet')
    .addOption(formatOption())
    .addHelpText('after', importFile)
    .example('trove import item.iron-sword i-17', 'one record')
    .example('trove import --file ids.csv --dry-run', 'check many, record nothing')
    .action(run.one(async () => (await import('./import-ids.ts')).importIds));
}

function addState(trove: TroveCommand, run: Runner): void {
  const state = trove
    .add('state', 'inspect and repair the state')
    .example('trove state list', 'all addresses and IDs')
    .example('trove state show item.iron-sword', 'the recorded response and its time')
    .example('trove state mv --help', 'each command has examples');
  state
    .add('list', 'list recorded resources and their IDs')
    .addOption(formatOption())
    .example('trove state list -e staging', 'all addresses and IDs')
    .action(run.one(async () => (await import('./state-commands.ts')).stateList));
  state
    .add('show', 'show what is recorded for one address')
    .argument('<address>', 'a recorded item or classifier')
    .addOption(formatOption())
    .example('trove state show item.iron-sword', 'the recorded response and its time')
    .action(run.one(async () => (await import('./state-commands.ts')).stateShow));
  state
    .add('pull', 'print the state as JSON')
    .example('trove state pull -e staging > state.json', 'a copy, for trove state push')
    .action(run.one(async () => (await import('./state-commands.ts')).statePull));
  state
    .add('mv', 'move a recorded resource to another address')
    .argument('<from>', 'current address')
    .argument('<to>', 'new address, of the same kind')
    .example('trove state mv item.sword item.iron-sword', 'after changing its key')
    .action(run.one(async () => (await import('./state-commands.ts')).stateMove));
  state
    .add('forget', 'remove a resource from the state')
    .argument('<address>', 'a recorded item or classifier')
    .option('--yes', 'skip the confirmation prompt')
    .example('trove state forget item.iron-sword', 'with confirmation')
    .action(run.one(async () => (await import('./state-commands.ts')).stateForget));
  state
    .add('push', 'replace the state with a file')
    .argument('<file>', 'file written by trove state pull')
    .option('--force', 'replace the state even if the file is older, has another lineage, or lacks IDs')
    .example('trove state push -e staging state.json', 'restore a copy')
    .action(run.one(async () => (await import('./state-commands.ts')).statePush));
  state
    .add('unlock', 'remove the lock of an interrupted run')
    .option('--force', 'even if that run may still be active')
    .option('--yes', 'skip the confirmation prompt, even if that run is active')
    .example('trove state unlock -e staging', 'after a run was killed')
    .action(run.one(async () => (await import('./state-commands.ts')).stateUnlock));
}

/** The commands below `trove env`. They name environments as arguments. */
function addEnvironments(trove: TroveCommand, run: Runner): void {
  const env = trove
    .add('env', 'manage environments')
    .example('trove env list', 'all environments and open issues')
    .example('trove env add --help', 'each command has examples');
  env
    .add('list', 'list environments with targets and open issues')
    .addOption(formatOption())
    .example('trove env list', 'all environments and open issues')
    .action(run.named(0, async () => (await import('./env-commands.ts')).envList));
  env
    .add('add', 'add an environment')
    .argument('<name>', 'name: lowercase words joined by - or _')
    .option('--from <env>', 'environment to copy')
    .option('--base-url <url>', 'address of the service, ending in /api')
    .option('--team-id <id>', 'team that owns the records')
    .option('--user-id <id>', 'user whose spaces are read before the first write')
    .option('--username-from <variable>', 'variable with the username (default: NAME_USERNAME)')
    .option('--password-from <variable>', 'variable with the password (default: NAME_PASSWORD)')
    .addOption(new Option('--service <service>', 'use the embedded service').choices(['embedded']))
    .example('trove env add qa --from staging', 'prompts for the rest')
    .example('trove env add qa --base-url URL --team-id ID', 'from a template')
    .action(run.named(1, async () => (await import('./env-commands.ts')).envAdd));
  env
    .add('remove', 'remove the file of an environment')
    .argument('<name>', 'an environment')
    .option('--force', 'even if its state has records, a journal or a lock; they are kept')
    .example('trove env remove qa', 'its state and its records are kept')
    .action(run.named(1, async () => (await import('./env-commands.ts')).envRemove));
  env
    .add('diff', 'compare two environments')
    .argument('<one>', 'an environment')
    .argument('<other>', 'another one')
    .addOption(formatOption())
    .option('--exit-code', 'exit with 2 if they differ')
    .example('trove env diff staging qa', 'differences between the two')
    .action(run.named(2, async () => (await import('./env-commands.ts')).envDiff));
}

function addServing(trove: TroveCommand, run: Runner): void {
  trove
    .add('serve', 'run the embedded service')
    .option('--port <n>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--local', 'show what trove apply wrote to the embedded service in a browser').conflicts([
        'db',
        'world',
        'host',
        'allowRemote',
        'faults',
        'dialect',
        'seed',
      ]),
    )
    .option('--db <file>', 'database file; required unless --local or --print-dialect')
    .option('--world <file>', 'teams, users, spaces and attributes (JSON)')
    .option('--faults <file>', 'faults to inject (JSON)')
    .option('--dialect <file>', 'behavior that the API leaves open (YAML or JSON)')
    .option('--print-dialect', 'print the dialect settings and exit')
    .option('--seed <n>', 'seed for the order of shuffled responses', wholeNumber(0, 2 ** 32 - 1), 0)
    .option('--allow-remote', 'allow addresses that other machines can reach')
    .example('trove serve --port 8787 --db service.db', 'for teams on this machine')
    .example('trove serve --local', 'what apply wrote, in a browser')
    .example('trove serve --print-dialect', 'the dialect settings')
    .action(run.one(async () => (await import('./serve.ts')).serve));
}

/** Completing takes the environment from no variable: it must go on where that names none. */
function addCompleting(trove: TroveCommand, run: Runner): void {
  trove
    .add('completion', 'print a shell completion script')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .example('source <(trove completion bash)', 'in ~/.bashrc')
    .example('source <(trove completion zsh)', 'in ~/.zshrc, after compinit')
    .example('trove completion fish | source', 'in config.fish')
    .action(run.one(async () => (await import('./complete.ts')).completion));
  trove
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(run.named(0, async () => (await import('./complete.ts')).complete));
}
