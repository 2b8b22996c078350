import type { State } from './model.ts';

/** Which version of a state was saved: all that tells an older one from it. */
export type SavedVersion = Pick<State, 'lineage' | 'serial'>;

/** True for an earlier version of the same history; of another history nothing can be said. */
export function isOlder(state: SavedVersion, newest: SavedVersion | undefined): boolean {
  return newest !== undefined && newest.lineage === state.lineage && state.serial < newest.serial;
}
