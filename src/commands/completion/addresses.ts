import { loadCatalog } from '../../catalog/load.ts';
import { addressOf } from '../../catalog/model.ts';
import { recordedEntries, standingOf } from '../../state/entries.ts';
import type { CommandContext } from '../invocation/context.ts';
import { readState } from '../recording/read-state.ts';
import type { AddressSet } from './places.ts';
import type { Candidate } from './wanted.ts';

/** The addresses that make sense, from files alone: no lock, nothing written. What can't be read gives none. */
export async function addressesFor(
  which: AddressSet,
  context: CommandContext,
): Promise<readonly Candidate[]> {
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

async function declaredAddresses({ io, catalogFolder }: CommandContext): Promise<readonly Candidate[]> {
  const catalog = await loadCatalog(catalogFolder, { cwd: io.cwd });
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
