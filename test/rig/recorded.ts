import type { Address } from '../../src/catalog/model.ts';
import { entriesOf } from '../../src/state/entries.ts';
import type { EntryOf, EntryStatus, State } from '../../src/state/model.ts';

/** What a state has recorded, by status; one entry an address where there can't be more. */
export function recorded(state: State | undefined) {
  const entries = entriesOf(state);
  return {
    live: byAddress(entries.all('live')),
    retired: entries.all('retired'),
    pending: entries.all('pending'),
    imported: entries.all('imported'),
    forgotten: byAddress(entries.all('forgotten')),
  };
}

/** The state without its entries of one status. */
export function withoutStatus(state: State, status: EntryStatus): State {
  return { ...state, entries: state.entries.filter((entry) => entry.status !== status) };
}

function byAddress<Entry extends EntryOf<'live' | 'forgotten'>>(
  entries: readonly Entry[],
): Readonly<Record<Address, Entry>> {
  return Object.fromEntries(entries.map((entry) => [entry.address, entry]));
}
