import { resolve } from 'node:path';
import { type Argument, type Command, Option } from 'commander';
import { addressOf } from '../catalog/model.ts';
import { escapeTerminal } from '../render/terminal.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import { recordedEntries } from '../state/entries.ts';
import { standingOf } from '../state/entry.ts';
import bash from './completion/trove.bash?raw';
import fish from './completion/trove.fish?raw';
import zsh from './completion/trove.zsh?raw';
import { type CommandContext, contextFor, wantedEnvironments } from './context.ts';
import { loadCatalogOnly, namesOf } from './environments.ts';
import { below, FormatsOption } from './options.ts';
import { readState } from './state.ts';

/** Each asks `trove __complete` with the words up to the cursor. A line without a word says that a path is wanted. */
const scripts = { bash, zsh, fish };

/** `trove completion SHELL`: prints the script; nothing is installed. */
export async function completion(context: CommandContext, shell: keyof typeof scripts): Promise<void> {
  context.print(scripts[shell]);
}

interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What stands in a place, if it is none of a few words. */
type Place =
  | 'files'
  | 'folders'
  | 'environments'
  /** Addresses: all that a plan may have. */
  | 'known'
  /** Declared, with a record in use. */
  | 'applied'
  /** Declared, with none. */
  | 'new'
  /** Everything in the state, also what is retired or pending. */
  | 'recorded'
  | 'pending';

/** Nothing: a text of one's own. */
type Wanted = Place | readonly Candidate[];

/** By option, by command and argument, or by what the help calls a value. */
const places: Readonly<Record<string, Place>> = {
  '--env': 'environments',
  '--replace': 'applied',
  '--reassert': 'applied',
  '--confirm-new': 'new',
  '--target': 'known',
  'import address': 'new',
  'resolve addresses': 'pending',
  'remove name': 'environments',
  address: 'recorded',
  from: 'recorded',
  to: 'new',
  env: 'environments',
  one: 'environments',
  other: 'environments',
  dir: 'folders',
  folder: 'folders',
  file: 'files',
  files: 'files',
  'plan-file': 'files',
};

/**
 * `trove __complete -- WORDS`: what the last of the words after `trove` may become, a line each: the word, a tab, and
 * what it is. Of `--flag=value` it is what follows the sign. Where a path is wanted, the one line is a tab and `files`
 * or `folders`. The scripts of `trove completion` ask it. What can't be read gives nothing, and no error.
 */
export async function complete(
  context: CommandContext,
  words: readonly string[],
  _: object,
  { parent: trove }: Command,
): Promise<void> {
  if (!trove) return;
  const line = wordsOf(words);
  const [before, current] = [line.slice(0, -1), line.at(-1) ?? ''];
  const wanted = wantedAt(trove, before, current);
  if (wanted === 'files' || wanted === 'folders') return context.print(`\t${wanted}\n`);
  const candidates =
    typeof wanted === 'string' ? await candidatesFor(wanted, contextOf(before, context)) : wanted;
  const fitting = candidates.filter(({ word }) => word.startsWith(current) && /^[\w.-]+$/.test(word));
  const lines = new Map(fitting.map(({ word, about }) => [word, `${word}\t${escapeTerminal(about)}\n`]));
  context.print([...lines.values()].join(''));
}

/** A flag and its value are two words, also with a sign between them, for which bash has a word of its own. */
function wordsOf(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    if (joined.length > 0 && (word === '=' || words[at - 1] === '=')) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
  }
  return joined.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? word);
}

/** The line that is being written may name another catalog and environment. */
function contextOf(before: readonly string[], context: CommandContext): CommandContext {
  const named = (...flags: readonly string[]) =>
    before.findLast((_, at) => flags.includes(before[at - 1] ?? ''));
  const catalog = named('--catalog');
  const folders = catalog && { catalogFolder: catalog, catalogPath: resolve(context.io.cwd, catalog) };
  const [byDefault = ''] = wantedEnvironments(context.io, { color: false });
  return contextFor(named('-e', '--env') ?? byDefault, { ...context, ...folders });
}

/** What is wanted behind `before`, the words after `trove`, where `current` is begun. */
function wantedAt(trove: Command, before: readonly string[], current: string): Wanted {
  const { command, operands, pending } = follow(trove, before);
  // A format may come with the file that it goes to.
  if (pending instanceof FormatsOption && current.includes('=')) return 'files';
  if (pending && (pending.required || !current.startsWith('-'))) return valuesOf(pending, command);
  const help = command.createHelp();
  if (current.startsWith('-')) {
    const options = [command, trove].flatMap((each) => help.visibleOptions(each));
    return options.map(({ long, description }) => ({ word: long ?? '', about: description }));
  }
  if (command.commands.length > 0)
    return help.visibleCommands(command).map((each) => ({ word: each.name(), about: each.description() }));
  const known = command.registeredArguments;
  const argument = known[operands] ?? known.findLast(({ variadic }) => variadic);
  return argument ? valuesOf(argument, command) : [];
}

/**
 * The command that words lead to, how many words of its own it has, and the option right before the cursor, if that
 * takes a value.
 */
function follow(trove: Command, before: readonly string[]) {
  let command = trove;
  let operands = 0;
  let pending: Option | undefined;
  for (const word of before) {
    const isValue = pending?.required || (pending !== undefined && !word.startsWith('-'));
    pending = isValue ? undefined : optionOf(word, command, trove);
    if (isValue || word.startsWith('-')) continue;
    const next = below(command, word);
    if (!next) operands++;
    // What follows it is a command.
    else if (next.name() !== 'help') command = next;
  }
  return { command, operands, pending };
}

function optionOf(word: string, command: Command, trove: Command): Option | undefined {
  const option = [...command.options, ...trove.options].find(
    ({ short, long }) => word === short || word === long,
  );
  return option && (option.required || option.optional) ? option : undefined;
}

function valuesOf(place: Option | Argument, command: Command): Wanted {
  const choices = place instanceof FormatsOption ? place.formats : place.argChoices;
  if (choices) return choices.map((word) => ({ word, about: '' }));
  const [own, called = ''] =
    place instanceof Option
      ? [place.long, /[\w-]+(?=[>\]]$)/.exec(place.flags)?.[0]]
      : [`${command.name()} ${place.name()}`, place.name()];
  return places[own ?? ''] ?? places[called] ?? [];
}

/** What makes sense in a place, from files alone: no lock, nothing written. */
async function candidatesFor(place: Place, context: CommandContext): Promise<readonly Candidate[]> {
  if (place === 'environments')
    return (await namesOf(context)).map((word) => ({ word, about: 'environment' }));
  const read = await readState(context);
  const entries = read.ok ? recordedEntries(read.value.state) : [];
  const recorded = entries.map((entry) => ({ word: entry.address, about: standingOf(entry) }));
  if (place === 'recorded') return recorded;
  if (place === 'pending') return recorded.filter(({ about }) => about === 'pending');
  const live = recorded.filter(({ about }) => about !== 'retired');
  const declared = await declaredAddresses(context);
  if (place === 'known') return [...declared, ...live];
  const isLive = new Set<string>(live.map(({ word }) => word));
  // Without a state, whatever is declared may be meant.
  return isLive.size === 0
    ? declared
    : declared.filter(({ word }) => isLive.has(word) === (place === 'applied'));
}

async function declaredAddresses(context: CommandContext): Promise<readonly Candidate[]> {
  const catalog = await loadCatalogOnly(context);
  if (!catalog.ok) return [];
  return kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog.value, kind).values()].map(({ key, declaration }) => ({
      word: addressOf(kind, key),
      about: declaration.name,
    })),
  );
}
