import { type Address, addressOf, type Catalog, keyOf, kindOf } from '../catalog/model.ts';
import { declaredIn, isDeclared } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { pendingMoves } from './moves.ts';

/** Addresses that a person named, or all of them. */
export type Selection = 'all' | readonly Address[];

/** What a person asks of one plan beside what the catalog says: the flags of `trove plan` and `trove apply`. */
export interface PlanOptions {
  /** Plan only these addresses and what they depend on; empty: all. */
  readonly targets: readonly Address[];
  /** Create new records of these, and retire the old ones. */
  readonly replace: readonly Address[];
  /** Write these again although nothing differs, and try again what the service did not take. */
  readonly reassert: Selection;
  /** Create these, though a record that looks like them may exist. */
  readonly confirmNew: Selection;
  /** The state was lost: look for items under their derived ids before they are created. */
  readonly recover: boolean;
}

export const noOptions: PlanOptions = {
  targets: [],
  replace: [],
  reassert: [],
  confirmNew: [],
  recover: false,
};

export function isSelected(selection: Selection, address: Address): boolean {
  return selection === 'all' || selection.includes(address);
}

/** The addresses that a person named. */
export function namedIn(selection: Selection): readonly Address[] {
  return selection === 'all' ? [] : selection;
}

/** As a plan repeats them: selections that are empty are left out, and lists are sorted. */
export function statedOptions(options: PlanOptions): Partial<Omit<PlanOptions, 'recover'>> {
  const { targets, replace, reassert, confirmNew } = options;
  const stated = Object.entries({ targets, replace, reassert, confirmNew })
    .filter(([, selection]) => selection.length > 0)
    .map(([name, selection]) => [name, selection === 'all' ? selection : [...selection].sort()] as const);
  return Object.fromEntries(stated);
}

/** The targets and the classifiers that targeted items are assigned to. */
export function dependenciesOf(targets: readonly Address[], catalog: Catalog): ReadonlySet<Address> {
  const items = targets.filter((address) => kindOf(address) === 'item');
  const assigned = items.flatMap((address) =>
    Object.keys(catalog.items.get(keyOf(address))?.declaration.classifiers ?? {}),
  );
  return new Set([...targets, ...assigned.map((key) => addressOf('classifier', key))]);
}

/**
 * Complaints about addresses that are neither declared nor recorded, or can't be replaced. What `moved` renames goes
 * by its new address, as in the plan.
 */
export function unknownAddresses(
  { targets, replace, reassert, confirmNew }: PlanOptions,
  catalog: Catalog,
  found: State | undefined,
): readonly Diagnostic[] {
  const state = found && fold(found, pendingMoves(catalog, found));
  const inUse = (state?.entries ?? []).filter(({ status }) => status !== 'retired' && status !== 'forgotten');
  const known = new Set([...declaredIn(catalog), ...inUse].map(({ address }) => address));
  const named = new Set([...targets, ...namedIn(reassert), ...namedIn(confirmNew), ...replace]);
  return [...named].flatMap((address) => {
    if (!known.has(address)) return [unknownTarget(address, known, catalog)];
    return replace.includes(address) ? notReplaceable(address, catalog, state) : [];
  });
}

function unknownTarget(subject: Address, known: ReadonlySet<string>, { moved }: Catalog): Diagnostic {
  const move = moved.find(({ from }) => from === subject);
  const values = move
    ? ({ why: 'moved', to: move.to } as const)
    : ({ why: 'unknown', address: subject, known } as const);
  return error('unknown-target', values, { subject });
}

function notReplaceable(subject: Address, catalog: Catalog, state: State | undefined): readonly Diagnostic[] {
  const isLive = entriesOf(state).find('live', subject) !== undefined;
  if (isLive && isDeclared(catalog, subject)) return [];
  return [error('nothing-to-replace', { why: isLive ? 'undeclared' : 'unrecorded' }, { subject })];
}
