import { type Address, addressOf, type Catalog, kindOf, type Move } from '../catalog/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { quoted } from '../text/quoted.ts';
import { matches } from './matches.ts';
import type { Environment } from './model.ts';
import { placeIn } from './place-in.ts';

/** A catalog as one environment makes it, and what is wrong with that. Sound enough to look for more problems. */
export interface Tailored {
  readonly catalog: Catalog;
  readonly problems: readonly Diagnostic[];
}

/** What is not known where files are wrong: nothing is said that may only follow from that. */
export interface Doubts {
  /** The catalog breaks rules by itself. */
  readonly isUnsound: boolean;
  /** The catalog may declare more than could be read. */
  readonly isIncomplete: boolean;
  /** Paths of what is wrong in the file of the environment, and left out. */
  readonly wrong: readonly (readonly string[])[];
}

/** `unmatched`: the patterns that match nothing, so that it is not known what they are meant for. */
export type Taken = Tailored & { readonly unmatched: readonly string[] };

/** The part of a catalog that `only` names: all of it where there is none. */
export function take(catalog: Catalog, environment: Environment, { isIncomplete }: Doubts): Taken {
  const { only } = environment;
  if (only === undefined) return { catalog, problems: [], unmatched: [] };
  const addresses = [
    ...[...catalog.classifiers.keys()].map((key) => addressOf('classifier', key)),
    ...[...catalog.items.keys()].map((key) => addressOf('item', key)),
  ];
  const unmatched = only.filter((pattern) => !addresses.some((address) => matches(pattern, address)));
  const isTaken = (address: Address) => only.some((pattern) => matches(pattern, address));
  const classifiers = [...catalog.classifiers].filter(([key]) => isTaken(addressOf('classifier', key)));
  const items = [...catalog.items].filter(([key]) => isTaken(addressOf('item', key)));
  const moved = catalog.moved.filter((move) => isTaken(endOf(move, catalog.moved)));
  return {
    catalog: { ...catalog, classifiers: new Map(classifiers), items: new Map(items), moved },
    problems: isIncomplete ? [] : unmatched.map((pattern) => matchless(pattern, addresses, environment)),
    unmatched,
  };
}

/** Whether a pattern that matches nothing may be misspelt for this address. */
export function mayMean(pattern: string, address: Address): boolean {
  const [kind = '', ...rest] = pattern.split('.');
  const meant = nearest(kind, ['classifier', 'item']);
  if (meant !== undefined && meant !== kindOf(address)) return false;
  const key = address.slice(address.indexOf('.') + 1);
  return (
    pattern.includes('*') ||
    nearest(pattern, [address]) !== undefined ||
    nearest(rest.join('.') || kind, [key]) !== undefined
  );
}

/**
 * Classifiers that `only` leaves out and an item that it takes is assigned to, each once. An empty list assigns
 * nothing.
 */
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
      if (options.length === 0 || classifiers.has(key) || !whole.classifiers.has(key)) continue;
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
  const others = more.length > 0 ? `, and so ${more.length === 1 ? 'is 1' : `are ${more.length}`} more` : '';
  const message = `\`only\` takes ${quoted(item)} and leaves out ${quoted(classifier)}, which it is assigned to${others}`;
  const pattern = environment.only?.findIndex((each) => matches(each, item)) ?? 0;
  const declared = items.get(first);
  const location = declared?.document.locate([...declared.path, 'classifiers', key]);
  return error('left-out', message, {
    ...placeIn(environment, ['only', pattern]),
    ...(location && { related: [{ message: 'assigned here', location }] }),
    hint: `add ${quoted(classifier)} to \`only\``,
  });
}

function matchless(pattern: string, addresses: readonly Address[], environment: Environment): Diagnostic {
  const meant = nearest(pattern, addresses);
  const hint = meant
    ? `did you mean ${quoted(meant)}?`
    : 'an address is `classifier.KEY` or `item.KEY`, and `*` stands for any characters';
  const index = environment.only?.indexOf(pattern) ?? 0;
  return error('matches-nothing', `nothing in the catalog matches ${quoted(pattern)}`, {
    ...placeIn(environment, ['only', index]),
    hint,
  });
}

/** Where a chain of moves ends: at what is declared now. */
function endOf({ to }: Move, moved: readonly Move[]): Address {
  const next = moved.find(({ from }) => from === to);
  return next ? endOf(next, moved) : to;
}
