import { type Address, addressOf, type Catalog, kindOf } from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import { groupOf } from '../resources/fields.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import type { Action, Change, Plan } from './model.ts';
import { knownClassifiers } from './names.ts';
import { rollSpread, type Spread } from './roll-spread.ts';

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

/**
 * How items spread over options and roll numerators, by the last recorded answers and by what they will be after
 * this plan: what is blocked or unknown stays as it is. Pure; nothing but counts.
 */
export function distribution(plan: Plan, catalog: Catalog, recorded: State | undefined): Distribution {
  const moves = plan.moved.map((move) => ({ type: 'moved' as const, ...move }));
  const state = recorded && fold(recorded, moves);
  const before = itemsBefore(state);
  const after = itemsAfter(before, plan, state);
  const [had, has] = [before, after].map((items) => [...items.values()]) as [Counted[], Counted[]];
  return {
    items: { before: had.length, after: has.length },
    classifiers: classifiersOf(catalog, tally(had), tally(has)),
    rolls: rollSpread(
      had.map(({ roll }) => roll),
      has.map(({ roll }) => roll),
    ),
  };
}

type Tally = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Classifier key to option key to the number of items. */
function tally(items: readonly Counted[]): Tally {
  const counts = new Map<string, Map<string, number>>();
  for (const { options } of items) {
    for (const [classifier, keys] of options) {
      const own = counts.get(classifier) ?? new Map<string, number>();
      for (const key of keys) own.set(key, (own.get(key) ?? 0) + 1);
      counts.set(classifier, own);
    }
  }
  return counts;
}

function classifiersOf({ classifiers }: Catalog, before: Tally, after: Tally): readonly ClassifierTally[] {
  const keys = new Set([...classifiers.keys(), ...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [had, has] = [before.get(key), after.get(key)];
    if (!had && !has) return [];
    const declared = classifiers.get(key)?.declaration;
    const declaredOptions = Object.entries(declared?.options ?? {});
    const names = new Map(declaredOptions.map(([option, { name }]) => [option, name]));
    const options = new Set([...names.keys(), ...(had?.keys() ?? []), ...(has?.keys() ?? [])]);
    return {
      key,
      name: declared?.name ?? addressOf('classifier', key),
      options: [...options].map((option) => ({
        key: option,
        name: names.get(option) ?? option,
        items: { before: had?.get(option) ?? 0, after: has?.get(option) ?? 0 },
      })),
    };
  });
}

/** Of an item only what is counted. `options`: classifier key to option keys. */
interface Counted {
  readonly roll: number | undefined;
  readonly options: ReadonlyMap<string, readonly string[]>;
}

type Items = ReadonlyMap<Address, Counted>;

/** Actions after which the record is as its fields say. */
const written: ReadonlySet<Action> = new Set(['create', 'update', 'replace', 'adopt', 'revive', 'reassert']);

/** What was answered last. */
function itemsBefore(state: State | undefined): Items {
  const read = reader(state);
  const items = entriesOf(state)
    .all('live')
    .filter(({ address }) => kindOf(address) === 'item');
  return new Map(items.map(({ address, answer }) => [address, read(answer as WireItem)]));
}

/** What is blocked or unknown, or was sent before and not taken, stays as it is. */
function itemsAfter(before: Items, plan: Plan, state: State | undefined): Items {
  const items = new Map(before);
  const read = reader(state);
  const entries = entriesOf(state);
  for (const change of plan.changes) {
    if (change.kind !== 'item') continue;
    const { address, action } = change;
    if (action === 'retire') items.delete(address);
    if (!written.has(action)) continue;
    const former = entries.find('retired', address)?.answer;
    const base = action === 'revive' && former ? read(former as WireItem) : items.get(address);
    items.set(address, changed(base ?? nothing, change));
  }
  return items;
}

const nothing: Counted = { roll: undefined, options: new Map() };

function changed({ roll, options }: Counted, { fields }: Change): Counted {
  const sent = fields.filter(({ diverged }) => !diverged);
  const next = new Map(options);
  for (const { path, after } of sent.filter(({ path }) => groupOf(path) === 'classifiers')) {
    const classifier = path.slice('classifiers.'.length);
    if (Array.isArray(after)) next.set(classifier, after);
    else next.delete(classifier);
  }
  const wanted = sent.find(({ path }) => path === 'rollNumerator')?.after;
  return { roll: typeof wanted === 'number' ? wanted : roll, options: next };
}

/** Reads an answer in catalog terms: ids that no recorded classifier has are left out. */
function reader(state: State | undefined) {
  const keys = new Map<string, readonly [classifier: string, option: string]>();
  for (const [key, { options = {} }] of knownClassifiers({ entries: entriesOf(state) })) {
    for (const [option, id] of Object.entries(options)) keys.set(id, [key, option]);
  }
  return ({ rollNumerator, classifiers }: WireItem): Counted => {
    const options = new Map<string, string[]>();
    for (const { classifierOption } of classifiers) {
      const [classifier, option] = keys.get(classifierOption.id) ?? [];
      if (classifier === undefined || option === undefined) continue;
      options.set(classifier, [...(options.get(classifier) ?? []), option]);
    }
    return { roll: rollNumerator, options };
  };
}
