import type { Address } from '../catalog/model.ts';
import type { WireClassifier, WireItem } from '../contract/wire.ts';

/** A request exactly as it was or will be sent, without its credentials. `path` is below the base URL. */
export interface RecordedRequest {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is known of one remote record: only ever from an answer to one of our own writes. */
export interface ResourceRecord {
  /** The id in the service's answer. */
  readonly id: string;
  /** The last answer, whole. */
  readonly answer: WireClassifier | WireItem;
  /** The request that it answered. */
  readonly sent: RecordedRequest;
  /** ISO 8601 instant of the answer, by this machine's clock. */
  readonly at: string;
  /** `verified`: the answer repeats what was sent. `diverged`: the service made something else of it. */
  readonly confidence: 'verified' | 'diverged';
  /** Classifiers only: option key to the option id of the answer, matched by name when it was created. */
  readonly options?: Readonly<Record<string, string>>;
  /** What was wanted and not taken, by field path: these are not sent again until the catalog changes. */
  readonly diverged?: Readonly<Record<string, unknown>>;
  /** An update that was sent after `answer` and was not answered: the service may have taken it or not. */
  readonly unconfirmed?: UnconfirmedUpdate;
  /** The catalog that this write came from. */
  readonly origin?: RecordOrigin;
  /** Declared with `lifecycle.protect`: the declaration is gone when retiring it comes up, so it is kept here. */
  readonly protect?: boolean;
}

/** Which version of a catalog a record was last written from. */
export interface RecordOrigin {
  /** The digest of its files: `sha256:` and hex. */
  readonly catalog: string;
  /** The commit that was checked out, with `-dirty` where the files of the catalog were not as committed. */
  readonly commit?: string;
}

export interface UnconfirmedUpdate {
  readonly request: RecordedRequest;
  /** ISO 8601 instant at which it was sent. */
  readonly at: string;
  /** What was seen instead of an answer; absent after a crash. */
  readonly reason?: string;
}

/** A record that is declared, and was when it was last written. */
export interface LiveRecord extends ResourceRecord {
  readonly status: 'live';
  readonly address: Address;
}

/** A record that is no longer declared. It still exists remotely (there is no delete), so its ID is kept. */
interface RetiredRecord extends ResourceRecord {
  readonly status: 'retired';
  readonly address: Address;
  readonly retiredAt: string;
}

/** A create that may or may not have happened: its intent is durable, its outcome was not seen. */
export interface PendingCreate {
  readonly status: 'pending';
  readonly address: Address;
  readonly request: RecordedRequest;
  /** ISO 8601 instant at which it was sent. */
  readonly at: string;
  /** What was seen instead of an answer, also to an earlier try; absent while the first is under way or after a crash. */
  readonly reason?: string;
  /** The ID that an answer which can't be read gives the record in place of the one that was asked for. */
  readonly otherId?: string;
  /** An answer that did arrive but can't be trusted (another team's, say): its ID must not be lost either. */
  readonly answer?: WireClassifier | WireItem;
}

/** An ID that a person named and no answer has confirmed yet: nothing else is known of the record. */
export interface ImportedId {
  readonly status: 'imported';
  readonly address: Address;
  readonly id: string;
  /** ISO 8601 instant at which it was imported. */
  readonly at: string;
  /** Classifiers only, if the person named these too: option key to option ID. */
  readonly options?: Readonly<Record<string, string>>;
  /** An update that should have confirmed it, and whose outcome was not seen. */
  readonly unconfirmed?: UnconfirmedUpdate;
}

/** An ID that a person let go of. The record may still exist: creating it again takes a confirmation. */
export interface ForgottenId {
  readonly status: 'forgotten';
  readonly address: Address;
  readonly id: string;
  /** ISO 8601 instant at which it was forgotten. */
  readonly at: string;
}

/** One thing recorded of an address. A replaced resource has several: the live one and those retired before it. */
export type StateEntry = LiveRecord | PendingCreate | ImportedId | RetiredRecord | ForgottenId;
export type EntryStatus = StateEntry['status'];
export type EntryOf<Status extends EntryStatus> = Extract<StateEntry, { status: Status }>;

/** The service and team that a state belongs to; it is refused for any other. */
export interface Target {
  readonly baseUrl: string;
  readonly teamId: string;
}

/** Everything recorded of one environment. */
export interface State {
  readonly formatVersion: 2;
  /** A UUID given once; two states with the same lineage are versions of one history. */
  readonly lineage: string;
  /** Rises by one with every save. 0: never saved. */
  readonly serial: number;
  readonly target: Target;
  /** By address, then by status, then oldest first. */
  readonly entries: readonly StateEntry[];
  /**
   * A recovery of a lost state that is not finished. Present until everything declared is known again: what is not
   * may exist, so no run may simply create it.
   */
  readonly recovering?: Recovery;
  /**
   * It was begun by something else than an apply, so the team may have records that it never knew. Present until a
   * person calls the environment new, or everything declared is known.
   */
  readonly partial?: Beginning;
}

/** How a state came to be that no apply has begun. */
export interface Beginning {
  readonly by: 'import' | 'probe';
  /** ISO 8601 instant. */
  readonly since: string;
}

export interface Recovery {
  /** ISO 8601 instant at which it began. */
  readonly since: string;
  /** Looked for, and surely not there. Sorted. */
  readonly absent: readonly Address[];
  /** An id of before shows that items are still derived from the `idNamespace` that was used then. */
  readonly isNamespaceKnown?: true;
}

/** The state of an environment of which nothing is recorded yet. `lineage` is a fresh UUID, given once. */
export function newState({ lineage, target }: Pick<State, 'lineage' | 'target'>): State {
  return { formatVersion: 2, lineage, serial: 0, target, entries: [] };
}

/** True for a state that nobody has saved or recorded anything in. */
export function isUntouched({ serial, entries }: State): boolean {
  return serial === 0 && entries.length === 0;
}
