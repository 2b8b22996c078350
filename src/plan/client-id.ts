import { addressOf, type Catalog, isReservedKey, keyOf, kindOf } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import { uuid5 } from '../environment/defaults.ts';
import type { Environment } from '../environment/model.ts';
import { entriesOf } from '../state/entries.ts';
import type { PendingCreate, State, StateEntry } from '../state/model.ts';

export interface ClientIds {
  /** The id that an item's create asks for; undefined where the service is known to ignore it. */
  idFor(key: string, declaredId: string | undefined): string | undefined;
  /** The id that a second record of an item asks for: one that nothing was ever recorded or sent under. */
  nextFor(key: string, declaredId: string | undefined): string | undefined;
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
  /** Whether a pending create is settled by sending it once more with its ID. */
  settlesAgain(create: PendingCreate): boolean;
}

/** So many records of one item are reckoned with that the state may not know: the first and what replaced it. */
const GENERATIONS = 3;

/**
 * Ids that Trove asks for when it creates items: the declared one, else a UUIDv5 of the
 * environment's namespace and the key. An id that another address already holds, waits for or declares (after a
 * `moved`, say) is never asked for again; the next generation is.
 */
export function clientIds(
  { idNamespace: namespace, profile }: Pick<Environment, 'idNamespace' | 'profile'>,
  state: State | undefined,
  items: Catalog['items'] = new Map(),
): ClientIds {
  const entries = entriesOf(state);
  const declared = new Map(
    [...items].map(([key, { declaration }]) => [declaration.id, addressOf('item', key)]),
  );
  // Whoever declares an ID has it, unless it is recorded or asked for already: that record may exist.
  const holderOf = (id: string, key: string) => {
    const address = addressOf('item', key);
    const holder = entries.claim(address, id)?.address ?? declared.get(id);
    return holder === address ? undefined : holder;
  };
  // Only the address that had it last may ask for it once more.
  const isForgotten = (id: string, key: string) =>
    [...entries.naming('item', id)].some(
      (entry) =>
        entry.status === 'forgotten' && (entry.id !== id || entry.address !== addressOf('item', key)),
    );
  const free = (key: string, count: number) => {
    const found: string[] = [];
    for (let generation = 1; found.length < count; generation++) {
      const id = derivedId(namespace, key, generation);
      if (holderOf(id, key) === undefined && !isForgotten(id, key)) found.push(id);
    }
    return found;
  };
  const known = { has: (id: string) => declared.has(id) || entries.naming('item', id).size > 0 };
  const next = (key: string) => derivedId(namespace, key, lastGeneration(namespace, key, known) + 1);
  const said = profile['itemCreate.clientId'];
  const honours = said === 'unknown' ? seenToHonour(namespace, state) : said;
  return {
    idFor: (key, declaredId) => declaredId ?? (said === 'ignored' ? undefined : free(key, 1)[0]),
    nextFor: (key, declaredId) => declaredId ?? (said === 'ignored' ? undefined : next(key)),
    candidatesFor: (key) => free(key, GENERATIONS),
    derived: (key) => derivedId(namespace, key, 1),
    holderOf,
    isNamespaceKnown: state !== undefined && isNamespaceKnown(namespace, state),
    honoured: honours === 'honoured',
    settlesAgain: (create) => honours === 'honoured' && isRepeatable(create),
  };
}

/** An item's create, if no answer has shown another id than the one it asked for. */
function isRepeatable({ address, answer, otherId, request }: PendingCreate): boolean {
  const isOpen = answer === undefined && otherId === undefined;
  return isOpen && kindOf(address) === 'item' && typeof request.body.id === 'string';
}

/** The last record that is known under a derived id, or 0. A recovery may have found it without those before it. */
function lastGeneration(namespace: string, key: string, known: Pick<ReadonlySet<string>, 'has'>): number {
  let last = 0;
  for (let generation = 1; generation <= last + GENERATIONS; generation++) {
    if (known.has(derivedId(namespace, key, generation))) last = generation;
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
    const key = keyOf(address);
    if (kindOf(address) !== 'item' || isReservedKey(key)) return false;
    return lastGeneration(namespace, key, new Set([entry.id])) > 0;
  });
}

/**
 * An item recorded under the very ID that Trove asked for: no service makes that up. One that was answered under
 * another ID outweighs them all. A declared ID alone says nothing, since a person may have copied it from the state.
 */
function seenToHonour(namespace: string, state: State | undefined): Profile['itemCreate.clientId'] {
  let seen = false;
  for (const entry of itemEntries(state)) {
    const { asked, answered } = idsOf(entry);
    if (asked !== undefined && answered !== undefined && asked !== answered) return 'ignored';
    if (entry.status !== 'live') continue;
    seen ||= asked === answered || answered === uuid5(namespace, keyOf(entry.address));
  }
  return seen ? 'honoured' : 'unknown';
}

/** The id that a create asked for, and the one that it was answered with. */
function idsOf(entry: StateEntry): { readonly asked?: unknown; readonly answered?: string | undefined } {
  if (entry.status === 'pending')
    return { asked: entry.request.body.id, answered: entry.otherId ?? entry.answer?.id };
  if (entry.status !== 'live') return {};
  return { asked: entry.sent.method === 'POST' ? entry.sent.body.id : undefined, answered: entry.id };
}

function itemEntries(state: State | undefined): readonly StateEntry[] {
  return (state?.entries ?? []).filter(({ address }) => kindOf(address) === 'item');
}
