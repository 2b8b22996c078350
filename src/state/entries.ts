import { type Address, type Kind, kindOf } from '../catalog/model.ts';
import { idIn } from '../contract/api.ts';
import { type Holding, has, idAsked, idKey, idsNamed, isHolding, lastStrayIds, othersOf } from './entry.ts';
import { Groups } from './groups.ts';
import type { EntryOf, EntryStatus, PendingCreate, RecordedRequest, State, StateEntry } from './model.ts';
import { compareEntries, countOf, rankOf } from './order.ts';

/** What is recorded of each address and of each ID, in constant time. */
export type Entries = Pick<
  EntryTable,
  'at' | 'find' | 'record' | 'all' | 'holding' | 'naming' | 'claim' | 'madeBy' | 'holderOf' | 'updatedBy'
>;

/** Entries that change. Thousands may have one address or name one ID: a change looks at few of them. */
export class EntryTable implements Entries {
  readonly #byAddress = new Map<Address, StateEntry[]>();
  /**
   * By ID. The interface does not say that an item and a classifier can't have one ID (each has a path of its own), so
   * each kind has IDs of its own. An ID that was recorded once stays.
   */
  readonly #naming = new Groups<StateEntry>();
  readonly #holding = new Groups<Holding>();
  readonly #asking = new Groups<PendingCreate>();
  /** The addresses of `othersOf`, of which one entry may have thousands: what an address had once stays. */
  readonly #byOtherId = new Groups<Address>();
  /** Where something was forgotten since `naming` was asked. */
  readonly #toIndex = new Set<Address>();
  /** Entries that no state has: their address may change. */
  readonly #own = new WeakSet<StateEntry>();

  constructor(entries: Iterable<StateEntry> = []) {
    for (const entry of entries) {
      this.#listAt(entry.address).push(entry);
      this.#index('add', entry);
    }
    for (const its of this.#byAddress.values()) its.sort(compareEntries);
  }

  /** In use or perhaps so first, then what was retired there, oldest first. A later change shows in it. */
  at(address: Address): readonly StateEntry[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** The entry of this status; if the address was retired more than once, the last one. */
  find<Status extends EntryStatus>(status: Status, address: Address): EntryOf<Status> | undefined {
    const its = this.at(address);
    const last = its[countOf(its, (entry) => rankOf(entry.status) <= rankOf(status)) - 1];
    return last?.status === status ? (last as EntryOf<Status>) : undefined;
  }

  /** The record of an address: the one in use, else the imported ID, else what was retired last. */
  record(address: Address): Holding | undefined {
    return this.find('live', address) ?? this.find('imported', address) ?? this.find('retired', address);
  }

  all<Status extends EntryStatus>(status: Status): readonly EntryOf<Status>[] {
    const isOne = (entry: StateEntry): entry is EntryOf<Status> => entry.status === status;
    return [...this.#byAddress.values()].flatMap((entries) => entries.filter(isOne));
  }

  /** The entry of the record that an update goes to: a person may name another ID for its address. */
  updatedBy(address: Address, { path }: RecordedRequest): Holding | undefined {
    for (const entry of this.holding(kindOf(address), idIn(path) ?? ''))
      if (entry.address === address) return entry;
    return undefined;
  }

  /** The entries that have an ID: all of one address. */
  holding(kind: Kind, id: string): ReadonlySet<Holding> {
    return this.#holding.get(`${kind} ${id}`);
  }

  /** Every entry that names an ID: it has it, had it, asked for it or was answered with it. */
  naming(kind: Kind, id: string): ReadonlySet<StateEntry> {
    const key = `${kind} ${id}`;
    const named = this.#naming.get(key);
    for (const address of this.#toIndex) {
      const forgotten = this.find('forgotten', address);
      if (forgotten) this.#indexOthers(forgotten);
    }
    this.#toIndex.clear();
    const others = [...this.#byOtherId.get(key)].flatMap((address) =>
      this.at(address).filter((entry) => othersOf(entry).includes(id)),
    );
    return others.length > 0 ? new Set([...named, ...others]) : named;
  }

  /**
   * What an update of an ID would change: the record that has it, else the create that asked for it, that of `own` first.
   * What an answer named that was not trusted belongs to nobody.
   */
  claim(own: Address, id: string): Holding | PendingCreate | undefined {
    const [holder] = this.holding(kindOf(own), id);
    const [asking] = this.#asking.get(idKey({ address: own, id }));
    const pending = this.find('pending', own);
    return holder ?? (pending?.request.body.id === id ? pending : asking);
  }

  /** The record that an update may have made, since it was answered with that one and nothing claims it. */
  madeBy({ address, unconfirmed }: Holding): string | undefined {
    const id = unconfirmed?.otherId;
    return id === undefined || this.claim(address, id) ? undefined : id;
  }

  /** The address that a remote ID is recorded for, live, retired or imported. */
  holderOf(kind: Kind, id: string): Address | undefined {
    const [holder] = this.holding(kind, id);
    return holder?.address;
  }

  add(entry: StateEntry): void {
    insert(entry, this.#listAt(entry.address));
    this.#index('add', entry);
  }

  /** Adds what follows `taken`, with the IDs in responses to those that nothing would name any more. */
  addAfter(taken: readonly StateEntry[], entry: Holding): void {
    const { address, unconfirmed } = entry;
    const { otherIds = [] } = taken.find(has(entry.id)) ?? {};
    const isNamed = (id: string) => id === entry.id || id === unconfirmed?.otherId || otherIds.includes(id);
    const isLost = (id: string) => !isNamed(id) && this.naming(kindOf(address), id).size === 0;
    const lost = new Set(taken.flatMap(lastStrayIds).filter(isLost));
    const others = lost.size > 0 ? [...otherIds, ...lost] : otherIds;
    this.add(others.length > 0 ? { ...entry, otherIds: others } : entry);
  }

  #listAt(address: Address): StateEntry[] {
    const its = this.#byAddress.get(address) ?? [];
    this.#byAddress.set(address, its);
    return its;
  }

  #index(change: 'add' | 'delete', entry: StateEntry): void {
    const key = (id: string) => idKey({ address: entry.address, id });
    for (const id of idsNamed(entry)) this.#naming[change](key(id), entry);
    if (isHolding(entry)) this.#holding[change](key(entry.id), entry);
    if (change === 'add' && isHolding(entry)) this.#indexOthers(entry);
    if (entry.status === 'forgotten') this.#toIndex.add(entry.address);
    if (entry.status === 'pending') for (const id of idAsked(entry)) this.#asking[change](key(id), entry);
  }

  #indexOthers(entry: StateEntry): void {
    const { address } = entry;
    const others = othersOf(entry);
    for (let at = others.length - 1; at >= 0; at--) {
      const key = idKey({ address, id: others[at] as string });
      const isKnown = this.#byOtherId.get(key).has(address);
      // Those before one of a record that is known are known.
      if (isKnown && isHolding(entry)) return;
      if (!isKnown) this.#byOtherId.add(key, address);
    }
  }

  /** Adds an entry in the place of the one of its status and address. */
  put(entry: StateEntry): void {
    this.take(entry.status, entry.address);
    this.add(entry);
  }

  remove(entry: StateEntry): void {
    const its = this.#listAt(entry.address);
    const first = countOf(its, (each) => compareEntries(each, entry) < 0);
    its.splice(its.indexOf(entry, first), 1);
    if (its.length === 0) this.#byAddress.delete(entry.address);
    this.#index('delete', entry);
  }

  /** Takes away what `find` gives, and gives it. */
  take<Status extends EntryStatus>(status: Status, address: Address): EntryOf<Status> | undefined {
    const entry = this.find(status, address);
    if (entry) this.remove(entry);
    return entry;
  }

  /** Takes away every entry of an address that is `gone`, and gives them. */
  takeAll(address: Address, gone: (entry: StateEntry) => boolean): readonly StateEntry[] {
    const taken = this.at(address).filter(gone);
    for (const entry of taken) this.remove(entry);
    return taken;
  }

  /**
   * Everything but what is forgotten gets another address, also in what was given out before: thousands may be moved
   * thousands of times.
   */
  move(from: Address, to: Address): void {
    const forgotten = this.take('forgotten', from);
    const moved = this.#listAt(from).map((entry) => this.#owned(entry));
    this.#byAddress.delete(from);
    if (forgotten) this.add(forgotten);
    for (const entry of moved) {
      entry.address = to;
      if (isHolding(entry)) this.#indexOthers(entry);
    }
    const there = this.#listAt(to);
    const [few, most] = moved.length < there.length ? [moved, there] : [there, moved];
    for (const entry of few) insert(entry, most);
    this.#byAddress.set(to, most);
  }

  #owned(entry: StateEntry): Own {
    if (this.#own.has(entry)) return entry;
    const own = { ...entry };
    this.#own.add(own);
    this.#index('delete', entry);
    this.#index('add', own);
    return own;
  }

  sorted(): readonly StateEntry[] {
    const entries = [...this.#byAddress.values()].flat().sort(compareEntries);
    return entries.map((entry) => (this.#own.has(entry) ? { ...entry } : entry));
  }
}

type Own = StateEntry & { address: Address };

function insert(entry: StateEntry, sorted: StateEntry[]): void {
  const place = countOf(sorted, (each) => compareEntries(each, entry) <= 0);
  sorted.splice(place, 0, entry);
}

const known = new WeakMap<State, Entries>();

/** The entries of a state that does not change; none if nothing is recorded. */
export function entriesOf(state: State | undefined): Entries {
  if (!state) return new EntryTable();
  const found = known.get(state) ?? new EntryTable(state.entries);
  known.set(state, found);
  return found;
}

/** Everything that is recorded, but for IDs that a person let go of. */
export function recordedEntries(state: State | undefined): readonly StateEntry[] {
  return (state?.entries ?? []).filter(({ status }) => status !== 'forgotten');
}
