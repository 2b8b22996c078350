import type { Address, Catalog, Move } from '../catalog/model.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';

export type Moved = Extract<StateEvent, { type: 'moved' }>;

/**
 * The renames of `moved` that still have to be recorded: the old address is known and the new one is not.
 * Chains (a to b in one release, b to c in the next) are followed to their end in whatever order they are
 * written; the catalog's rules forbid cycles, so this ends.
 */
export function pendingMoves(catalog: Catalog, state: State | undefined): readonly Moved[] {
  if (!state || catalog.moved.length === 0) return [];
  const known = knownAddresses(state);
  const moves: Moved[] = [];
  for (let next = applicable(catalog.moved, known); next; next = applicable(catalog.moved, known)) {
    known.delete(next.from);
    known.add(next.to);
    moves.push({ type: 'moved', from: next.from, to: next.to });
  }
  return moves;
}

function applicable(moves: readonly Move[], known: ReadonlySet<Address>): Move | undefined {
  return moves.find(({ from, to }) => known.has(from) && !known.has(to));
}

function knownAddresses(state: State): Set<Address> {
  return new Set([
    ...(Object.keys(state.resources) as Address[]),
    ...state.retired.map(({ address }) => address),
    ...state.pending.map(({ address }) => address),
  ]);
}
