import type { Address } from '../catalog/model.ts';
import type { State } from './model.ts';

/** With the mark of a recovery that has begun: from then on no plan takes what the state lacks for new. */
export function markRecovering(state: State): State {
  return { ...state, recovering: true };
}

/** Without the mark. */
export function markRecovered(state: State): State {
  const { recovering: _, ...rest } = state;
  return rest;
}

/** Whether nothing is left to look for: every declared resource is recorded, so none could be created twice. */
export function isComplete({ resources }: State, declared: readonly Address[]): boolean {
  return declared.every((address) => resources[address] !== undefined);
}
