import type { Address, Catalog, Move } from '../catalog/model.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';

export type Moved = Extract<StateEvent, { type: 'moved' }>;

/**
 * The renames of `moved` that still have to be recorded: something is known at the old address, and nothing at the
 * new one but perhaps a retired record, to which a live one may move. Chains (a to b in one release, b to c in the
 * next) are followed to their end in whatever order they are written; the catalog's rules forbid cycles, so this
 * ends.
 */
export function pendingMoves(catalog: Catalog, state: State | undefined): readonly Moved[] {
  if (!state || catalog.moved.length === 0) return [];
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
