import { addressOf, type Catalog, type ItemDeclaration, isReservedKey, kindOf } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import { uuid5 } from '../environment/uuid5.ts';
import type { PendingCreate, State, StateEntry } from '../state/model.ts';

export interface ClientIds {
  /** The id that the item's create asks for; undefined where the service is known to ignore it. */
  idFor(key: string, declaration: ItemDeclaration): string | undefined;
  /** The id that a second record of the item asks for: one that nothing was ever recorded or sent under. */
  nextFor(key: string, declaration: ItemDeclaration): string | undefined;
  /** The ids that records of an item may have, so many as a recovery looks for; none of them is another address's. */
  candidatesFor(key: string): readonly string[];
  /** The id of the first record of an item. */
  derived(key: string): string;
  /** The other address that an id is recorded for, or waits for; undefined where there is none. */
  holderOf(id: string, key: string): string | undefined;
  /** True where an id of before shows that the namespace is still the same. */
  readonly isNamespaceKnown: boolean;
  /** True where sending one create twice is known to leave one record. */
  readonly honoured: boolean;
  /** What the service does with the id that a create asks for, by the profile or by what was answered. */
  readonly knowledge: Profile['itemCreate.clientId'];
}

/** So many records of one item are reckoned with that the state may not know: the first and what replaced it. */
const GENERATIONS = 3;

/**
 * Ids that Trove asks for when it creates items: the declared one, else a UUIDv5 of the
 * environment's namespace and the key. An id that another address already holds, waits for or declares (after a
 * `moved`, say) is never asked for again; the next generation is.
 */
export function clientIds(
  namespace: string,
  profile: Profile,
  state: State | undefined,
  items: Catalog['items'] = new Map(),
): ClientIds {
  const honours = profile['itemCreate.clientId'];
  const holders = new Map([...declaredIds(items), ...idHolders(state)]);
  const holderOf = (id: string, key: string) => {
    const holder = holders.get(id);
    return holder === addressOf('item', key) ? undefined : holder;
  };
  const isOfOthers = (key: string) => (id: string) => holderOf(id, key) !== undefined;
  const idFor = (key: string, declaration: ItemDeclaration) => {
    if (declaration.id !== undefined) return declaration.id;
    if (honours === 'ignored') return undefined;
    return firstIds(namespace, key, 1, isOfOthers(key))[0];
  };
  const nextFor = (key: string, declaration: ItemDeclaration) => {
    if (declaration.id !== undefined) return declaration.id;
    if (honours === 'ignored') return undefined;
    return derivedId(namespace, key, lastGeneration(namespace, key, holders) + 1);
  };
  const knowledge = honours === 'unknown' ? seenToHonour(namespace, state) : honours;
  return {
    idFor,
    nextFor,
    candidatesFor: (key) => firstIds(namespace, key, GENERATIONS, isOfOthers(key)),
    derived: (key) => derivedId(namespace, key, 1),
    holderOf,
    isNamespaceKnown: state !== undefined && isNamespaceKnown(namespace, state),
    honoured: knowledge === 'honoured',
    knowledge,
  };
}

function firstIds(
  namespace: string,
  key: string,
  count: number,
  isTaken: (id: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  for (let generation = 1; found.length < count; generation++) {
    const id = derivedId(namespace, key, generation);
    if (!isTaken(id)) found.push(id);
  }
  return found;
}

/** The last record that is known under a derived id, or 0. A recovery may have found it without those before it. */
function lastGeneration(namespace: string, key: string, holders: ReadonlyMap<string, string>): number {
  let last = 0;
  for (let generation = 1; generation <= last + GENERATIONS; generation++) {
    if (holders.has(derivedId(namespace, key, generation))) last = generation;
  }
  return last;
}

function derivedId(namespace: string, key: string, generation: number): string {
  return uuid5(namespace, generation === 1 ? key : `${key}#${generation}`);
}

/**
 * True where an item of before has an id that this namespace gives. What a recovery has recorded shows nothing: it may
 * have been created with the id, and only then is it what was found. The same goes for what a probe has made.
 */
export function isNamespaceKnown(namespace: string, { entries, recovering }: State): boolean {
  if (recovering?.isNamespaceKnown) return true;
  return entries.some((entry) => {
    const { address, status } = entry;
    if (status !== 'imported' && (status !== 'live' || recovering)) return false;
    const key = address.slice('item.'.length);
    if (kindOf(address) !== 'item' || isReservedKey(key)) return false;
    return firstIds(namespace, key, GENERATIONS, () => false).includes(entry.id);
  });
}

/** Whoever declares an id has it, also where it is the one that would be derived for another item. */
function declaredIds(items: Catalog['items']): readonly (readonly [string, string])[] {
  return [...items].flatMap(([key, { declaration }]) =>
    declaration.id === undefined ? [] : [[declaration.id, addressOf('item', key)] as const],
  );
}

/** Of items alone: an ID of a classifier is another record's. What is pending counts by the ID that it asked for. */
function idHolders(state: State | undefined): readonly (readonly [string, string])[] {
  return itemEntries(state).flatMap((entry) => {
    if (entry.status === 'forgotten') return [];
    const id = entry.status === 'pending' ? String(entry.request.body.id) : entry.id;
    return [[id, entry.address] as const];
  });
}

/**
 * An item recorded under the very ID that Trove asked for: no service makes that up. One that was answered under
 * another ID outweighs them all. A declared ID alone says nothing, since a person may have copied it from the state.
 */
function seenToHonour(namespace: string, state: State | undefined): Profile['itemCreate.clientId'] {
  let seen = false;
  for (const entry of itemEntries(state)) {
    if (entry.status === 'pending' && isAnsweredOtherwise(entry)) return 'ignored';
    if (entry.status !== 'live') continue;
    const { address, id, sent } = entry;
    const asked = sent.method === 'POST' ? sent.body.id : undefined;
    if (isOtherId(asked, id)) return 'ignored';
    seen ||= asked === id || id === uuid5(namespace, address.slice('item.'.length));
  }
  return seen ? 'honoured' : 'unknown';
}

function itemEntries(state: State | undefined): readonly StateEntry[] {
  return (state?.entries ?? []).filter(({ address }) => kindOf(address) === 'item');
}

function isAnsweredOtherwise({ request, answer, otherId }: PendingCreate): boolean {
  return otherId !== undefined || (answer !== undefined && isOtherId(request.body.id, answer.id));
}

function isOtherId(asked: unknown, answered: string): boolean {
  return asked !== undefined && asked !== answered;
}
