import type { Argument, Command, Option } from 'commander';

/** What may stand at the cursor. */
export type Wanted =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'addresses' }
  | { readonly kind: 'environments' }
  /** A path, or a text of one's own: the shell knows better. */
  | { readonly kind: 'anything' };

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Finds out what is wanted behind `before`, the words after `trove`, where `current` has been begun. */
export function wantedAt(trove: Command, before: readonly string[], current: string): Wanted {
  const { command, operands, pending } = follow(trove, before);
  if (pending && (pending.required || !current.startsWith('-'))) return valuesOf(pending);
  if (current.startsWith('-')) return words(flagsOf(command, trove));
  if (command.commands.length > 0) return words(commandsOf(command));
  const known = command.registeredArguments;
  const argument = known[operands] ?? known.findLast(({ variadic }) => variadic);
  return argument ? valuesOf(argument) : words([]);
}

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
    if (below) command = below;
    else operands++;
  }
  return { command, operands, pending };
}

function optionOf(word: string, command: Command, trove: Command): Option | undefined {
  const option = [...command.options, ...trove.options].find(
    ({ short, long }) => word === short || word === long,
  );
  return option && (option.required || option.optional) ? option : undefined;
}

function valuesOf(place: Option | Argument): Wanted {
  const name = 'attributeName' in place ? place.attributeName() : place.name();
  if (place.argChoices) return words(place.argChoices.map((word) => ({ word, about: '' })));
  if (name === 'env') return { kind: 'environments' };
  if (name === 'format') return words(['text', 'json'].map((word) => ({ word, about: '' })));
  return { kind: addressed.has(name) ? 'addresses' : 'anything' };
}

/** Names of options and arguments whose value is an address. */
const addressed = new Set(['address', 'from', 'to', 'target', 'replace', 'reassert', 'confirmNew']);

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
  const unique = new Map(candidates.map((each) => [each.word, each]));
  return { kind: 'words', words: [...unique.values()] };
}
