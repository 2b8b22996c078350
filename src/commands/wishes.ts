import type { Address } from '../catalog/model.ts';
import type { Plan } from '../plan/model.ts';
import { noWishes, type Selection, type Wishes } from '../plan/wishes.ts';

/** The flags of `trove plan` and `trove apply` that say what to plan. */
export interface WishOptions {
  readonly target: readonly string[];
  readonly replace: readonly string[];
  /** `all` stands for the flag without an address. */
  readonly reassert: readonly string[];
  readonly confirmNew: readonly string[];
  readonly recover?: boolean;
}

/** Not checked yet: an address may be nobody's. */
export function wishesOf({ target, replace, reassert, confirmNew, recover }: WishOptions): Wishes {
  return {
    targets: target as readonly Address[],
    replace: replace as readonly Address[],
    reassert: selectionOf(reassert),
    confirmNew: selectionOf(confirmNew),
    recover: recover ?? false,
  };
}

/** What was wished when a saved plan was made. */
export function wishesOfPlan({ targets, replace, reassert, confirmNew, recover }: Plan): Wishes {
  return {
    targets: targets ?? noWishes.targets,
    replace: replace ?? noWishes.replace,
    reassert: reassert ?? noWishes.reassert,
    confirmNew: confirmNew ?? noWishes.confirmNew,
    recover: recover ?? noWishes.recover,
  };
}

export function hasWishes({ target, replace, reassert, confirmNew, recover }: WishOptions): boolean {
  return recover === true || [target, replace, reassert, confirmNew].some(({ length }) => length > 0);
}

function selectionOf(values: readonly string[]): Selection {
  return values.includes('all') ? 'all' : (values as readonly Address[]);
}
