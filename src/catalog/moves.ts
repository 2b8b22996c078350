import { nearest } from '../text/nearest.ts';
import { quoted } from '../text/quoted.ts';
import type { Draft } from './merge.ts';
import { type Address, keyOf, kindOf, type Move } from './model.ts';
import { type Details, type Violation, violation } from './violation.ts';

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
  const other = first && { message: 'the other', at: [first, end] as const };
  return other && invalid(move, end, `two entries move ${end} ${quoted(move[end])}`, { other });
}

function otherKind(move: Move): Violation | undefined {
  const [from, to] = [kindOf(move.from), kindOf(move.to)];
  if (from === to) return undefined;
  return invalid(move, 'to', `${from} and ${to} are different kinds, and a move keeps the kind`);
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
  const shown = chain.length > MOST_SHOWN ? [...chain.slice(0, MOST_SHOWN), '…'] : chain;
  const way = [...shown, move.from].map(quoted).join(' to ');
  return invalid(move, 'from', `these moves go in a circle: ${way}`);
}

const MOST_SHOWN = 10;

function ends(draft: Draft, byFrom: ReadonlyMap<Address, Move>, move: Move): Violation | undefined {
  const { from, to } = move;
  if (isDeclared(draft, from)) {
    const hint = () => 'remove this entry, or the declaration under the old key';
    return invalid(move, 'from', `${quoted(from)} is still declared, so it can't have moved`, { hint });
  }
  if (byFrom.has(to) || isDeclared(draft, to) || !draft.complete) return undefined;
  const hint = () => {
    const meant = nearest(keyOf(to), draft[sectionOf(to)].keys());
    return meant && `did you mean ${quoted(`${kindOf(to)}.${meant}`)}?`;
  };
  return invalid(move, 'to', `${quoted(to)} is not declared`, { hint });
}

function isDeclared(draft: Draft, address: Address): boolean {
  return draft[sectionOf(address)].has(keyOf(address));
}

function sectionOf(address: Address): 'classifiers' | 'items' {
  return kindOf(address) === 'item' ? 'items' : 'classifiers';
}

function invalid(move: Move, end: 'from' | 'to', message: string, rest: Details = {}): Violation {
  return violation('invalid-move', message, [move, end], rest);
}
