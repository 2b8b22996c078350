import type { Address } from '../catalog/model.ts';
import type { Books, EventOf } from './books.ts';
import { assertFree } from './fold-creates.ts';

export function retire(books: Books, { address, at }: EventOf<'retired'>): void {
  const record = books.resources.get(address);
  if (record) {
    books.resources.delete(address);
    books.retired.add({ ...record, address, retiredAt: at });
  } else if (books.retired.at(address).length === 0) {
    throw new Error(`${address} is not recorded, so it can't be retired.`);
  }
}

export function move(books: Books, { from, to }: EventOf<'moved'>): void {
  if (!books.isKnown(from) && books.isKnown(to)) return;
  assertMovable(books, from, to);
  books.forgotten.delete(to);
  const record = books.resources.get(from);
  if (record) books.resources.set(to, record);
  if (record) books.holders.set(record.id, to);
  books.resources.delete(from);
  const create = books.pending.get(from);
  if (create) books.pending.set(to, { ...create, address: to });
  books.pending.delete(from);
  const imported = books.imported.get(from);
  if (imported) books.imported.set(to, { ...imported, address: to });
  if (imported) books.holders.set(imported.id, to);
  books.imported.delete(from);
  for (const old of books.retired.take(from)) {
    books.retired.add({ ...old, address: to });
    books.holders.set(old.id, to);
  }
}

export function importId(books: Books, { address, at, id, options }: EventOf<'imported'>): void {
  assertFree(books, id, address);
  if (books.resources.has(address) || books.pending.has(address)) {
    throw new Error(`${address} is recorded or pending already, so no id can be imported for it.`);
  }
  const before = books.imported.get(address);
  if (before) books.holders.delete(before.id, address);
  books.forgotten.delete(address);
  books.imported.set(address, { address, id, at, ...(options && { options }) });
  books.holders.set(id, address);
}

/** A create that is pending stays: only `not-taken` ends it. */
export function forget(books: Books, { address, at }: EventOf<'forgotten'>): void {
  const { id } =
    books.resources.get(address) ?? books.imported.get(address) ?? books.retired.at(address).at(-1) ?? {};
  if (id !== undefined) books.forgotten.set(address, { id, at });
  books.resources.delete(address);
  books.imported.delete(address);
  books.retired.take(address);
  books.holders.forget(address);
}

export function begin(books: Books, { at, by }: EventOf<'partial'>): void {
  books.partial ??= { by, since: at };
}

/** From then on what is not known is looked for, which guards better than the mark of an unusual beginning. */
export function loseSight(books: Books, { at }: EventOf<'recovering'>): void {
  books.recovering ??= { since: at, absent: new Set() };
  books.partial = undefined;
}

export function miss(books: Books, { address }: EventOf<'not-there'>): void {
  if (!books.recovering) throw new Error(`${address} was looked for, and no recovery is under way.`);
  books.recovering.absent.add(address);
}

function assertMovable(books: Books, from: Address, to: Address): void {
  if (from === to || from.split('.', 1)[0] !== to.split('.', 1)[0]) {
    throw new Error(`${from} can't be moved to ${to}.`);
  }
  if (!books.isKnown(from)) throw new Error(`${from} is not recorded, so it can't be moved to ${to}.`);
  if (books.isTaken(from) && books.isTaken(to)) {
    throw new Error(`${to} is recorded already, so ${from} can't be moved there.`);
  }
}
