import type { State, Target } from './model.ts';

/** The state of an environment of which nothing is recorded yet. `lineage` is a fresh UUID, given once. */
export function newState(identity: { readonly lineage: string; readonly target: Target }): State {
  const { lineage, target } = identity;
  return {
    formatVersion: 1,
    lineage,
    serial: 0,
    target,
    resources: {},
    retired: [],
    pending: [],
    imported: [],
  };
}

/** True for a state that nobody has saved or recorded anything in. */
export function isUntouched({ serial, resources, retired, pending, imported }: State): boolean {
  const entries = [Object.keys(resources), retired, pending, imported];
  return serial === 0 && entries.every(({ length }) => length === 0);
}
