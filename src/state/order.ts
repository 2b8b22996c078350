import type { EntryStatus, StateEntry } from './model.ts';

const statuses: readonly EntryStatus[] = ['live', 'pending', 'imported', 'retired', 'forgotten'];

/** Of an address: in use or perhaps so first, then what was retired there, then what a person let go of. */
export function rankOf(status: EntryStatus): number {
  return statuses.indexOf(status);
}

/** By code units: the same order on every machine, whatever its language. */
export function compareEntries(a: StateEntry, b: StateEntry): number {
  return (
    compare(a.address, b.address) ||
    rankOf(a.status) - rankOf(b.status) ||
    (a.status === 'retired' && b.status === 'retired'
      ? compare(a.retiredAt, b.retiredAt) || compare(a.id, b.id)
      : 0)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** How many of the sorted entries come before a place, in logarithmic time. */
export function countOf(sorted: readonly StateEntry[], isBefore: (entry: StateEntry) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(sorted[middle] as StateEntry)) low = middle + 1;
    else high = middle;
  }
  return low;
}
