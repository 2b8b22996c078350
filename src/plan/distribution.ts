import { type Address, addressOf, type Catalog, kindOf } from '../catalog/model.ts';
import type { WireItem } from '../contract/api.ts';
import { type Fields, fields, membersOf, withDifferences } from '../resources/fields.ts';
import { kinds } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { ResourceRecord, State } from '../state/model.ts';
import type { Action, Plan } from './model.ts';
import { namesFrom } from './names.ts';

/** Items recorded now, and those recorded once the plan is carried out. Counts only: no chance follows from them. */
export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

/** `items` of an option: how many are assigned to it. An item with several options counts for each of them. */
interface OptionTally {
  readonly key: string;
  readonly name: string;
  readonly items: BeforeAfter;
}

export interface ClassifierTally {
  readonly key: string;
  readonly name: string;
  /** Declared ones in their order, then those that only records still have. */
  readonly options: readonly OptionTally[];
}

export interface Distribution {
  readonly items: BeforeAfter;
  /** Those that at least one item is assigned to, before or after, in the order of the catalog. */
  readonly classifiers: readonly ClassifierTally[];
  /** Undefined where there are no items, or their roll numerators are too far apart to be drawn. */
  readonly rolls: Spread | undefined;
}

type Items = ReadonlyMap<Address, Fields>;
type Sides = Readonly<Record<keyof BeforeAfter, Items>>;

/**
 * How items spread over options and roll numerators, by the last recorded answers and by what they will be after
 * this plan: what is blocked or unknown stays as it is. Pure; nothing but counts.
 */
export function distribution(plan: Plan, catalog: Catalog, recorded: State | undefined): Distribution {
  const moves = plan.moved.map((move) => ({ type: 'moved' as const, ...move }));
  const entries = entriesOf(recorded && fold(recorded, moves));
  const names = namesFrom({ catalog, entries, attributeIds: new Map() });
  // IDs that no recorded classifier has are left out.
  const read = ({ answer }: ResourceRecord) => {
    const classifiers = (answer as WireItem).classifiers.filter((each) => names.optionOf(each));
    return kinds.item.answered({ ...(answer as WireItem), classifiers }, names);
  };
  const live = entries.all('live').filter(({ address }) => kindOf(address) === 'item');
  const before = new Map(live.map((record) => [record.address, read(record)]));
  const after = new Map(before);
  for (const { kind, address, action, fields: all } of plan.changes) {
    if (kind !== 'item') continue;
    const former = action === 'revive' ? entries.find('retired', address) : undefined;
    const base = former ? read(former) : (before.get(address) ?? fields([], []));
    // What was sent before and not taken stays as it is.
    const sent = all.filter(({ diverged }) => !diverged);
    if (action === 'retire') after.delete(address);
    if (written.has(action)) after.set(address, withDifferences(base, sent));
  }
  return {
    items: { before: before.size, after: after.size },
    classifiers: classifiersOf(catalog, { before, after }),
    rolls: rollSpread(rolls(before), rolls(after)),
  };
}

/** Actions after which the record is as its fields say. */
const written: ReadonlySet<Action> = new Set(['create', 'update', 'replace', 'adopt', 'revive', 'reassert']);

function rolls(items: Items): readonly number[] {
  const all = [...items.values()].map(({ values }) => values.get('rollNumerator'));
  return all.filter((roll) => typeof roll === 'number');
}

function classifiersOf({ classifiers }: Catalog, sides: Sides): readonly ClassifierTally[] {
  const tally = tallyOf(sides);
  return [...new Set([...classifiers.keys(), ...tally.keys()])].flatMap((key) => {
    const counted = tally.get(key);
    if (!counted) return [];
    const declared = classifiers.get(key)?.declaration;
    const names = new Map(
      Object.entries(declared?.options ?? {}).map(([option, { name }]) => [option, name]),
    );
    const options = [...new Set([...names.keys(), ...counted.keys()])].map((option) => ({
      key: option,
      name: names.get(option) ?? option,
      items: counted.get(option) ?? { before: 0, after: 0 },
    }));
    return { key, name: declared?.name ?? addressOf('classifier', key), options };
  });
}

/** Classifier key to option key to the number of items. */
function tallyOf(sides: Sides): ReadonlyMap<string, ReadonlyMap<string, BeforeAfter>> {
  const tally = new Map<string, Map<string, BeforeAfter>>();
  for (const side of ['before', 'after'] as const) {
    const assigned = [...sides[side].values()].flatMap((item) =>
      membersOf<readonly string[]>(item, 'classifiers'),
    );
    for (const [classifier, options] of assigned) {
      const counted = tally.get(classifier) ?? new Map<string, BeforeAfter>();
      tally.set(classifier, counted);
      for (const option of options) {
        const items = counted.get(option) ?? { before: 0, after: 0 };
        counted.set(option, { ...items, [side]: items[side] + 1 });
      }
    }
  }
  return tally;
}

/** A histogram: how many values are above `from` and at most `to`. */
export interface Spread {
  readonly bins: readonly (BeforeAfter & { readonly from: number; readonly to: number })[];
  /** `steps`: bins of one width. `orders`: 1, 2, 5, 10, 20 and so on, where values differ by orders of magnitude. */
  readonly scale: 'steps' | 'orders';
  /** What all values are multiples of, 1 or a decimal of few digits: above 10 is from 11, or from 10.1. */
  readonly unit: number | undefined;
}

const MOST_BINS = 16;
/** From here on bins of one width would put nearly everything into the first. */
const ORDERS_FROM = 200;

/** Both sides over the same bins, with round edges. Undefined without values, and where no such edges exist. */
export function rollSpread(before: readonly number[], after: readonly number[]): Spread | undefined {
  const all = [...before, ...after];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of all) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (least > most) return undefined;
  const scale = least > 0 && most / least >= ORDERS_FROM ? 'orders' : 'steps';
  const unit = [1, 0.1, 0.01].find((each) =>
    all.every((value) => Number.isSafeInteger(rounded(value / each))),
  );
  const found = scale === 'orders' ? orders(least, most) : steps(least, most, unit ?? 0);
  // Where nothing is below zero, zero has its own bin.
  const edges = found.map((edge) => (unit && least === 0 ? Math.max(edge, -unit) : edge));
  if (edges.length < 2 || !edges.every(Number.isFinite)) return undefined;
  const bins = edges.slice(1).map((to, at) => ({ from: edges[at] ?? to, to, before: 0, after: 0 }));
  const count = (side: 'before' | 'after', value: number) => {
    const bin = bins.find(({ to }) => value <= to) ?? bins.at(-1);
    if (bin) bin[side]++;
  };
  for (const value of before) count('before', value);
  for (const value of after) count('after', value);
  return { bins, scale, unit };
}

/** The smallest round width, of at least `unit`, of which so many bins suffice. */
function steps(least: number, most: number, unit: number): readonly number[] {
  const span = most - least || Math.abs(most) || 1;
  if (!Number.isFinite(span)) return [];
  const exponent = Math.floor(Math.log10(Math.max(span / MOST_BINS, unit)));
  for (const step of [1, 2, 5, 10, 20, 50].map((factor) => power(factor, exponent))) {
    const [first, last] = [least, most].map((value) => Math.ceil(rounded(value / step))) as [number, number];
    if (last - first < MOST_BINS)
      return Array.from({ length: last - first + 2 }, (_, index) => rounded((first - 1 + index) * step));
  }
  return [];
}

function orders(least: number, most: number): readonly number[] {
  const [first, last] = [Math.ceil(Math.log10(least)) - 1, Math.ceil(Math.log10(most))];
  const every = Math.ceil((last - first) / MOST_BINS);
  const factors = (last - first) * 3 <= MOST_BINS ? [1, 2, 5] : [1];
  const edges: number[] = [];
  for (let exponent = first; exponent < last + every; exponent += every)
    for (const factor of factors) edges.push(power(factor, exponent));
  const from = edges.findLastIndex((edge) => edge < least);
  const to = edges.findIndex((edge) => edge >= most);
  return edges.slice(Math.max(0, from), to + 1);
}

/** Read as decimals, since 10 ** -5 is not 0.00001 in every engine. */
function power(factor: number, exponent: number): number {
  return Number(`${factor}e${exponent}`);
}

/** Without the dust of binary fractions: 0.30000000000000004 is 0.3. */
export function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
