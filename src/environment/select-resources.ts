import type { OpenSections } from '../catalog/merge.ts';
import { type Address, addressOf, type Catalog, keyOf, kindOf, type Move } from '../catalog/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { problemsIn } from '../text/problem-list.ts';
import { type Environment, locationIn } from './model.ts';

/** Each of these is compared with everything that is not selected. */
const MOST_GUESSED = 10;

/** The part of a catalog that one environment gets, and what is wrong with its selection. */
export interface Selection {
  readonly catalog: Catalog;
  readonly problems: readonly Diagnostic[];
  /** Patterns that match nothing: they may be meant for anything that is not selected. The first few. */
  readonly unmatched: readonly string[];
}

/** The resources that match a pattern of `only`, with the moves that lead to them; without `only`, all. */
export function selectResources(catalog: Catalog, environment: Environment, open: OpenSections): Selection {
  if (environment.only === undefined) return { catalog, problems: [], unmatched: [] };
  const addresses = [
    ...[...catalog.classifiers.keys()].map((key) => addressOf('classifier', key)),
    ...[...catalog.items.keys()].map((key) => addressOf('item', key)),
  ];
  const only = environment.only.filter((entry) => entry !== undefined);
  const declared = new Set<string>(addresses);
  const named = new Set(only);
  const patterns = new Map(
    only.filter((entry) => entry.includes('*')).map((pattern) => [pattern, matcher(pattern)]),
  );
  const fitting = [...patterns.values()];
  const unmatched = only.filter((entry) => {
    const fits = patterns.get(entry);
    return !(fits ? addresses.some(fits) : declared.has(entry));
  });
  const isSelected = (address: Address) => named.has(address) || fitting.some((fits) => fits(address));
  const ends = endsOf(catalog.moved);
  return {
    catalog: {
      ...catalog,
      classifiers: new Map(
        [...catalog.classifiers].filter(([key]) => isSelected(addressOf('classifier', key))),
      ),
      items: new Map([...catalog.items].filter(([key]) => isSelected(addressOf('item', key)))),
      moved: catalog.moved.filter(({ to }) => isSelected(ends.get(to) ?? to)),
    },
    problems:
      open.has('classifiers') || open.has('items')
        ? []
        : problemsIn(unmatched, (pattern) =>
            error(
              'matches-nothing',
              { pattern, known: addresses },
              locationIn(environment, ['only', environment.only?.indexOf(pattern) ?? 0]),
            ),
          ),
    // What is wrong may be meant for anything.
    unmatched: only.length < environment.only.length ? ['*'] : unmatched.slice(0, MOST_GUESSED),
  };
}

/**
 * Whether a text fits a pattern, in which `*` stands for any characters. Each piece is looked for once from left to
 * right, so no pattern takes long.
 */
export function matcher(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}

/** Where each chain of moves ends, by any address on the way: at what is declared now. No two moves lead to one address. */
function endsOf(moved: readonly Move[]): ReadonlyMap<Address, Address> {
  const byTo = new Map(moved.map((move) => [move.to, move]));
  const froms = new Set(moved.map(({ from }) => from));
  const ends = new Map<Address, Address>();
  for (const { to: end } of moved) {
    if (froms.has(end)) continue;
    for (let move = byTo.get(end); move; move = byTo.get(move.from)) ends.set(move.to, end);
  }
  return ends;
}

/** Whether a pattern that matches nothing may be a misspelling of this address. */
export function mayMean(pattern: string, address: Address): boolean {
  const [kind = '', ...rest] = pattern.split('.');
  const meant = nearest(kind, ['classifier', 'item']);
  if (meant !== undefined && meant !== kindOf(address)) return false;
  return (
    pattern.includes('*') ||
    nearest(pattern, [address]) !== undefined ||
    nearest(rest.join('.') || kind, [keyOf(address)]) !== undefined
  );
}

/** The classifiers of `whole` that are not selected although a selected item has options of them, each once. */
export function leftOutClassifiers(
  { items, classifiers }: Catalog,
  whole: Catalog,
  unmatched: readonly string[],
  environment: Environment,
): readonly Diagnostic[] {
  if (items.size === whole.items.size && classifiers.size === whole.classifiers.size) return [];
  const users = new Map<string, string[]>();
  for (const [item, { declaration }] of items) {
    for (const [key, options] of Object.entries(declaration.classifiers ?? {})) {
      // An empty list assigns nothing.
      if (!options?.length || classifiers.has(key) || !whole.classifiers.has(key)) continue;
      if (unmatched.some((pattern) => mayMean(pattern, addressOf('classifier', key)))) continue;
      const known = users.get(key);
      if (known) known.push(item);
      else users.set(key, [item]);
    }
  }
  return [...users].map(([key, found]) => leftOut(key, found, items, environment));
}

function leftOut(
  key: string,
  [first = '', ...more]: readonly string[],
  items: Catalog['items'],
  environment: Environment,
): Diagnostic {
  const item = addressOf('item', first);
  const classifier = addressOf('classifier', key);
  const pattern = environment.only?.findIndex((each) => each !== undefined && matcher(each)(item)) ?? 0;
  const declared = items.get(first);
  const location = declared?.document.locate([...declared.path, 'classifiers', key]);
  return error(
    'left-out',
    { why: 'assigned', item, more: more.length, classifier },
    {
      ...locationIn(environment, ['only', pattern]),
      ...(location && { related: [{ role: 'assignment', location }] }),
    },
  );
}
