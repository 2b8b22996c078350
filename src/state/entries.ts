import equal from 'fast-deep-equal';
import { type Address, type Kind, kindOf } from '../catalog/model.ts';
import type {
  EntryOf,
  EntryStatus,
  PendingCreate,
  RecordedRequest,
  State,
  StateEntry,
  UnconfirmedUpdate,
} from './model.ts';

/** What is recorded of each address and of each ID, in constant time. */
export type Entries = Pick<
  EntryTable,
  'at' | 'find' | 'record' | 'all' | 'naming' | 'claim' | 'holderOf' | 'updatedBy'
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
    return this.#byId.get(`${kind} ${id}`) ?? [];
  }

  /**
   * What an update of an ID would change: the record that has it, else the create that asked for it, that of `own` first.
   * What an answer named that was not trusted belongs to nobody.
   */
  claim(own: Address, id: string): Holding | PendingCreate | undefined {
    const naming = this.naming(kindOf(own), id);
    const asking = naming.filter((entry) => entry.status === 'pending' && entry.request.body.id === id);
    const claims = [...naming.filter(isHolding), ...(asking as readonly PendingCreate[])];
    return claims.find((entry) => isHolding(entry) || entry.address === own) ?? claims[0];
  }

  /** The address that a remote ID is recorded for, live, retired or imported. */
  holderOf(kind: Kind, id: string): Address | undefined {
    return this.naming(kind, id).find(isHolding)?.address;
  }

  add(entry: StateEntry): void {
    const { address } = entry;
    this.#byAddress.set(address, [...this.at(address), entry].sort(compareEntries));
    this.#name(entry);
  }

  #name(entry: StateEntry): void {
    for (const id of idsNamed(entry)) {
      const key = idKey({ address: entry.address, id });
      const others = this.#byId.get(key);
      if (others) others.push(entry);
      else this.#byId.set(key, [entry]);
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

function idsNamed(entry: StateEntry): ReadonlySet<string> {
  if (isHolding(entry)) return new Set([entry.id]);
  if (entry.status === 'forgotten') return new Set([entry.id, ...(entry.others ?? [])]);
  const { request, answer, otherId } = entry;
  const asked = typeof request.body.id === 'string' ? [request.body.id] : [];
  return new Set([...asked, ...(answer ? [answer.id] : []), ...(otherId === undefined ? [] : [otherId])]);
}

export function isUpdateOf({ path }: RecordedRequest, id: string): boolean {
  return path.endsWith(`/${encodeURIComponent(id)}`);
}

/** An item and a classifier may have one ID. */
export function idKey({ address, id }: Pick<Holding, 'address' | 'id'>): string {
  return `${kindOf(address)} ${id}`;
}

/** A create that events or another state leave open, as far as they tell of it. */
export type OpenCreate = Pick<PendingCreate, 'address'> & Partial<Omit<PendingCreate, 'status'>>;

/** Whether a create is still pending, with every ID that was answered to it. */
export function isPendingIn(
  entries: Entries,
  { address, at, request, answer, otherId }: OpenCreate,
): boolean {
  const pending = entries.find('pending', address);
  return (
    pending !== undefined &&
    (at === undefined || pending.at >= at) &&
    (request === undefined || equal(pending.request, request)) &&
    (answer === undefined || pending.answer?.id === answer.id) &&
    (otherId === undefined || pending.otherId === otherId)
  );
}

/** Whether what is known of a record is as new as an update of it, or leaves that open. */
export function coversUpdate({ at, unconfirmed }: Holding, update: Pick<UnconfirmedUpdate, 'at'>): boolean {
  return at >= update.at || (unconfirmed?.at ?? '') >= update.at;
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
