import { type Address, addressOf, type Catalog, kindOf } from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import { type Fields, fields, membersOf, withDifferences } from '../resources/fields.ts';
import { kinds } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { type Entries, entriesOf } from '../state/entries.ts';
import type { ResourceRecord, State } from '../state/model.ts';
import type { Action, Plan } from './model.ts';
import { namesFrom } from './names.ts';
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
  const entries = entriesOf(recorded && fold(recorded, moves));
  const names = namesFrom({ catalog, entries, attributeIds: new Map() });
  // IDs that no recorded classifier has are left out.
  const read = ({ answer }: ResourceRecord) => {
    const classifiers = (answer as WireItem).classifiers.filter((each) => names.optionOf(each));
    return kinds.item.answered({ ...(answer as WireItem), classifiers }, names);
  };
  const live = entries.all('live').filter(({ address }) => kindOf(address) === 'item');
  const before = new Map(live.map((record) => [record.address, read(record)]));
  const after = itemsAfter(before, plan, entries, read);
  return {
    items: { before: before.size, after: after.size },
    classifiers: classifiersOf(catalog, tally(before), tally(after)),
    rolls: rollSpread(rolls(before), rolls(after)),
  };
}

type Items = ReadonlyMap<Address, Fields>;

/** Actions after which the record is as its fields say. */
const written: ReadonlySet<Action> = new Set(['create', 'update', 'replace', 'adopt', 'revive', 'reassert']);

/** What is blocked or unknown, or was sent before and not taken, stays as it is. */
function itemsAfter(
  before: Items,
  plan: Plan,
  entries: Entries,
  read: (record: ResourceRecord) => Fields,
): Items {
  const items = new Map(before);
  for (const { address, action, kind, fields: changed } of plan.changes) {
    if (kind !== 'item') continue;
    if (action === 'retire') items.delete(address);
    if (!written.has(action)) continue;
    const former = action === 'revive' ? entries.find('retired', address) : undefined;
    const base = items.get(address) ?? (former ? read(former) : fields([], []));
    const sent = changed.filter(({ diverged }) => !diverged);
    items.set(address, withDifferences(base, sent));
  }
  return items;
}

function rolls(items: Items): readonly number[] {
  return [...items.values()]
    .map(({ values }) => values.get('rollNumerator'))
    .filter((roll) => typeof roll === 'number');
}

type Tally = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Classifier key to option key to the number of items. */
function tally(items: Items): Tally {
  const counts = new Map<string, Map<string, number>>();
  for (const item of items.values()) {
    for (const [classifier, options] of membersOf<readonly string[]>(item, 'classifiers')) {
      const own = counts.get(classifier) ?? new Map<string, number>();
      for (const option of options) own.set(option, (own.get(option) ?? 0) + 1);
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
