import type { Problems } from '../text/diagnostic.ts';
import type { Draft } from './merge.ts';
import { type Address, keyOf, kindOf, type Move } from './model.ts';
import { type Violation, violation } from './violation.ts';

/**
 * `moved` leads, perhaps in several steps, from addresses that are no longer declared to one that is: of the
 * same kind, without a circle, and no two from or to the same address.
 */
export function* moves(draft: Draft): Iterable<Violation> {
  const byFrom = new Map<Address, Move>();
  const byTo = new Map<Address, Move>();
  for (const move of draft.moved) {
    const wrong = twice(byFrom, move, 'from') ?? twice(byTo, move, 'to') ?? otherKind(move);
    if (wrong) yield wrong;
    else {
      byFrom.set(move.from, move);
      byTo.set(move.to, move);
    }
  }
  const seen = new Set<Address>();
  for (const move of byFrom.values()) {
    const wrong = circle(byFrom, move, seen) ?? ends(draft, byFrom, move);
    if (wrong) yield wrong;
  }
}

function twice(seen: ReadonlyMap<Address, Move>, move: Move, end: 'from' | 'to'): Violation | undefined {
  const first = seen.get(move[end]);
  if (!first) return undefined;
  const values = { why: 'repeated', end, address: move[end] } as const;
  return () => violation('invalid-move', values, [move, end], { other: { role: 'other', at: [first, end] } });
}

function otherKind(move: Move): Violation | undefined {
  const [from, to] = [kindOf(move.from), kindOf(move.to)];
  if (from === to) return undefined;
  return invalid(move, 'to', { why: 'other-kind', from, to });
}

/** Each circle once, at its first entry: no two moves lead to one address, so whoever is seen was followed whole. */
function circle(byFrom: ReadonlyMap<Address, Move>, move: Move, seen: Set<Address>): Violation | undefined {
  const chain: Address[] = [];
  let next: Move | undefined = move;
  while (next && !seen.has(next.from)) {
    seen.add(next.from);
    chain.push(next.from);
    next = byFrom.get(next.to);
  }
  if (chain.length === 0 || next?.from !== move.from) return undefined;
  return invalid(move, 'from', { why: 'circle', addresses: [...chain, move.from] });
}

function ends(draft: Draft, byFrom: ReadonlyMap<Address, Move>, move: Move): Violation | undefined {
  const { from, to } = move;
  if (isDeclared(draft, from)) return invalid(move, 'from', { why: 'declared', address: from });
  if (byFrom.has(to) || isDeclared(draft, to) || draft.open.has(sectionOf(to))) return undefined;
  return invalid(move, 'to', { why: 'undeclared', address: to, known: draft[sectionOf(to)] });
}

function isDeclared(draft: Draft, address: Address): boolean {
  return draft[sectionOf(address)].has(keyOf(address));
}

function sectionOf(address: Address): 'classifiers' | 'items' {
  return kindOf(address) === 'item' ? 'items' : 'classifiers';
}

function invalid(move: Move, end: 'from' | 'to', values: Problems['invalid-move']): Violation {
  return () => violation('invalid-move', values, [move, end]);
}
