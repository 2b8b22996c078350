import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import type { WireClassifier } from '../contract/api.ts';
import { optionIdsByName } from '../resources/classifier.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';

type Moved = Extract<StateEvent, { type: 'moved' }>;

/** Every rename that still has to be recorded: nothing is sent for it. */
export function pendingMoves(catalog: Catalog, state: State | undefined): readonly Moved[] {
  if (!state) return [];
  const moves = declaredMoves(catalog, state);
  return [...moves, ...renamedOptions(catalog, moves.length > 0 ? fold(state, moves) : state)];
}

/**
 * The renames of `moved` that still have to be recorded, each as one move from where a record is to where its chain (a to b
 * in one release, b to c in the next) lets it go. The catalog's rules forbid cycles, so every chain has an end.
 */
function declaredMoves({ moved }: Catalog, state: State): readonly Moved[] {
  if (moved.length === 0) return [];
  const known = knownAddresses(state);
  const sources = sourcesOf(moved);
  const left = new Set(moved.map(({ from }) => from));
  const ends = moved.map(({ to }) => to).filter((to) => !left.has(to));
  return ends.flatMap((end) => movesTo(end, sources, known));
}

/** Where a chain brings what is known at one address, or at several. */
interface Place {
  readonly address: Address;
  readonly use: Use;
  readonly from: readonly Address[];
}

/**
 * From the end of a chain on: what is known goes as far as nothing is known. A record in use goes on to the place of
 * retired ones, and takes along what was retired on its way.
 */
function movesTo(end: Address, sources: Sources, known: ReadonlyMap<Address, Use>): readonly Moved[] {
  const places: Place[] = [];
  for (let here: Address | undefined = end; here; here = sources.get(here)) {
    const use = known.get(here);
    if (use === undefined) continue;
    const before = places.at(-1);
    let address = (before ? sources.get(before.address) : end) ?? here;
    const from: Address[] = [];
    while (use === 'in use' && places.at(-1)?.use === 'retired') {
      const retired = places.pop() as Place;
      address = retired.address;
      from.push(...retired.from);
    }
    places.push({ address, use, from: [here, ...from] });
  }
  return places.flatMap(({ address, from }) =>
    from
      .filter((each) => each !== address)
      .map((each): Moved => ({ type: 'moved', from: each, to: address })),
  );
}

type Sources = ReadonlyMap<Address, Address>;

function sourcesOf(moved: Catalog['moved']): Sources {
  return new Map(moved.map(({ from, to }) => [to, from]));
}

/** See `PlanBasis`. No two moves lead to one address, and none in a circle. */
export function formerAddresses({ moved }: Catalog): (address: Address) => readonly Address[] {
  const sources = sourcesOf(moved);
  return (address) => {
    const former: Address[] = [];
    for (let from = sources.get(address); from; from = sources.get(from)) former.push(from);
    return former;
  };
}

type Use = 'in use' | 'retired';

/** A record in use (or a create that may have made one) outweighs retired ones. */
function knownAddresses({ entries }: State): ReadonlyMap<Address, Use> {
  const known = new Map<Address, Use>();
  for (const { address, status } of entries)
    if (status !== 'forgotten' && known.get(address) !== 'in use')
      known.set(address, status === 'retired' ? 'retired' : 'in use');
  return known;
}

/**
 * Options under a new key: a declared key without an ID has the name of an option whose key is no longer declared, or
 * that has none. Names are unique in a classifier, so no one has to decide.
 */
function renamedOptions({ classifiers }: Catalog, state: State): readonly Moved[] {
  const entries = entriesOf(state);
  return [...classifiers].flatMap(([key, { declaration }]) => {
    const address = addressOf('classifier', key);
    const record = entries.find('live', address) ?? entries.find('retired', address);
    if (!record) return [];
    const { options = {}, answer } = record;
    const keys = new Map(Object.entries(options).map(([option, id]) => [id, option]));
    const declared = Object.entries(declaration.options);
    const ids = optionIdsByName(declared, (answer as WireClassifier).classifierOptions);
    return Object.entries(ids).flatMap(([option, id]): readonly Moved[] => {
      const from = keys.get(id) ?? id;
      if (Object.hasOwn(options, option) || Object.hasOwn(declaration.options, from)) return [];
      return [{ type: 'moved', from: `${address}.${from}`, to: `${address}.${option}` }];
    });
  });
}
