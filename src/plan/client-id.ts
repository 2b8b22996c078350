import { addressOf, type ItemDeclaration } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import { uuid5 } from '../environment/uuid5.ts';
import type { State } from '../state/model.ts';

export interface ClientIds {
  /** The id that the item's create asks for; undefined where the service is known to ignore it. */
  idFor(key: string, declaration: ItemDeclaration): string | undefined;
  /** The id that a second record of the item asks for: one that nothing was ever recorded or sent under. */
  nextFor(key: string, declaration: ItemDeclaration): string | undefined;
  /** The id of the n-th record of an item, counted from 1. */
  derived(key: string, generation: number): string;
  /** The other address that an id is recorded for, or waits for; undefined where there is none. */
  holderOf(id: string, key: string): string | undefined;
  /** True where sending one create twice is known to leave one record. */
  readonly honoured: boolean;
}

/**
 * Ids that Trove asks for when it creates items (DESIGN section 5): the declared one, else a UUIDv5 of the
 * environment's namespace and the key. An id that another address already holds, or waits for, (after a `moved`,
 * say) is never asked for again; the next generation is.
 */
export function clientIds(namespace: string, profile: Profile, state: State | undefined): ClientIds {
  const honours = profile['itemCreate.clientId'];
  const holders = idHolders(state);
  const holderOf = (id: string, key: string) => {
    const holder = holders.get(id);
    return holder === addressOf('item', key) ? undefined : holder;
  };
  const idFor = (key: string, declaration: ItemDeclaration) => {
    if (declaration.id !== undefined) return declaration.id;
    if (honours === 'ignored') return undefined;
    return firstFreeId(namespace, key, (id) => holderOf(id, key) === undefined);
  };
  const nextFor = (key: string, declaration: ItemDeclaration) => {
    if (declaration.id !== undefined) return declaration.id;
    if (honours === 'ignored') return undefined;
    return firstFreeId(namespace, key, (id) => !holders.has(id));
  };
  return {
    idFor,
    nextFor,
    derived: (key, generation) => derivedId(namespace, key, generation),
    holderOf,
    honoured: honours === 'honoured' || (honours === 'unknown' && wasHonoured(namespace, state)),
  };
}

function firstFreeId(namespace: string, key: string, isFree: (id: string) => boolean): string {
  for (let generation = 1; ; generation++) {
    const id = derivedId(namespace, key, generation);
    if (isFree(id)) return id;
  }
}

function derivedId(namespace: string, key: string, generation: number): string {
  return uuid5(namespace, generation === 1 ? key : `${key}#${generation}`);
}

/** Of items alone: an id of a classifier is another record's. */
function idHolders(state: State | undefined): ReadonlyMap<string, string> {
  const known = [
    ...Object.entries(state?.resources ?? {}).map(([address, { id }]) => [id, address] as const),
    ...[...(state?.retired ?? []), ...(state?.imported ?? [])].map(
      ({ address, id }) => [id, address] as const,
    ),
    ...(state?.pending ?? []).map(({ address, request }) => [String(request.body.id), address] as const),
  ];
  return new Map(known.filter(([, address]) => address.startsWith('item.')));
}

/**
 * An item recorded under the very id that Trove asked for: no service makes that up. One that was answered under
 * another id outweighs them all. A declared id alone says nothing, since a person may have copied it from the state.
 */
function wasHonoured(namespace: string, state: State | undefined): boolean {
  let seen = false;
  for (const [address, { id, sent }] of Object.entries(state?.resources ?? {})) {
    if (!address.startsWith('item.')) continue;
    const asked = sent.method === 'POST' ? sent.body.id : undefined;
    if (asked !== undefined && asked !== id) return false;
    seen ||= asked === id || id === uuid5(namespace, address.slice('item.'.length));
  }
  return seen;
}
