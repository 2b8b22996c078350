import type { Argument, Command, Option } from 'commander';
import { FormatsOption } from './options.ts';

/** What may stand at the cursor. */
export type Wanted =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | Place
  /** A text of one's own. */
  | { readonly kind: 'nothing' };

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

interface WantedWord {
  readonly wanted: Wanted;
  /** What has been typed of it. */
  readonly begun: string;
}

/** Finds out what is wanted behind `before`, the words after `trove`, where `current` has been begun. */
export function wantedAt(trove: Command, before: readonly string[], current: string): WantedWord {
  const followed = follow(trove, before);
  const { command, pending } = followed;
  const [flag = '', ...value] = current.split('=');
  if (current.startsWith('--') && value.length > 0) {
    const option = optionOf(flag, command, trove);
    return { wanted: option ? valuesOf(option, command) : nothing, begun: value.join('=') };
  }
  // A format may come with the file that it goes to.
  if (pending instanceof FormatsOption && value.length > 0)
    return { wanted: { kind: 'files' }, begun: value.join('=') };
  return { wanted: wantedWord(trove, followed, current), begun: current };
}

function wantedWord(trove: Command, { command, operands, pending }: Followed, current: string): Wanted {
  if (pending && (pending.required || !current.startsWith('-'))) return valuesOf(pending, command);
  if (current.startsWith('-')) return words(flagsOf(command, trove));
  if (command.commands.length > 0) return words(commandsOf(command));
  const known = command.registeredArguments;
  const argument = known[operands] ?? known.findLast(({ variadic }) => variadic);
  return argument ? valuesOf(argument, command) : nothing;
}

/** Bash takes `--flag=value` for three words. */
export function unsplit(words: readonly string[]): readonly string[] {
  const line: string[] = [];
  for (const [at, word] of words.entries()) {
    if (line.length > 0 && (word === '=' || words[at - 1] === '=')) line.push(`${line.pop()}${word}`);
    else line.push(word);
  }
  return line;
}

const nothing = { kind: 'nothing' } as const;

interface Followed {
  readonly command: Command;
  /** How many words of its own the command has. */
  readonly operands: number;
  /** The option right before the cursor, where it takes a value. */
  readonly pending: Option | undefined;
}

function follow(trove: Command, before: readonly string[]): Followed {
  let command = trove;
  let operands = 0;
  let pending: Option | undefined;
  for (const word of before) {
    const isValue = pending?.required || (pending !== undefined && !word.startsWith('-'));
    pending = isValue ? undefined : optionOf(word, command, trove);
    if (isValue || word.startsWith('-')) continue;
    const below = command.commands.find((each) => each.name() === word);
    if (!below) operands++;
    // What follows it is a command.
    else if (below.name() !== 'help') command = below;
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
  if (choices) return words(choices.map((word) => ({ word, about: '' })));
  const name = 'attributeName' in place ? place.attributeName() : `${pathOf(command)} ${place.name()}`;
  return places.get(name) ?? nothing;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function flagsOf(command: Command, trove: Command): readonly Candidate[] {
  const help = command.createHelp();
  return [command, trove]
    .flatMap((each) => help.visibleOptions(each))
    .flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []));
}

function commandsOf(command: Command): readonly Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((each) => ({ word: each.name(), about: each.description() }));
}

function words(candidates: readonly Candidate[]): Wanted {
  return { kind: 'words', words: candidates };
}

/** Which addresses make sense in a place. */
export type AddressSet =
  /** All that a plan may have. */
  | 'known'
  /** Declared, with a record in use. */
  | 'applied'
  /** Declared, with none. */
  | 'new'
  /** Whatever the state has, also what is retired or pending. */
  | 'recorded'
  | 'pending';

/** What stands in a place, where it is none of a few words. */
export type Place =
  | { readonly kind: 'addresses'; readonly which: AddressSet }
  | { readonly kind: 'environments' }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' };

const environments = { kind: 'environments' } as const;
const files = { kind: 'files' } as const;
const folders = { kind: 'folders' } as const;
const addresses = (which: AddressSet) => ({ kind: 'addresses', which }) as const;

/** By option, as commander names its value, or by command and argument. What is not here is a text of one's own. */
export const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['catalog', folders],
  ['env', environments],
  ['from', environments],
  ['target', addresses('known')],
  ['replace', addresses('applied')],
  ['reassert', addresses('applied')],
  ['confirmNew', addresses('new')],
  ...['out', 'file', 'db', 'world', 'faults', 'dialect'].map((option) => [option, files] as const),
  ['trove init folder', folders],
  ['trove fmt files', files],
  ['trove show file', files],
  ['trove apply plan-file', files],
  ['trove state push file', files],
  ['trove import address', addresses('new')],
  ['trove resolve address', addresses('pending')],
  ['trove state show address', addresses('recorded')],
  ['trove state forget address', addresses('recorded')],
  ['trove state mv from', addresses('recorded')],
  ['trove state mv to', addresses('new')],
  ['trove env diff one', environments],
  ['trove env diff other', environments],
]);
