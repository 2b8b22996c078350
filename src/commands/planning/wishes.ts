import type { Address } from '../../catalog/model.ts';
import type { Plan } from '../../plan/model.ts';
import { noWishes, type Selection, type Wishes } from '../../plan/wishes.ts';
import type { State } from '../../state/model.ts';

/** The flags of `trove plan` and `trove apply` that say what to plan. */
export interface WishOptions {
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  /** True: the flag without an address, which stands for all. */
  readonly reassert?: readonly string[] | true;
  readonly confirmNew?: readonly string[] | true;
  readonly recover?: boolean;
}

/** Not checked yet: an address may be nobody's. */
export function wishesOf({ target, replace, reassert, confirmNew, recover }: WishOptions): Wishes {
  return {
    targets: (target ?? []) as readonly Address[],
    replace: (replace ?? []) as readonly Address[],
    reassert: selectionOf(reassert),
    confirmNew: selectionOf(confirmNew),
    recover: recover ?? false,
  };
}

/** What was wished when a saved plan was made. A recovery under way is continued, and excuses no older state. */
export function wishesOfPlan(
  { targets, replace, reassert, confirmNew, recover }: Plan,
  state: State | undefined,
): Wishes {
  return {
    targets: targets ?? noWishes.targets,
    replace: replace ?? noWishes.replace,
    reassert: reassert ?? noWishes.reassert,
    confirmNew: confirmNew ?? noWishes.confirmNew,
    recover: recover === true && state?.recovering === undefined,
  };
}

export function hasWishes({ target, replace, reassert, confirmNew, recover }: WishOptions): boolean {
  return [target, replace, reassert, confirmNew, recover].some((wish) => wish !== undefined);
}

function selectionOf(values: readonly string[] | true = []): Selection {
  return values === true ? 'all' : (values as readonly Address[]);
}
