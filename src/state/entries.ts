import equal from 'fast-deep-equal';
import { type Address, type Kind, kindOf } from '../catalog/model.ts';
import type { EntryOf, EntryStatus, PendingCreate, RecordedRequest, State, StateEntry } from './model.ts';

/** What is recorded of each address and of each ID, in constant time. */
export type Entries = Pick<
  EntryTable,
  'at' | 'find' | 'record' | 'all' | 'naming' | 'claim' | 'madeBy' | 'holderOf' | 'updatedBy'
>;

const statuses: readonly EntryStatus[] = ['live', 'pending', 'imported', 'retired', 'forgotten'];

/** Entries that change. */
export class EntryTable implements Entries {
  readonly #byAddress = new Map<Address, readonly StateEntry[]>();
  /**
   * The interface does not say that an item and a classifier can't have one ID (each has a path of its own), so each
   * kind has IDs of its own. An ID that was recorded once stays.
   */
  readonly #byId = new Map<string, StateEntry[]>();
  /** The addresses of `otherIds`, of which one entry may have thousands: they are not looked at for each of its changes. */
  readonly #byOtherId = new Map<string, Address>();

  /** Thousands of entries may have one address or name one ID: what is copied for each takes time by their square. */
  constructor(entries: Iterable<StateEntry> = []) {
    const byAddress = new Map<Address, StateEntry[]>();
    for (const entry of entries) {
      const others = byAddress.get(entry.address);
      if (others) others.push(entry);
      else byAddress.set(entry.address, [entry]);
      this.#name(entry);
    }
    for (const [address, its] of byAddress) this.#byAddress.set(address, its.sort(compareEntries));
  }

  /** In use or perhaps so first, then what was retired there, oldest first. */
  at(address: Address): readonly StateEntry[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** The entry of this status; if the address was retired more than once, the last one. */
  find<Status extends EntryStatus>(status: Status, address: Address): EntryOf<Status> | undefined {
    return this.at(address).findLast((entry): entry is EntryOf<Status> => entry.status === status);
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
  updatedBy(address: Address, request: RecordedRequest): Holding | undefined {
    return this.at(address)
      .filter(isHolding)
      .find(({ id }) => isUpdateOf(request, id));
  }

  /** Every entry that names an ID: it has it, had it, asked for it or was answered with it. */
  naming(kind: Kind, id: string): readonly StateEntry[] {
    const key = `${kind} ${id}`;
    const named = this.#byId.get(key) ?? [];
    const other = this.#byOtherId.get(key);
    if (other === undefined) return named;
    return [...named, ...this.at(other).filter((entry) => isHolding(entry) && entry.otherIds?.includes(id))];
  }

  /**
   * What an update of an ID would change: the record that has it, else the create that asked for it, that of `own` first.
   * What an answer named that was not trusted belongs to nobody.
   */
  claim(own: Address, id: string): Holding | PendingCreate | undefined {
    const naming = this.naming(kindOf(own), id);
    const asking = naming.filter((entry) => entry.status === 'pending' && entry.request.body.id === id);
    const claims = [...naming.filter(has(id)), ...(asking as readonly PendingCreate[])];
    return claims.find((entry) => isHolding(entry) || entry.address === own) ?? claims[0];
  }

  /** The record that an update may have made, since it was answered with that one and nothing claims it. */
  madeBy({ address, unconfirmed }: Holding): string | undefined {
    const id = unconfirmed?.otherId;
    return id === undefined || this.claim(address, id) ? undefined : id;
  }

  /** The address that a remote ID is recorded for, live, retired or imported. */
  holderOf(kind: Kind, id: string): Address | undefined {
    return this.naming(kind, id).find(has(id))?.address;
  }

  add(entry: StateEntry): void {
    const { address } = entry;
    this.#byAddress.set(address, [...this.at(address), entry].sort(compareEntries));
    this.#name(entry);
  }

  /** Adds what follows `taken`, with the IDs in responses to those that nothing would name any more. */
  addAfter(taken: readonly StateEntry[], entry: Holding): void {
    const { address, unconfirmed } = entry;
    const { otherIds = [] } = taken.find(has(entry.id)) ?? {};
    const isNamed = (id: string) => id === entry.id || id === unconfirmed?.otherId || otherIds.includes(id);
    const isLost = (id: string) => !isNamed(id) && this.naming(kindOf(address), id).length === 0;
    const lost = new Set(taken.flatMap(lastStrayIds).filter(isLost));
    const others = lost.size > 0 ? [...otherIds, ...lost] : otherIds;
    this.add(others.length > 0 ? { ...entry, otherIds: others } : entry);
  }

  #name(entry: StateEntry): void {
    for (const id of idsNamed(entry)) {
      const key = idKey({ address: entry.address, id });
      const others = this.#byId.get(key);
      if (others) others.push(entry);
      else this.#byId.set(key, [entry]);
    }
    const { address } = entry;
    const keys = isHolding(entry) ? (entry.otherIds ?? []) : [];
    // Those before one that is known are known.
    for (let at = keys.length - 1; at >= 0; at--) {
      const key = idKey({ address, id: keys[at] as string });
      if (this.#byOtherId.get(key) === address) return;
      this.#byOtherId.set(key, address);
    }
  }

  /** Adds an entry in the place of the ones of its status and address. */
  put(entry: StateEntry): void {
    this.take(entry.address, ({ status }) => status === entry.status);
    this.add(entry);
  }

  /** Takes away every entry of an address that is `gone`, and gives them. */
  take(address: Address, gone: (entry: StateEntry) => boolean): readonly StateEntry[] {
    const entries = this.at(address);
    const taken = entries.filter(gone);
    if (taken.length === 0) return taken;
    const left = entries.filter((entry) => !taken.includes(entry));
    if (left.length > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
    for (const entry of taken) {
      for (const id of idsNamed(entry)) {
        const others = this.naming(kindOf(address), id).filter((each) => each !== entry);
        if (others.length > 0) this.#byId.set(idKey({ address, id }), others);
        else this.#byId.delete(idKey({ address, id }));
      }
    }
    return taken;
  }

  sorted(): readonly StateEntry[] {
    return [...this.#byAddress.values()].flat().sort(compareEntries);
  }
}

const known = new WeakMap<State, Entries>();

/** The entries of a state that does not change; none if nothing is recorded. */
export function entriesOf(state: State | undefined): Entries {
  if (!state) return new EntryTable();
  const found = known.get(state) ?? new EntryTable(state.entries);
  known.set(state, found);
  return found;
}

/** By code units: the same order on every machine, whatever its language. */
export function compareEntries(a: StateEntry, b: StateEntry): number {
  return (
    compare(a.address, b.address) ||
    statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
    (a.status === 'retired' && b.status === 'retired'
      ? compare(a.retiredAt, b.retiredAt) || compare(a.id, b.id)
      : 0)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export type Holding = Exclude<StateEntry, { status: 'pending' | 'forgotten' }>;

/** An entry with the ID of a record that is the address's. */
export function isHolding(entry: StateEntry): entry is Holding {
  return entry.status !== 'pending' && entry.status !== 'forgotten';
}

/** Among the entries that name an ID, the one whose record has it. */
function has(id: string) {
  return (entry: StateEntry): entry is Holding => isHolding(entry) && entry.id === id;
}

/** IDs in responses that were not trusted: they belong to nobody, and each may be all that is left of a record. */
export function strayIds(entry: StateEntry): readonly string[] {
  return [...lastStrayIds(entry), ...((isHolding(entry) && entry.otherIds) || [])];
}

/** The same, but for those in responses to earlier requests. */
function lastStrayIds(entry: StateEntry): readonly string[] {
  if (entry.status === 'forgotten') return [];
  const ids = isHolding(entry) ? [entry.unconfirmed?.otherId] : [entry.answer?.id, entry.otherId];
  return ids.filter((id) => id !== undefined);
}

/** But for `otherIds`. */
function idsNamed(entry: StateEntry): ReadonlySet<string> {
  if (isHolding(entry)) return new Set([entry.id, ...lastStrayIds(entry)]);
  if (entry.status === 'forgotten') return new Set([entry.id, ...(entry.others ?? [])]);
  const { id } = entry.request.body;
  return new Set([...(typeof id === 'string' ? [id] : []), ...strayIds(entry)]);
}

export function isUpdateOf({ path }: RecordedRequest, id: string): boolean {
  return path.endsWith(`/${encodeURIComponent(id)}`);
}

/** An item and a classifier may have one ID. */
export function idKey({ address, id }: Pick<Holding, 'address' | 'id'>): string {
  return `${kindOf(address)} ${id}`;
}

/** An ID again, if it is that of an option in the response to an entry. */
export function optionWithId(entry: StateEntry, id: string): string | undefined {
  if (!('answer' in entry) || !entry.answer || !('classifierOptions' in entry.answer)) return undefined;
  return entry.answer.classifierOptions.some((option) => option.id === id) ? id : undefined;
}

/** The same intent again, or the same record by the ID that we chose ourselves (API section 4.1). */
export function isSameCreate(earlier: PendingCreate, again: Pick<PendingCreate, 'at' | 'request'>): boolean {
  const { request } = earlier;
  if (equal(request, again.request) && earlier.at === again.at) return true;
  const { id } = request.body;
  return typeof id === 'string' && id === again.request.body.id && request.path === again.request.path;
}

/** How an entry stands, in the words of `state list`. */
export type Standing = 'recorded' | 'diverged' | 'unconfirmed' | Exclude<EntryStatus, 'live'>;

/** Whether an update of it was sent and not seen. */
export function isInDoubt(entry: StateEntry): entry is Holding {
  return isHolding(entry) && entry.unconfirmed !== undefined;
}

/** What is unknown outweighs what was not taken. */
export function standingOf(entry: StateEntry): Standing {
  if (entry.status !== 'live') return entry.status;
  if (entry.unconfirmed) return 'unconfirmed';
  return entry.confidence === 'diverged' ? 'diverged' : 'recorded';
}

/** Everything that is recorded, but for IDs that a person let go of. */
export function recordedEntries(state: State | undefined): readonly StateEntry[] {
  return (state?.entries ?? []).filter(({ status }) => status !== 'forgotten');
}
