import { createHash } from 'node:crypto';
import { kindOf } from '../catalog/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { type Entries, entriesOf, isHolding } from './entries.ts';
import { formatState } from './format.ts';
import type { State, StateEntry, Target } from './model.ts';

/** What tells one version of a state from all others. */
export interface StateVersion {
  readonly lineage: string;
  /** 0: nothing is stored. */
  readonly serial: number;
  /** Of the text that `formatState` gives: two branches of a history can have one serial. */
  readonly digest: string;
}

/** All that tells an older version from a newer one of its history. */
export type SavedVersion = Pick<StateVersion, 'lineage' | 'serial'>;

/** True for an earlier version of the same history; of another history nothing can be said. */
export function isOlder(state: SavedVersion, newest: SavedVersion | undefined): boolean {
  return newest !== undefined && newest.lineage === state.lineage && state.serial < newest.serial;
}

export function versionOf(state: State): StateVersion {
  return { lineage: state.lineage, serial: state.serial, digest: digestOf(formatState(state)) };
}

/** A version that nothing is stored of is any such version. */
export function isSameVersion(one: StateVersion, other: StateVersion): boolean {
  if (one.serial === 0 || other.serial === 0) return one.serial === other.serial;
  return one.lineage === other.lineage && one.serial === other.serial && one.digest === other.digest;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The complaint about a state that belongs to another service or team than `target`, or undefined where it
 * belongs: its ids mean nothing elsewhere, and writing with them would hit foreign records.
 */
export function assertTarget(state: Pick<State, 'target'>, target: Target): Diagnostic | undefined {
  if (state.target.baseUrl === target.baseUrl && state.target.teamId === target.teamId) return undefined;
  return error('state-of-another-target', { recorded: state.target, named: target });
}

/** Why one state can't take the place of another without a person's word. */
export interface ReplacementRisks {
  readonly otherLineage: boolean;
  readonly lowerSerial: boolean;
  /** Every ID, and every create whose outcome is unknown (its ID is null), that only the state to be replaced has. */
  readonly lost: readonly { readonly address: string; readonly id: string | null }[];
}

/** Compares what is recorded with what shall replace it. */
export function replacementRisks(recorded: State, replacement: State): ReplacementRisks {
  const [before, after] = [entriesOf(recorded), entriesOf(replacement)];
  const optionIds = new Set(optionsOf(replacement).map(({ id }) => id));
  const isNewIn = (entries: Entries) => (entry: StateEntry) =>
    isHolding(entry) && entries.holderOf(kindOf(entry.address), entry.id) === undefined;
  // An ID that came since tells what became of the create.
  const isSettled = isNewIn(before);
  const lostCreates = before
    .all('pending')
    .filter(({ address }) => !after.at(address).some((each) => each.status === 'pending' || isSettled(each)));
  return {
    otherLineage: recorded.lineage !== replacement.lineage,
    lowerSerial: replacement.serial < recorded.serial,
    lost: [
      ...recorded.entries.filter(isHolding).filter(isNewIn(after)),
      ...optionsOf(recorded).filter(({ id }) => !optionIds.has(id)),
      ...lostCreates.map(({ address }) => ({ address, id: null })),
    ],
  };
}

function optionsOf({ entries }: State) {
  return entries
    .filter(isHolding)
    .flatMap(({ address, options = {} }) =>
      Object.entries(options).map(([option, id]) => ({ address: `${address}.${option}`, id })),
    );
}
