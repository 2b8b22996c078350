import type { State, StateEntry } from '../../generated/state-types.js';

/** Everything recorded of one environment. The build makes these types from schemas/state.schema.json. */
export type {
  Answer,
  Beginning,
  ImportedId,
  OptionIds,
  PendingCreate,
  RecordedRequest,
  RecordOrigin,
  Recovery,
  ResourceRecord,
  State,
  StateEntry,
  Target,
  UnconfirmedUpdate,
} from '../../generated/state-types.js';

export type EntryStatus = StateEntry['status'];
export type EntryOf<Status extends EntryStatus> = Extract<StateEntry, { status: Status }>;

/** The state of an environment of which nothing is recorded yet. `lineage` is a fresh UUID, given once. */
export function newState({ lineage, target }: Pick<State, 'lineage' | 'target'>): State {
  return { formatVersion: 2, lineage, serial: 0, target, entries: [] };
}

/** True for a state in which nothing was ever saved or recorded. */
export function isUntouched({ serial, entries }: State): boolean {
  return serial === 0 && entries.length === 0;
}
