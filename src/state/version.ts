import { createHash } from 'node:crypto';
import type { State } from './model.ts';

/** What tells one version of a state from all others. */
export interface StateVersion {
  readonly lineage: string;
  /** 0: nothing is stored. */
  readonly serial: number;
  /** `idsDigest`: two branches of a history can have one serial. */
  readonly ids: string;
}

/** All that tells an older version from a newer one of its history. */
export type SavedVersion = Pick<StateVersion, 'lineage' | 'serial'>;

/** True for an earlier version of the same history; of another history nothing can be said. */
export function isOlder(state: SavedVersion, newest: SavedVersion | undefined): boolean {
  return newest !== undefined && newest.lineage === state.lineage && state.serial < newest.serial;
}

export function versionOf(state: State): StateVersion {
  return { lineage: state.lineage, serial: state.serial, ids: idsDigest(state) };
}

/** A version that nothing is stored of is any such version. */
export function isSameVersion(one: StateVersion, other: StateVersion): boolean {
  if (one.serial === 0 || other.serial === 0) return one.serial === other.serial;
  return one.lineage === other.lineage && one.serial === other.serial && one.ids === other.ids;
}

/** A digest of every recorded id, and of every create left open. */
export function idsDigest({
  resources,
  retired,
  pending,
  imported,
}: Pick<State, 'resources' | 'retired' | 'pending' | 'imported'>): string {
  const lines = [
    ...Object.entries(resources).map(([address, { id }]) => `live ${address} ${id}`),
    ...retired.map(({ address, id }) => `retired ${address} ${id}`),
    ...imported.map(({ address, id }) => `imported ${address} ${id}`),
    ...pending.map(({ address, at }) => `pending ${address} ${at}`),
  ];
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
