import type { Address } from '../catalog/model.ts';
import type { Books, EventOf } from './books.ts';
import type { UnconfirmedUpdate } from './model.ts';

/** A retired record that is being revived needs no mark: it is written again until it is answered. */
export function mark(books: Books, address: Address, unconfirmed: UnconfirmedUpdate | undefined): void {
  const record = books.resources.get(address);
  if (!record) return;
  const { unconfirmed: _, ...confirmed } = record;
  books.resources.set(address, unconfirmed ? { ...confirmed, unconfirmed } : confirmed);
}

export function doubt(books: Books, { address, reason }: EventOf<'update-unseen'>): void {
  const unconfirmed = books.resources.get(address)?.unconfirmed;
  if (unconfirmed) mark(books, address, { ...unconfirmed, reason });
}

export function protect(books: Books, { address, protect }: EventOf<'protection'>): void {
  const record = books.resources.get(address);
  if (!record) throw new Error(`${address} is not recorded, so it can't be protected.`);
  books.resources.set(address, { ...record, protect });
}
