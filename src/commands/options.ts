import { Command, InvalidArgumentError, Option } from 'commander';
import { alignColumns, escapeTerminal } from '../render/terminal.ts';

export class TroveCommand extends Command {
  readonly #examples: (readonly [line: string, what: string])[] = [];

  override createCommand(name?: string): TroveCommand {
    return new TroveCommand(name);
  }

  add(name: string, summary: string): TroveCommand {
    return this.command(name).description(summary);
  }

  /** Commander takes the next word for the value of an option, also if that is a flag: `--out --yes`. */
  override addOption(option: Option): this {
    const parse = option.parseArg;
    if (option.required)
      option.argParser((value: string, previous: unknown) => {
        if (/^--.|^-\w$/.test(value)) throw new InvalidArgumentError(NO_VALUE);
        return parse ? parse(value, previous) : value;
      });
    return super.addOption(option);
  }

  /** What people type most, at the end of its help: the line, and what it is for. */
  example(line: string, what: string): this {
    if (this.#examples.length === 0) {
      const listed = () => alignColumns(this.#examples).trimEnd().replaceAll(/^/gm, '  ');
      this.addHelpText('after', () => `\nExamples:\n${listed()}`);
    }
    this.#examples.push([line, what]);
    return this;
  }

  /** What is planned beside what the catalog says; the same flags for plan and apply. */
  addPlanOptions(): this {
    return this.addOption(repeatable('--target <address>', 'limit to this address and its dependencies'))
      .addOption(repeatable('--replace <address>', 'create a new record and retire the old one'))
      .addOption(repeatable('--reassert [address]', 'rewrite even if unchanged; without an address, all'))
      .addOption(
        repeatable(
          '--confirm-new [address]',
          'create even if it looks like an existing record; without an address, all',
        ),
      )
      .option('--all', 'list every create in text, however many')
      .option('--recover', 'recover a lost state: find items by derived IDs, create missing ones');
  }
}

export function formatOption(): Option {
  return new Option('--format <format>', 'output format').choices(['text', 'json']).default('text');
}

/** Several formats at once, of which all but one go into files. */
export class FormatsOption extends Option {
  readonly formats: readonly string[];

  /** `others` are those beside text. */
  constructor(...others: readonly string[]) {
    const listed = `${others.slice(0, -1).join(', ')} or ${others.at(-1)}`;
    super('--format <format>', `text (the default), ${listed}; or FORMAT=FILE; may be repeated`);
    this.formats = ['text', ...others];
    this.argParser(collect);
  }
}

export function passwordOption(): Option {
  return new Option('--password-stdin', 'read the password from standard input');
}

export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(collect);
}

const NO_VALUE = 'It is a flag.';

/** What -e gets as its value from `-environment`: without a check, the words behind it would get the blame. */
const MISREAD = '-environment'.slice('-e'.length);

export function collectEnvironments(value: string, previous: readonly string[] = []): readonly string[] {
  if (value.replace(/=.*/s, '') === MISREAD) throw new InvalidArgumentError('');
  return [...previous, value];
}

export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Where an address is optional, the flag without one is `true`, which stands for all and outweighs the others. */
function collect(value: string, previous: readonly string[] | true = []): readonly string[] | true {
  return previous === true ? previous : [...previous, value];
}

/** `trove help state unlock`; the `help` that commander has takes one word and shows that of `state`. */
export function addHelping(trove: TroveCommand): void {
  trove
    .add('help', 'show help for a command')
    .argument('[command...]', 'a command, such as plan or state unlock')
    .example('trove help plan', 'one command')
    .example('trove help state unlock', 'a command in a group')
    .action((words: readonly string[]) => helpOf(trove, words));
}

async function helpOf(command: Command, [word, ...others]: readonly string[]): Promise<void> {
  if (word === undefined || command.commands.length === 0) return command.help();
  const next = below(command, word);
  if (next) return helpOf(next, others);
  // A group does nothing alone: it names what was meant.
  await command.parseAsync([word], { from: 'user' });
}

/** After a wrong flag, where it goes, and the help that lists the right ones. */
export function pointToHelp(command: Command, parents: string): void {
  const path = `${parents}${command.name()}`;
  const listed = command.commands.length > 0 ? 'commands' : 'arguments';
  command.showHelpAfterError(`(${path} --help lists ${listed} and flags)`);
  command.configureOutput({
    // It repeats what was typed.
    outputError: (text, write) => {
      const safe = withoutValue(text);
      const [mistake, unknown] = /^error: (?:unknown command '([\w-]+)'|missing .*)/.exec(safe) ?? [];
      const instead = mistake && habits.get(`${path} ${unknown ?? ''}`.trim().replace('trove ', ''));
      if (instead) return write(`${mistake}\n(${instead})\n`);
      const said = flagMistake(command, safe) ?? safe + folderHint(command, safe);
      write(said.split('\n').map(escapeTerminal).join('\n'));
    },
  });
  for (const child of command.commands) pointToHelp(child, `${path} `);
}

const removing = 'the service has no delete; remove a resource from the catalog, and apply retires it';

/** What people type who know other tools, and what Trove has instead. */
const habits = new Map(
  Object.entries({
    rm: removing,
    delete: removing,
    destroy: removing,
    show: 'FILE is a saved plan or a finished apply; for what is recorded: trove state list',
    'state rm': 'to drop an ID from the state: trove state forget ADDRESS',
    'force-unlock': 'to remove the lock of an interrupted run: trove state unlock',
    'env new': 'to add an environment: trove env add NAME',
    'env select': 'name the environment of a command with -e NAME or TROVE_ENV',
    'env rm': 'to remove the file of an environment: trove env remove NAME',
    'env delete': 'to remove the file of an environment: trove env remove NAME',
    refresh: 'the service has no read; to rewrite unchanged records: trove apply --reassert',
    taint: 'to replace a record: trove apply --replace ADDRESS',
    output: 'to print the state as JSON: trove state pull',
    workspace: 'an environment is one team on one service: trove env list',
  }),
);

/** The same for flags, without their hyphens. */
const flagHabits = new Map(
  Object.entries({
    'auto-approve': 'to skip the confirmation: trove apply --yes',
    chdir: 'to name the catalog folder: --catalog DIR',
    environment: 'to name an environment: -e NAME',
    var: 'the catalog can insert environment variables whose names begin with TROVE_VAR_',
  }),
);

/** What was typed behind an unknown flag may be a secret: `--password=...`, `-p...`. */
function withoutValue(message: string): string {
  return message
    .replace(
      /^error: option '([^']*)' [\s\S]* It is a flag\./,
      "error: option '$1' has no value: a flag follows it",
    )
    .replace(/^(error: unknown option ')(--[\w-]*|-.)[\s\S]*'/, "$1$2'")
    .replace(/^error: option '-e, --env <name>'[\s\S]*/, "error: unknown option '-environment'\n");
}

/** The message about an unknown flag, with what was meant; undefined if nothing is known of that. */
function flagMistake(command: Command, message: string): string | undefined {
  const flag = /^error: unknown option '(--?[\w-]+)/.exec(message)?.[1];
  if (flag === undefined) return undefined;
  // The words that were left when the flag was met, the flag among them.
  const meant = command.args.reduce((found, word) => below(found, word) ?? found, command);
  const name = (word: string) => word.replace(/^--?|=.*/gs, '');
  const whole = command.args.find((word) => word.startsWith(flag) && word[1] !== '-') ?? flag;
  const instead = flagHabits.get(name(whole));
  const unknown = (hint: string) => `error: unknown option '${whole.replace(/=.*/s, '')}'\n(${hint})\n`;
  if (instead) return unknown(instead);
  const written = meant.options.find(({ long }) => long === `--${name(whole)}` && whole[1] !== '-');
  if (written) return unknown(`write it with two hyphens: ${written.long}`);
  const isKnown = meant.options.some(({ long, short }) => flag === long || flag === short);
  return meant !== command && isKnown
    ? `${message}(it goes after its command: ${pathOf(meant)} ${flag})\n`
    : undefined;
}

/** Other tools take their folder as an argument. */
function folderHint({ parent }: Command, message: string): string {
  const isAlone = parent?.parent === null && /^error: too many arguments .* Expected 0 /.test(message);
  return isAlone ? '(to name the catalog folder: --catalog DIR)\n' : '';
}

export function below(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word);
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
