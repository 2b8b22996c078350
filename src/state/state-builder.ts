import equal from 'fast-deep-equal';
import { type Address, type Kind, kindOf } from '../catalog/model.ts';
import type { StateEvent } from './event.ts';
import { IdHolders } from './id-holders.ts';
import type {
  ImportedId,
  PendingCreate,
  Recovery,
  ResourceRecord,
  RetiredRecord,
  State,
  UnconfirmedUpdate,
} from './model.ts';
import { RetiredRecords } from './retired-records.ts';
import { compareImported, comparePending } from './state-order.ts';

type EventOf<Type extends StateEvent['type']> = Extract<StateEvent, { type: Type }>;

/**
 * A state under construction: `apply` takes constant time where rebuilding the immutable state takes a copy of
 * it, which ten thousand events can't afford. An event that can't follow what is recorded throws and changes
 * nothing, because it is a bug of ours; one that is already true (a repeat) changes nothing either.
 */
export class StateBuilder {
  readonly #base: State;
  readonly #resources: Map<Address, ResourceRecord>;
  readonly #pending: Map<Address, PendingCreate>;
  readonly #imported: Map<Address, ImportedId>;
  readonly #retired: RetiredRecords;
  #recovering: Recovery | undefined;
  /** Whose every id is: an id that was recorded once stays, until a person says otherwise. */
  readonly #holders = new IdHolders();

  constructor(base: State) {
    this.#base = base;
    this.#resources = new Map(Object.entries(base.resources) as [Address, ResourceRecord][]);
    this.#pending = new Map(base.pending.map((create) => [create.address, create]));
    this.#imported = new Map(base.imported.map((imported) => [imported.address, imported]));
    this.#retired = new RetiredRecords(base.retired);
    this.#recovering = base.recovering;
    for (const { address, id } of base.retired) this.#holders.set(id, address);
    for (const { address, id } of base.imported) this.#holders.set(id, address);
    for (const [address, { id }] of this.#resources) this.#holders.set(id, address);
  }

  /** The whole state as it is now, with the serial that the builder began with. Takes a copy. */
  snapshot(): State {
    const { recovering: _, ...base } = this.#base;
    return {
      ...base,
      ...(this.#recovering !== undefined && { recovering: this.#recovering }),
      resources: Object.fromEntries(this.#resources),
      retired: this.#retired.all(),
      pending: [...this.#pending.values()].sort(comparePending),
      imported: [...this.#imported.values()].sort(compareImported),
    };
  }

  recordAt(address: Address): ResourceRecord | undefined {
    return this.#resources.get(address);
  }

  /** The last one where an address was retired more than once. */
  retiredAt(address: Address): RetiredRecord | undefined {
    return this.#retired.at(address).at(-1);
  }

  /** The address that a remote id is recorded for, live, retired or imported. */
  holderOf(kind: Kind, id: string): Address | undefined {
    return this.#holders.of(kind, id);
  }

  importedAt(address: Address): ImportedId | undefined {
    return this.#imported.get(address);
  }

  pendingAt(address: Address): PendingCreate | undefined {
    return this.#pending.get(address);
  }

  /** Puts back what `pendingAt` gave before an intent that could not be made durable, so was never sent. */
  restorePending(address: Address, create: PendingCreate | undefined): void {
    if (create) this.#pending.set(address, create);
    else this.#pending.delete(address);
  }

  apply(event: StateEvent): void {
    switch (event.type) {
      case 'intent':
        this.#intend(event);
        break;
      case 'answered':
        this.#answer(event);
        break;
      case 'not-taken':
        this.#pending.delete(event.address);
        break;
      case 'unseen':
        this.#unsee(event);
        break;
      case 'updating':
        this.#mark(event.address, { request: event.request, at: event.at });
        return;
      case 'not-updated':
        this.#mark(event.address, undefined);
        return;
      case 'update-unseen':
        this.#doubt(event);
        return;
      case 'retired':
        this.#retireResource(event);
        break;
      case 'moved':
        this.#move(event);
        break;
      case 'protection':
        this.#protect(event);
        break;
      case 'imported':
        this.#import(event);
        break;
      case 'forgotten':
        this.#forget(event);
        break;
      case 'recovering':
        this.#recovering ??= { since: event.at, absent: [] };
        break;
      case 'not-there':
        this.#miss(event);
        break;
      case 'recovered':
        this.#recovering = undefined;
        break;
      default:
        throw new Error(`Unknown state event ${JSON.stringify(event satisfies never)}.`);
    }
  }

  /** A second create may only follow an unsettled one where the service can see that both are the same. */
  #intend({ address, at, request }: EventOf<'intent'>): void {
    const earlier = this.#pending.get(address);
    if (earlier && !isSameCreate(earlier, { address, at, request })) {
      throw new Error(`A create of ${address} is pending; another one could make a duplicate.`);
    }
    if (this.#imported.has(address)) {
      throw new Error(`An id of ${address} was imported; a create could make a duplicate.`);
    }
    this.#pending.set(address, { address, request, at });
  }

  /** Where the id is a new one, the old record still exists remotely: it is retired, never overwritten. */
  #answer({ address, record }: EventOf<'answered'>): void {
    this.#assertFree(record.id, address);
    const before = this.#resources.get(address);
    if (before && before.id !== record.id) this.#retired.add({ ...before, address, retiredAt: record.at });
    this.#retired.remove(address, record.id);
    this.#pending.delete(address);
    this.#imported.delete(address);
    this.#resources.set(address, record);
    this.#holders.set(record.id, address);
  }

  /** A retired record that is being revived needs no mark: it is written again until it is answered. */
  #mark(address: Address, unconfirmed: UnconfirmedUpdate | undefined): void {
    const record = this.#resources.get(address);
    if (!record) return;
    const { unconfirmed: _, ...confirmed } = record;
    this.#resources.set(address, unconfirmed ? { ...confirmed, unconfirmed } : confirmed);
  }

  #doubt({ address, reason }: EventOf<'update-unseen'>): void {
    const unconfirmed = this.#resources.get(address)?.unconfirmed;
    if (unconfirmed) this.#mark(address, { ...unconfirmed, reason });
  }

  #unsee({ address, reason, answer }: EventOf<'unseen'>): void {
    const create = this.#pending.get(address);
    if (!create) throw new Error(`No create of ${address} is pending, so its outcome can't be unseen.`);
    this.#pending.set(address, { ...create, reason, ...(answer && { answer }) });
  }

  #retireResource({ address, at }: EventOf<'retired'>): void {
    const record = this.#resources.get(address);
    if (record) {
      this.#resources.delete(address);
      this.#retired.add({ ...record, address, retiredAt: at });
    } else if (this.#retired.at(address).length === 0) {
      throw new Error(`${address} is not recorded, so it can't be retired.`);
    }
  }

  #protect({ address, protect }: EventOf<'protection'>): void {
    const record = this.#resources.get(address);
    if (!record) throw new Error(`${address} is not recorded, so it can't be protected.`);
    this.#resources.set(address, { ...record, protect });
  }

  #move({ from, to }: EventOf<'moved'>): void {
    if (!this.#isKnown(from) && this.#isKnown(to)) return;
    this.#assertMovable(from, to);
    const record = this.#resources.get(from);
    if (record) this.#resources.set(to, record);
    if (record) this.#holders.set(record.id, to);
    this.#resources.delete(from);
    const create = this.#pending.get(from);
    if (create) this.#pending.set(to, { ...create, address: to });
    this.#pending.delete(from);
    const imported = this.#imported.get(from);
    if (imported) this.#imported.set(to, { ...imported, address: to });
    if (imported) this.#holders.set(imported.id, to);
    this.#imported.delete(from);
    for (const old of this.#retired.take(from)) {
      this.#retired.add({ ...old, address: to });
      this.#holders.set(old.id, to);
    }
  }

  #import({ address, at, id, options }: EventOf<'imported'>): void {
    this.#assertFree(id, address);
    if (this.#resources.has(address) || this.#pending.has(address)) {
      throw new Error(`${address} is recorded or pending already, so no id can be imported for it.`);
    }
    const before = this.#imported.get(address);
    if (before) this.#holders.delete(before.id, address);
    this.#imported.set(address, { address, id, at, ...(options && { options }) });
    this.#holders.set(id, address);
  }

  #miss({ address }: EventOf<'not-there'>): void {
    if (!this.#recovering) throw new Error(`${address} was looked for, and no recovery is under way.`);
    const absent = new Set([...this.#recovering.absent, address]);
    this.#recovering = { ...this.#recovering, absent: [...absent].sort() };
  }

  /** A create that is pending stays: only `not-taken` ends it. */
  #forget({ address }: EventOf<'forgotten'>): void {
    this.#resources.delete(address);
    this.#imported.delete(address);
    this.#retired.take(address);
    this.#holders.forget(address);
  }

  #assertFree(id: string, address: Address): void {
    const holder = this.#holders.of(kindOf(address), id);
    if (holder === undefined || holder === address) return;
    throw new Error(`Record ${id} is ${holder}; it can't be ${address} too.`);
  }

  #assertMovable(from: Address, to: Address): void {
    if (from === to || from.split('.', 1)[0] !== to.split('.', 1)[0]) {
      throw new Error(`${from} can't be moved to ${to}.`);
    }
    if (!this.#isKnown(from)) throw new Error(`${from} is not recorded, so it can't be moved to ${to}.`);
    if (this.#isTaken(from) && this.#isTaken(to)) {
      throw new Error(`${to} is recorded already, so ${from} can't be moved there.`);
    }
  }

  #isTaken(address: Address): boolean {
    return this.#resources.has(address) || this.#pending.has(address) || this.#imported.has(address);
  }

  #isKnown(address: Address): boolean {
    return this.#isTaken(address) || this.#retired.at(address).length > 0;
  }
}

/** The same intent again, or the same record by the id that we chose ourselves (interface, section 4.1). */
function isSameCreate(earlier: PendingCreate, again: PendingCreate): boolean {
  const { request } = earlier;
  if (equal(request, again.request) && earlier.at === again.at) return true;
  const { id } = request.body;
  return typeof id === 'string' && id === again.request.body.id && request.path === again.request.path;
}
