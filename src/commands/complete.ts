import type { Command } from 'commander';
import { addressOf } from '../catalog/model.ts';
import { commandFlags } from '../environment/find.ts';
import { escapeTerminal } from '../render/terminal.ts';
import { recordedEntries, standingOf } from '../state/entries.ts';
import { type AddressSet, type Candidate, unsplit, type Wanted, wantedAt } from './complete-words.ts';
import { type CommandContext, wantedEnvironments } from './context.ts';
import { loadCatalogOnly, namesOf } from './environments.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { readState } from './state.ts';

/**
 * `trove __complete -- WORDS`: what the last of the words after `trove` may become, a line each: the word, a tab, and
 * what it is. Of `--flag=value` it is what follows the sign. Where a path is wanted, the one line is a tab and `files`
 * or `folders`. The scripts of `trove completion` ask it. What can't be read gives nothing, and no error.
 */
export async function complete(
  context: CommandContext,
  trove: Command,
  words: readonly string[],
): Promise<ExitCode> {
  const line = unsplit(words);
  const { wanted, begun } = wantedAt(trove, line.slice(0, -1), line.at(-1) ?? '');
  if (wanted.kind === 'files' || wanted.kind === 'folders') context.print(`\t${wanted.kind}\n`);
  else {
    const candidates = await candidatesFor(wanted, contextOf(line, context));
    const fitting = candidates.filter(({ word }) => word.startsWith(begun) && /^[\w.-]+$/.test(word));
    const unique = new Map(fitting.map((each) => [each.word, each]));
    context.print(
      [...unique.values()].map(({ word, about }) => `${word}\t${escapeTerminal(about)}\n`).join(''),
    );
  }
  return exitCode.done;
}

async function candidatesFor(wanted: Wanted, context: CommandContext): Promise<readonly Candidate[]> {
  if (wanted.kind === 'words') return wanted.words;
  if (wanted.kind === 'addresses') return addressesFor(wanted.which, context);
  if (wanted.kind !== 'environments') return [];
  const names = await namesOf(context);
  return names.map((word) => ({ word, about: 'environment' }));
}

/** The line that is being written may name another catalog and environment. */
function contextOf(line: readonly string[], context: CommandContext): CommandContext {
  const before = line.slice(0, -1);
  const catalogFolder = namedBy(before, ['--catalog']) ?? context.catalogFolder;
  const environmentName =
    namedBy(before, ['-e', '--env']) ?? wantedEnvironments(context.io, { color: false })[0] ?? 'local';
  const flags = commandFlags({ catalog: catalogFolder, environment: environmentName });
  return { ...context, catalogFolder, environmentName, flags };
}

/** Of the last of these flags: the word behind it, or what follows its sign. */
function namedBy(words: readonly string[], flags: readonly string[]): string | undefined {
  const values = words.flatMap((word, at) => {
    if (flags.includes(word)) return words[at + 1] ?? [];
    const [flag = '', ...value] = word.split('=');
    return flags.includes(flag) && value.length > 0 ? value.join('=') : [];
  });
  return values.at(-1);
}

/** The addresses that make sense, from files alone: no lock, nothing written. What can't be read gives none. */
async function addressesFor(which: AddressSet, context: CommandContext): Promise<readonly Candidate[]> {
  const read = await readState(context);
  const entries = read.ok ? recordedEntries(read.value.state) : [];
  const recorded = entries.map((entry) => ({ word: entry.address, about: standingOf(entry) }));
  if (which === 'recorded') return recorded;
  if (which === 'pending') return recorded.filter(({ about }) => about === 'pending');
  const live = recorded.filter(({ about }) => about !== 'retired');
  const isLive = new Set<string>(live.map(({ word }) => word));
  const declared = await declaredAddresses(context);
  if (which === 'known') return [...declared, ...live];
  // Without a state, whatever is declared may be meant.
  return live.length === 0
    ? declared
    : declared.filter(({ word }) => isLive.has(word) === (which === 'applied'));
}

async function declaredAddresses(context: CommandContext): Promise<readonly Candidate[]> {
  const catalog = await loadCatalogOnly(context);
  if (!catalog.ok) return [];
  const { classifiers, items } = catalog.value;
  return [
    ...[...classifiers.values()].map(({ key, declaration }) => ({
      word: addressOf('classifier', key),
      about: declaration.name,
    })),
    ...[...items.values()].map(({ key, declaration }) => ({
      word: addressOf('item', key),
      about: declaration.name,
    })),
  ];
}
