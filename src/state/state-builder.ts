import type { Address, Kind } from '../catalog/model.ts';
import { Books, type EventOf } from './books.ts';
import type { StateEvent } from './event.ts';
import { answer, intend, unsee } from './fold-creates.ts';
import { doubt, mark, protect } from './fold-updates.ts';
import { begin, forget, importId, loseSight, miss, move, retire } from './fold-words.ts';
import type { ImportedId, PendingCreate, ResourceRecord, RetiredRecord, State } from './model.ts';
import { compareImported, comparePending } from './state-order.ts';

/** What each kind of event does to the books. */
const folds: { readonly [Type in StateEvent['type']]: (books: Books, event: EventOf<Type>) => void } = {
  intent: intend,
  answered: answer,
  'not-taken': (books, { address, earlier }) => {
    if (earlier) books.pending.set(address, earlier);
    else books.pending.delete(address);
  },
  unseen: unsee,
  updating: (books, { address, request, at }) => mark(books, address, { request, at }),
  'not-updated': (books, { address, earlier }) => mark(books, address, earlier),
  'update-unseen': doubt,
  retired: retire,
  moved: move,
  protection: protect,
  imported: importId,
  forgotten: forget,
  partial: begin,
  whole(books) {
    books.partial = undefined;
  },
  recovering: loseSight,
  'not-there': miss,
  'namespace-known'(books) {
    if (books.recovering) books.recovering = { ...books.recovering, isNamespaceKnown: true };
  },
  recovered(books) {
    books.recovering = undefined;
  },
};

/**
 * A state under construction: `apply` takes constant time where rebuilding the immutable state takes a copy of
 * it, which ten thousand events can't afford. An event that can't follow what is recorded throws and changes
 * nothing, because it is a bug of ours; one that is already true (a repeat) changes nothing either.
 */
export class StateBuilder {
  readonly #base: State;
  readonly #books: Books;

  constructor(base: State) {
    this.#base = base;
    this.#books = new Books(base);
  }

  /** The whole state as it is now, with the serial that the builder began with. Takes a copy. */
  snapshot(): State {
    const { recovering: _, partial: __, forgotten: ___, ...base } = this.#base;
    const { resources, retired, pending, imported, recovering, partial, forgotten } = this.#books;
    return {
      ...base,
      ...(recovering !== undefined && {
        recovering: { ...recovering, absent: [...recovering.absent].sort() },
      }),
      ...(partial && { partial }),
      ...(forgotten.size > 0 && { forgotten: Object.fromEntries(forgotten) }),
      resources: Object.fromEntries(resources),
      retired: retired.all(),
      pending: [...pending.values()].sort(comparePending),
      imported: [...imported.values()].sort(compareImported),
    };
  }

  recordAt(address: Address): ResourceRecord | undefined {
    return this.#books.resources.get(address);
  }

  /** The last one where an address was retired more than once. */
  retiredAt(address: Address): RetiredRecord | undefined {
    return this.#books.retired.at(address).at(-1);
  }

  /** The address that a remote id is recorded for, live, retired or imported. */
  holderOf(kind: Kind, id: string): Address | undefined {
    return this.#books.holders.of(kind, id);
  }

  importedAt(address: Address): ImportedId | undefined {
    return this.#books.imported.get(address);
  }

  pendingAt(address: Address): PendingCreate | undefined {
    return this.#books.pending.get(address);
  }

  /** Puts back what `pendingAt` gave before an intent that could not be made durable, so was never sent. */
  restorePending(address: Address, create: PendingCreate | undefined): void {
    if (create) this.#books.pending.set(address, create);
    else this.#books.pending.delete(address);
  }

  apply(event: StateEvent): void {
    // The table has a fold for every type, which the compiler can't follow through the union.
    const known = Object.hasOwn(folds, event.type);
    if (!known) throw new Error(`Unknown state event ${JSON.stringify(event)}.`);
    (folds[event.type] as (books: Books, event: StateEvent) => void)(this.#books, event);
  }
}
