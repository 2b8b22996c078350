import equal from 'fast-deep-equal';
import { type Address, kindOf } from '../catalog/model.ts';
import type { EntryOf, EntryStatus, PendingCreate, StateEntry } from './model.ts';

export type Holding = Exclude<StateEntry, { status: 'pending' | 'forgotten' }>;

/** An entry with the ID of a record that is the address's. */
export function isHolding(entry: StateEntry): entry is Holding {
  return entry.status !== 'pending' && entry.status !== 'forgotten';
}

/** Among the entries that name an ID, the one whose record has it. */
export function has(id: string) {
  return (entry: StateEntry): entry is Holding => isHolding(entry) && entry.id === id;
}

/** IDs in responses that were not trusted: they belong to nobody, and each may be all that is left of a record. */
export function strayIds(entry: StateEntry): readonly string[] {
  return [...lastStrayIds(entry), ...((isHolding(entry) && entry.otherIds) || [])];
}

/** The same, but for those in responses to earlier requests. */
export function lastStrayIds(entry: StateEntry): readonly string[] {
  if (entry.status === 'forgotten') return [];
  const ids = isHolding(entry) ? [entry.unconfirmed?.otherId] : [entry.answer?.id, entry.otherId];
  return ids.filter((id) => id !== undefined);
}

/** But for `othersOf`. */
export function idsNamed(entry: StateEntry): ReadonlySet<string> {
  if (isHolding(entry)) return new Set([entry.id, ...lastStrayIds(entry)]);
  if (entry.status === 'forgotten') return new Set([entry.id]);
  return new Set([...idAsked(entry), ...strayIds(entry)]);
}

/** IDs beside its own that an entry has from earlier ones. */
export function othersOf(entry: StateEntry): readonly string[] {
  if (entry.status === 'pending') return [];
  return (entry.status === 'forgotten' ? entry.others : entry.otherIds) ?? [];
}

/** Every ID that a person let go of at an address, the last one first. */
export function forgottenIds(entry: EntryOf<'forgotten'> | undefined): readonly string[] {
  return entry ? [entry.id, ...(entry.others ?? [])] : [];
}

/** Of IDs that a person let go of at an address, the last one first, with what is known of their names. */
export function forgottenEntry(
  address: Address,
  at: string,
  ids: readonly string[],
  names: Readonly<Record<string, string>>,
): EntryOf<'forgotten'> {
  const [id = '', ...others] = new Set(ids);
  const known = [id, ...others].filter((each) => Object.hasOwn(names, each));
  const named = Object.fromEntries(known.map((each) => [each, names[each] ?? '']));
  return {
    ...{ status: 'forgotten', address, id, at },
    ...(known.length > 0 && { names: named }),
    ...(others.length > 0 && { others }),
  };
}

export function idAsked({ request }: PendingCreate): readonly string[] {
  return typeof request.body.id === 'string' ? [request.body.id] : [];
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
