import { type Address, kindOf, parseAddress } from '../catalog/model.ts';
import { type Entries, EntryTable } from './entries.ts';
import { forgottenEntry, forgottenIds, type Holding, isSameCreate, optionWithId } from './entry.ts';
import type { EventOf, StateEvent } from './event.ts';
import type { Beginning, Recovery, State, StateEntry, UnconfirmedUpdate } from './model.ts';

type Looked = 'absent' | 'asked';
/** A recovery with what it has looked for, and has no record of, as sets. */
type Recovering = Omit<Recovery, Looked> & { readonly [Name in Looked]: Set<Address> };

type Reducers = { readonly [Type in StateEvent['type']]: (event: EventOf<Type>) => void };

/**
 * A state under construction: `apply` takes constant time where rebuilding the immutable state takes a copy of
 * it, which ten thousand events can't afford. An event that can't follow what is recorded throws and changes
 * nothing, because it is a bug of ours; one that is already true (a repeat) changes nothing either.
 */
export class StateDraft {
  readonly #base: State;
  readonly #entries: EntryTable;
  #recovering: Recovering | undefined;
  #partial: Beginning | undefined;
  /** Options that no state has yet: thousands of one classifier can be renamed without a copy for each. */
  #ownOptions = new WeakSet<object>();

  constructor(base: State) {
    this.#base = base;
    this.#entries = new EntryTable(base.entries);
    this.#partial = base.partial;
    const { absent, asked } = base.recovering ?? {};
    this.#recovering = base.recovering && {
      ...base.recovering,
      absent: new Set(absent),
      asked: new Set(asked),
    };
  }

  get entries(): Entries {
    return this.#entries;
  }

  /** The whole state as it is now, with the serial that the draft began with. Takes a copy. */
  snapshot(): State {
    const { recovering: _, partial: __, ...base } = this.#base;
    this.#ownOptions = new WeakSet();
    return {
      ...base,
      ...(this.#recovering && { recovering: recoveryOf(this.#recovering) }),
      ...(this.#partial && { partial: this.#partial }),
      entries: this.#entries.sorted(),
    };
  }

  apply(event: StateEvent): void {
    // The table has a reducer for every type, which the compiler can't follow through the union.
    (this.#reducers[event.type] as (event: StateEvent) => void)(event);
    const isOpen = event.type === 'update-intent' || event.type === 'update-unknown';
    if ('address' in event && !isOpen) this.#recovering?.asked.delete(event.address);
  }

  /** What each kind of event changes. */
  readonly #reducers: Reducers = {
    // A second create may only follow an unsettled one if the service can see that both are the same.
    'create-intent': ({ address, at, request }) => {
      const earlier = this.#entries.find('pending', address);
      if (earlier && !isSameCreate(earlier, { at, request }))
        throw new Error(`A create of ${address} is pending; another one could make a duplicate.`);
      if (this.#entries.find('imported', address))
        throw new Error(`An id of ${address} was imported; a create could make a duplicate.`);
      // What the earlier one was answered may be all that is left of a record.
      this.#entries.put({ ...earlier, status: 'pending', address, request, at });
    },
    // If the ID is a new one, the old record still exists remotely: it is retired, never overwritten.
    answered: ({ address, record }) => {
      this.#assertFree(record.id, address);
      const before = this.#entries.find('live', address);
      // If nothing else was recorded, a person has confirmed that what was forgotten is not there.
      this.#succeedForgotten(address, record.id, this.#entries.record(address) === undefined);
      const inUse = (['live', 'pending', 'imported'] as const).map((status) =>
        this.#entries.take(status, address),
      );
      const retired = [...this.#entries.holding(kindOf(address), record.id)];
      for (const each of retired) this.#entries.remove(each);
      const taken = [...inUse, ...retired].filter((each) => each !== undefined);
      if (before && before.id !== record.id)
        this.#entries.add({ ...before, status: 'retired', retiredAt: record.at });
      this.#entries.addAfter(taken, { ...record, status: 'live', address });
    },
    'create-rejected': ({ address, earlier }) => {
      this.#entries.take('pending', address);
      if (earlier) this.#entries.add(earlier);
    },
    'create-unknown': ({ address, type: _, ...seen }) => {
      const { at, request, ...create } = { ...this.#entries.find('pending', address), ...seen };
      if (!at || !request)
        throw new Error(`No create of ${address} is pending, so its outcome can't be unseen.`);
      this.#entries.put({ ...create, status: 'pending', address, at, request });
    },
    'update-intent': ({ address, request, at }) => {
      const entry = this.#entries.updatedBy(address, request);
      if (!this.#isRecorded(address)) this.#recovering?.asked.add(address);
      // What an earlier one was answered may be all that is left of a record.
      this.#mark(entry, { ...entry?.unconfirmed, request, at });
    },
    'update-rejected': ({ address, earlier }) => this.#mark(this.#inDoubt(address), earlier),
    'update-unknown': ({ address, type: _, ...seen }) => {
      const entry = this.#inDoubt(address);
      if (entry?.unconfirmed) this.#mark(entry, { ...entry.unconfirmed, ...seen });
    },
    retired: ({ address, at }) => {
      const record = this.#entries.take('live', address);
      if (record) this.#entries.add({ ...record, status: 'retired', retiredAt: at });
      else if (!this.#entries.find('retired', address))
        throw new Error(`${address} is not recorded, so it can't be retired.`);
    },
    moved: ({ from, to }) => {
      const { resource, option } = parseAddress(to) ?? { resource: to };
      if (option === undefined) this.#move(from, to);
      else this.#renameOption(resource, from.slice(resource.length + 1), option);
    },
    protection: ({ address, protect }) => {
      const record = this.#entries.find('live', address);
      if (!record) throw new Error(`${address} is not recorded, so it can't be protected.`);
      this.#entries.put({ ...record, protect });
    },
    imported: ({ type: _, ...imported }) => {
      const { address, id } = imported;
      this.#assertFree(id, address);
      if (this.#entries.find('live', address) || this.#entries.find('pending', address))
        throw new Error(`${address} is recorded or pending already, so no id can be imported for it.`);
      this.#succeedForgotten(address, id);
      const taken = this.#entries.take('imported', address);
      const open = taken?.unconfirmed;
      this.#entries.addAfter(taken ? [taken] : [], {
        ...imported,
        status: 'imported',
        ...(open && { unconfirmed: open }),
      });
    },
    // A create that is pending stays: only `create-rejected` ends it.
    forgotten: ({ address, at }) => {
      const record = this.#entries.record(address);
      if (!record) return;
      const taken = this.#entries.takeAll(address, ({ status }) => status !== 'pending');
      const ids = taken.flatMap((each) => [
        ...('id' in each ? [each.id] : []),
        ...('others' in each ? (each.others ?? []) : []),
      ]);
      this.#entries.add(forgottenEntry(address, at, [record.id, ...ids], namesOf(record, taken)));
    },
    partial: ({ at, by }) => {
      this.#partial ??= { by, since: at };
    },
    complete: () => {
      this.#partial = undefined;
    },
    // From then on what is not recorded is looked for, which guards better than the mark of an unusual beginning.
    recovering: ({ at }) => {
      this.#recovering ??= { since: at, absent: new Set(), asked: new Set() };
      this.#partial = undefined;
    },
    'not-found': ({ address }) => {
      if (!this.#recovering) throw new Error(`${address} was looked for, and no recovery is under way.`);
      this.#recovering.absent.add(address);
    },
    'namespace-known': () => {
      if (this.#recovering) this.#recovering = { ...this.#recovering, isNamespaceKnown: true };
    },
    recovered: () => {
      this.#recovering = undefined;
    },
  };

  /** The record whose update is open. One that was retired before it may be in doubt for good. */
  #inDoubt(address: Address): Holding | undefined {
    const record = this.#entries.record(address);
    return record?.unconfirmed && record;
  }

  #mark(entry: Holding | undefined, unconfirmed: UnconfirmedUpdate | undefined): void {
    if (!entry) return;
    const { unconfirmed: _, ...confirmed } = entry;
    this.#entries.remove(entry);
    this.#entries.addAfter([entry], unconfirmed ? { ...confirmed, unconfirmed } : confirmed);
  }

  /**
   * Another record has the address from now on. Of the IDs that were forgotten there, its own is none any more. Others stay,
   * since creates must not ask for them, and nothing tells what became of the last one, unless it is `isGone`.
   */
  #succeedForgotten(address: Address, own: string, isGone = false): void {
    const forgotten = this.#entries.take('forgotten', address);
    if (!forgotten) return;
    const { at, id: last, names = {} } = forgotten;
    const ids = forgottenIds(forgotten).filter((id) => id !== own && !(isGone && id === last));
    if (ids.length > 0) this.#entries.add(forgottenEntry(address, at, ids, names));
  }

  #move(from: Address, to: Address): void {
    if (!this.#isRecorded(from) && this.#isRecorded(to)) return;
    this.#assertMovable(from, to);
    this.#entries.move(from, to);
  }

  #renameOption(classifier: Address, from: string, to: string): void {
    for (const status of ['live', 'imported', 'retired'] as const) {
      const entry = this.#entries.find(status, classifier);
      if (!entry?.options || Object.hasOwn(entry.options, to)) continue;
      const id = Object.hasOwn(entry.options, from) ? entry.options[from] : optionWithId(entry, from);
      if (id === undefined) continue;
      const options: Record<string, string> = this.#ownOptions.has(entry.options)
        ? entry.options
        : { ...entry.options };
      delete options[from];
      options[to] = id;
      if (options === entry.options) continue;
      this.#ownOptions.add(options);
      this.#entries.remove(entry);
      this.#entries.add({ ...entry, options });
    }
  }

  #assertFree(id: string, address: Address): void {
    const holder = this.#entries.holderOf(kindOf(address), id);
    if (holder !== undefined && holder !== address)
      throw new Error(`Record ${id} is ${holder}; it can't be ${address} too.`);
    const imported = this.#entries.find('imported', address);
    if (imported && imported.id !== id)
      throw new Error(`Record ${imported.id} was imported for ${address}; ${id} can't take its place.`);
  }

  #assertMovable(from: Address, to: Address): void {
    if (from === to || kindOf(from) !== kindOf(to)) throw new Error(`${from} can't be moved to ${to}.`);
    if (!this.#isRecorded(from)) throw new Error(`${from} is not recorded, so it can't be moved to ${to}.`);
    if (this.#isInUse(from) && this.#isInUse(to))
      throw new Error(`${to} is recorded already, so ${from} can't be moved there.`);
  }

  /** Perhaps so, if its create is pending. */
  #isInUse(address: Address): boolean {
    const [first] = this.#entries.at(address);
    return first !== undefined && first.status !== 'retired' && first.status !== 'forgotten';
  }

  #isRecorded(address: Address): boolean {
    const [first] = this.#entries.at(address);
    return first !== undefined && first.status !== 'forgotten';
  }
}

function recoveryOf({ absent, asked, ...recovery }: Recovering): Recovery {
  return { ...recovery, absent: [...absent].sort(), ...(asked.size > 0 && { asked: [...asked].sort() }) };
}

/** The state after all `events`, in their order. Linear in their number and in the size of the state. */
export function fold(state: State, events: Iterable<StateEvent>): State {
  const draft = new StateDraft(state);
  for (const event of events) draft.apply(event);
  return draft.snapshot();
}

/** What records that are let go of were called. One that another of its name has followed is that one. */
function namesOf(record: Holding, taken: readonly StateEntry[]): Readonly<Record<string, string>> {
  const last = 'answer' in record ? record.answer?.name : undefined;
  const named = taken.flatMap((each): [string, string][] => {
    if (each.status === 'forgotten') return Object.entries(each.names ?? {});
    const name = 'answer' in each ? each.answer?.name : undefined;
    return 'id' in each && name !== undefined && (each === record || name !== last) ? [[each.id, name]] : [];
  });
  return Object.fromEntries(named);
}
