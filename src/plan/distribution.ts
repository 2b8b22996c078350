import { addressOf, type Catalog } from '../catalog/model.ts';
import { fold } from '../state/draft.ts';
import type { State } from '../state/model.ts';
import type { Plan } from './model.ts';
import { rollSpread, type Spread } from './roll-spread.ts';
import { type Counted, itemsAfter, itemsBefore } from './tallied-items.ts';

/** Items recorded now, and those recorded once the plan is carried out. Counts only: no chance follows from them. */
export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

/** `items` of an option: how many are assigned to it. An item with several options counts for each of them. */
export interface OptionTally {
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
