import type { ImportedId, PendingCreate, RetiredRecord } from './model.ts';

/** By address, then oldest first: whoever reads the list into a map by address keeps the latest. */
export function compareRetired(a: RetiredRecord, b: RetiredRecord): number {
  return compare(a.address, b.address) || compare(a.retiredAt, b.retiredAt) || compare(a.id, b.id);
}

export function comparePending(a: PendingCreate, b: PendingCreate): number {
  return compare(a.address, b.address);
}

export function compareImported(a: ImportedId, b: ImportedId): number {
  return compare(a.address, b.address);
}

/** By code units: the same order on every machine, whatever its language. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
