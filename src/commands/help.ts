import type { Command } from 'commander';
import { alignColumns, escapeTerminal } from '../render/terminal.ts';

/** What people type most, by command: the line, and what it is for. */
const examples: Readonly<Record<string, readonly (readonly [line: string, what: string])[]>> = {
  trove: [
    ['trove init', 'begin a catalog'],
    ['trove validate', 'check it'],
    ['trove plan', 'see what apply would do'],
    ['trove apply', 'do it, after asking'],
  ],
  init: [
    ['trove init', 'here; on a terminal it asks'],
    ['trove init game --empty', 'in game/catalog, nothing declared'],
    ['trove init --base-url URL --team-id ID', 'with an environment staging'],
  ],
  fmt: [
    ['trove fmt', 'every file of the catalog'],
    ['trove fmt catalog/items', 'those below a folder'],
    ['trove fmt --check', 'in a pipeline: show, change nothing'],
  ],
  validate: [
    ['trove validate', 'the catalog and all environments'],
    ['trove validate --catalog game/catalog', 'another catalog'],
  ],
  plan: [
    ['trove plan', 'for the embedded service'],
    ['trove plan -e staging --out plan.json', 'save it for trove apply'],
    ['trove plan --target item.iron-sword', 'this, and what it needs'],
    ['trove plan --format html=plan.html', 'a page for a designer'],
    ['trove plan --format markdown', 'for a comment on a pull request'],
    ['trove plan --detailed-exitcode', 'exit with 2 where there are changes'],
  ],
  apply: [
    ['trove apply', 'plan, ask, and do it'],
    ['trove apply -e staging --yes', 'in a pipeline'],
    ['trove apply -e staging plan.json', 'exactly a saved plan, once'],
    ['trove apply --replace classifier.rarity', 'create it anew'],
    ['trove apply -e staging --reassert', 'undo edits made elsewhere'],
  ],
  doctor: [['trove doctor -e staging', 'what this environment still needs']],
  spaces: [
    ['trove spaces -e staging', 'of the user of the environment'],
    ['trove spaces user_1 -e staging', 'of another user'],
  ],
  probe: [
    ['trove probe -e staging', 'say what would be left behind, and ask'],
    ['trove probe -e staging --again', 'also what was found out before'],
  ],
  resolve: [
    ['trove resolve -e staging', 'list what is pending'],
    ['trove resolve classifier.rarity --id c-17', 'it exists under this id'],
    ['trove resolve classifier.rarity --not-created', 'it does not exist'],
  ],
  import: [
    ['trove import item.iron-sword i-17', 'one record'],
    ['trove import --file ids.csv --dry-run', 'check many, record nothing'],
  ],
  state: [
    ['trove state list', 'all addresses with their ids'],
    ['trove state show item.iron-sword', 'what was answered, and when'],
    ['trove state mv --help', 'each has examples, too'],
  ],
  env: [
    ['trove env list', 'all of them, and what is open'],
    ['trove env add --help', 'each has examples, too'],
  ],
  'state list': [['trove state list -e staging', 'all addresses with their ids']],
  'state show': [['trove state show item.iron-sword', 'what was answered, and when']],
  'state pull': [['trove state pull -e staging > state.json', 'a copy, for trove state push']],
  'state mv': [['trove state mv item.sword item.iron-sword', 'after its key was changed']],
  'state forget': [['trove state forget item.iron-sword', 'after asking']],
  'state push': [['trove state push -e staging state.json', 'put a copy back']],
  'state unlock': [['trove state unlock -e staging', 'after a run was killed']],
  completion: [
    ['source <(trove completion bash)', 'in ~/.bashrc'],
    ['source <(trove completion zsh)', 'in ~/.zshrc, behind compinit'],
    ['trove completion fish | source', 'in config.fish'],
  ],
  show: [
    ['trove show plan.json', 'what a saved plan holds'],
    ['trove show plan.json --format markdown', 'for a comment'],
    ['trove show apply.ndjson', 'what an apply did'],
  ],
  'env list': [['trove env list', 'all of them, and what is open']],
  'env add': [
    ['trove env add qa --from staging', 'it asks for the rest'],
    ['trove env add qa --base-url URL --team-id ID', 'from a template'],
  ],
  'env diff': [['trove env diff staging qa', 'what these two have differently']],
  help: [
    ['trove help plan', 'of one command'],
    ['trove help state unlock', 'of one in a group'],
  ],
  serve: [
    ['trove serve --port 8787 --db service.db', 'for teams on this machine'],
    ['trove serve --print-dialect', 'what it can be told to do'],
  ],
};

export function addExamples(command: Command, path: readonly string[] = []): void {
  const own = examples[path.length === 0 ? command.name() : path.join(' ')];
  if (own) command.addHelpText('after', `\nExamples:\n${indented(alignColumns(own))}`);
  for (const below of command.commands) addExamples(below, [...path, below.name()]);
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ').replace(/\n$/, '');
}

/** `trove help state unlock`; the `help` that commander has takes one word and shows that of `state`. */
export function addHelping(trove: Command): void {
  trove
    .command('help')
    .argument('[command...]', 'one or more words: plan, state unlock')
    .description('show what a command does, with its options and examples')
    .action((words: readonly string[]) => helpOf(trove, words));
}

async function helpOf(command: Command, [word, ...others]: readonly string[]): Promise<void> {
  if (word === undefined || command.commands.length === 0) return command.help();
  const next = below(command, word);
  if (next) return helpOf(next, others);
  // A group does nothing by itself: it names what was meant.
  await command.parseAsync([word], { from: 'user' });
}

/** After a wrong flag, where it goes, and the help that lists the right ones. */
export function pointToHelp(command: Command, parents: string): void {
  const path = `${parents}${command.name()}`;
  command.showHelpAfterError(`(${path} --help shows what there is)`);
  command.configureOutput({
    // It repeats what was typed.
    outputError: (text, write) => {
      const safe = withoutValue(text);
      write((safe + misplacedFlag(command, safe)).split('\n').map(escapeTerminal).join('\n'));
    },
  });
  for (const child of command.commands) pointToHelp(child, `${path} `);
}

/** What was typed behind a flag that nobody knows may be a secret: `--password=...`, `-p...`. */
function withoutValue(message: string): string {
  return message.replace(/^(error: unknown option ')(--[\w-]*|-.)[\s\S]*'/, "$1$2'");
}

/** What to say of a flag that stands before the command that has it; empty where that is not the mistake. */
function misplacedFlag(command: Command, message: string): string {
  const flag = /^error: unknown option '(--?[\w-]+)/.exec(message)?.[1];
  // The words that were left when the flag was met, the flag among them.
  const meant = command.args.reduce((found, word) => below(found, word) ?? found, command);
  const isKnown = meant.options.some(({ long, short }) => flag === long || flag === short);
  return meant !== command && isKnown ? `(it goes behind its command: ${pathOf(meant)} ${flag})\n` : '';
}

export function below(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word);
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
