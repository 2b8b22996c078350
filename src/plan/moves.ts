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
 * The renames of `moved` that still have to be recorded: something is known at the old address, and nothing at the
 * new one but perhaps a retired record, to which a live one may move. Chains (a to b in one release, b to c in the
 * next) are followed to their end in whatever order they are written; the catalog's rules forbid cycles, so this
 * ends.
 */
function declaredMoves(catalog: Catalog, state: State): readonly Moved[] {
  if (catalog.moved.length === 0) return [];
  const known = knownAddresses(state);
  const byFrom = new Map(catalog.moved.map((move) => [move.from, move]));
  const byTo = new Map(catalog.moved.map((move) => [move.to, move]));
  const moves: Moved[] = [];
  const queue = [...catalog.moved];
  for (const { from, to } of queue) {
    const [here, there] = [known.get(from), known.get(to)];
    if (here === undefined || there === 'in use' || there === here) continue;
    known.delete(from);
    known.set(to, here);
    moves.push({ type: 'moved', from, to });
    // The next step of the chain, and what waited for this address.
    for (const next of [byFrom.get(to), byTo.get(from)]) if (next) queue.push(next);
  }
  return moves;
}

/** See `PlanBasis`. No two moves lead to one address, and none in a circle. */
export function formerAddresses({ moved }: Catalog): (address: Address) => readonly Address[] {
  const sources = new Map(moved.map(({ from, to }) => [to, from]));
  return (address) => {
    const former: Address[] = [];
    for (let from = sources.get(address); from; from = sources.get(from)) former.push(from);
    return former;
  };
}

/** A record in use (or a create that may have made one) outweighs retired ones. */
function knownAddresses({ entries }: State): Map<Address, 'in use' | 'retired'> {
  const known = new Map<Address, 'in use' | 'retired'>();
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
