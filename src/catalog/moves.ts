import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { ProblemList } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import type { Draft, Rule } from './merge.ts';
import { type Address, keyOf, kindOf, type Move } from './model.ts';

/**
 * `moved` leads, perhaps in several steps, from addresses that are no longer declared to one that is: of the
 * same kind, without a circle, and no two from or to the same address.
 */
export const moves: Rule = (draft) => {
  const byFrom = new Map<Address, Move>();
  const byTo = new Map<Address, Move>();
  const found = new ProblemList();
  for (const move of draft.moved) {
    const problem = twice(byFrom, move, 'from') ?? twice(byTo, move, 'to') ?? otherKind(move);
    if (problem) found.add(problem);
    else {
      byFrom.set(move.from, move);
      byTo.set(move.to, move);
    }
  }
  const seen = new Set<Address>();
  for (const move of byFrom.values()) {
    const problem = circle(byFrom, move, seen) ?? ends(draft, byFrom, move);
    if (problem) found.add(problem);
  }
  return found.all();
};

type Problem = (() => Diagnostic) | undefined;

function twice(seen: ReadonlyMap<Address, Move>, move: Move, end: 'from' | 'to'): Problem {
  const first = seen.get(move[end]);
  if (first === undefined) return undefined;
  return () => {
    const related = [{ message: 'the other', location: first.document.locate([...first.path, end]) }];
    return problem(move, end, `two entries move ${end} ${quoted(move[end])}`, { related });
  };
}

function otherKind(move: Move): Problem {
  const [from, to] = [kindOf(move.from), kindOf(move.to)];
  if (from === to) return undefined;
  return () => problem(move, 'to', `${from} and ${to} are different kinds, and a move keeps the kind`);
}

/** Each circle once, at its first entry: no two moves lead to one address, so whoever is seen was followed whole. */
function circle(byFrom: ReadonlyMap<Address, Move>, move: Move, seen: Set<Address>): Problem {
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
  return () => problem(move, 'from', `these moves go in a circle: ${way}`);
}

const MOST_SHOWN = 10;

function ends(draft: Draft, byFrom: ReadonlyMap<Address, Move>, move: Move): Problem {
  if (isDeclared(draft, move.from)) {
    const hint = 'remove this entry, or the declaration under the old key';
    return () =>
      problem(move, 'from', `${quoted(move.from)} is still declared, so it can't have moved`, { hint });
  }
  if (byFrom.has(move.to) || isDeclared(draft, move.to) || !draft.complete) return undefined;
  return () => {
    const meant = nearest(keyOf(move.to), draft[sectionOf(move.to)].keys());
    const hint = meant && { hint: `did you mean ${quoted(`${kindOf(move.to)}.${meant}`)}?` };
    return problem(move, 'to', `${quoted(move.to)} is not declared`, { ...hint });
  };
}

function isDeclared(draft: Draft, address: Address): boolean {
  return draft[sectionOf(address)].has(keyOf(address));
}

function sectionOf(address: Address): 'classifiers' | 'items' {
  return kindOf(address) === 'item' ? 'items' : 'classifiers';
}

function problem(
  move: Move,
  end: 'from' | 'to',
  message: string,
  rest: Partial<Diagnostic> = {},
): Diagnostic {
  return error('invalid-move', message, { location: move.document.locate([...move.path, end]), ...rest });
}
