import { type Address, addressOf, type Catalog, type Move } from '../catalog/model.ts';
import type { WireClassifier } from '../contract/wire.ts';
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
  const moves: Moved[] = [];
  for (let next = applicable(catalog.moved, known); next; next = applicable(catalog.moved, known)) {
    const standing = known.get(next.from) ?? 'retired';
    known.delete(next.from);
    known.set(next.to, standing);
    moves.push({ type: 'moved', from: next.from, to: next.to });
  }
  return moves;
}

/** A record in use (or a create that may have made one), or only retired ones. */
type Standing = 'live' | 'retired';

function applicable(moves: readonly Move[], known: ReadonlyMap<Address, Standing>): Move | undefined {
  return moves.find(({ from, to }) => {
    const there = known.get(to);
    return known.has(from) && (there === undefined || (there === 'retired' && known.get(from) === 'live'));
  });
}

function knownAddresses({ entries }: State): Map<Address, Standing> {
  const known = new Map<Address, Standing>();
  for (const { address, status } of entries) {
    if (status === 'forgotten' || known.get(address) === 'live') continue;
    known.set(address, status === 'retired' ? 'retired' : 'live');
  }
  return known;
}

/**
 * Options under a new key: a declared key without an ID has the name of an option whose key is no longer declared, or
 * that has none. Names are unique in a classifier, so nobody has to say it.
 */
function renamedOptions({ classifiers }: Catalog, state: State): readonly Moved[] {
  const entries = entriesOf(state);
  return [...classifiers].flatMap(([key, { declaration }]) => {
    const address = addressOf('classifier', key);
    const record = entries.find('live', address) ?? entries.find('retired', address);
    if (!record) return [];
    const { options = {}, answer } = record;
    const keys = new Map(Object.entries(options).map(([option, id]) => [id, option]));
    const answered = (answer as WireClassifier).classifierOptions;
    return Object.entries(declaration.options).flatMap(([option, { name }]): readonly Moved[] => {
      const [found, twin] = answered.filter((each) => each.name === name);
      if (!found || twin || Object.hasOwn(options, option)) return [];
      const from = keys.get(found.id) ?? found.id;
      if (Object.hasOwn(declaration.options, from)) return [];
      return [{ type: 'moved', from: `${address}.${from}`, to: `${address}.${option}` }];
    });
  });
}
