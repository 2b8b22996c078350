import type { Address } from '../catalog/model.ts';

/** Addresses that a person named, or all of them. */
export type Selection = 'all' | readonly Address[];

/** What a person asks of one plan beside what the catalog says: the flags of `trove plan` and `trove apply`. */
export interface PlanOptions {
  /** Plan only these addresses and what they depend on; empty: all. */
  readonly targets: readonly Address[];
  /** Create these anew, and retire their records. */
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

/** As a plan repeats them: options that are not set are left out, and lists are sorted. */
export function statedOptions(options: PlanOptions): Partial<PlanOptions> {
  const { targets, replace, reassert, confirmNew, recover } = options;
  const stated = Object.entries({ targets, replace, reassert, confirmNew })
    .filter(([, selection]) => selection.length > 0)
    .map(([name, selection]) => [name, selection === 'all' ? selection : [...selection].sort()] as const);
  return { ...Object.fromEntries(stated), ...(recover && { recover }) };
}
