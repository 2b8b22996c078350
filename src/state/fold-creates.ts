import equal from 'fast-deep-equal';
import { type Address, kindOf } from '../catalog/model.ts';
import type { Books, EventOf } from './books.ts';
import type { PendingCreate } from './model.ts';

/** A second create may only follow an unsettled one where the service can see that both are the same. */
export function intend(books: Books, { address, at, request }: EventOf<'intent'>): void {
  const earlier = books.pending.get(address);
  if (earlier && !isSameCreate(earlier, { address, at, request })) {
    throw new Error(`A create of ${address} is pending; another one could make a duplicate.`);
  }
  if (books.imported.has(address)) {
    throw new Error(`An id of ${address} was imported; a create could make a duplicate.`);
  }
  books.pending.set(address, { address, request, at });
}

/** Where the id is a new one, the old record still exists remotely: it is retired, never overwritten. */
export function answer(books: Books, { address, record }: EventOf<'answered'>): void {
  assertFree(books, record.id, address);
  const before = books.resources.get(address);
  if (before && before.id !== record.id) books.retired.add({ ...before, address, retiredAt: record.at });
  books.retired.remove(address, record.id);
  books.pending.delete(address);
  books.imported.delete(address);
  books.forgotten.delete(address);
  books.resources.set(address, record);
  books.holders.set(record.id, address);
}

export function unsee(books: Books, { address, reason, answer }: EventOf<'unseen'>): void {
  const create = books.pending.get(address);
  if (!create) throw new Error(`No create of ${address} is pending, so its outcome can't be unseen.`);
  books.pending.set(address, { ...create, reason, ...(answer && { answer }) });
}

export function assertFree(books: Books, id: string, address: Address): void {
  const holder = books.holders.of(kindOf(address), id);
  if (holder === undefined || holder === address) return;
  throw new Error(`Record ${id} is ${holder}; it can't be ${address} too.`);
}

/** The same intent again, or the same record by the id that we chose ourselves (interface, section 4.1). */
function isSameCreate(earlier: PendingCreate, again: PendingCreate): boolean {
  const { request } = earlier;
  if (equal(request, again.request) && earlier.at === again.at) return true;
  const { id } = request.body;
  return typeof id === 'string' && id === again.request.body.id && request.path === again.request.path;
}
