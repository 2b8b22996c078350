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

/** A record that is no longer declared. It still exists remotely (there is no delete), so its id is kept. */
export interface RetiredRecord extends ResourceRecord {
  readonly address: Address;
  readonly retiredAt: string;
}

/** A create that may or may not have happened: its intent is durable, its outcome was not seen. */
export interface PendingCreate {
  readonly address: Address;
  readonly request: RecordedRequest;
  /** ISO 8601 instant at which it was sent. */
  readonly at: string;
  /** What was seen instead of an answer; absent while the request is under way or after a crash. */
  readonly reason?: string;
  /** An answer that did arrive but can't be trusted (another team's, say): its id must not be lost either. */
  readonly answer?: WireClassifier | WireItem;
}

/** An id that a person named and no answer has confirmed yet: nothing else is known of the record. */
export interface ImportedId {
  readonly address: Address;
  readonly id: string;
  /** ISO 8601 instant at which it was imported. */
  readonly at: string;
  /** Classifiers only, where the person named these too: option key to option id. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The service and team that a state belongs to; it is refused for any other. */
export interface Target {
  readonly baseUrl: string;
  readonly teamId: string;
}

/** Everything recorded of one environment. */
export interface State {
  readonly formatVersion: 1;
  /** A UUID given once; two states with the same lineage are versions of one history. */
  readonly lineage: string;
  /** Rises by one with every save. 0: never saved. */
  readonly serial: number;
  readonly target: Target;
  readonly resources: Readonly<Record<Address, ResourceRecord>>;
  readonly retired: readonly RetiredRecord[];
  readonly pending: readonly PendingCreate[];
  readonly imported: readonly ImportedId[];
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
  /** Ids that a person let go of, where nothing else is known of the address since. Absent where there are none. */
  readonly forgotten?: Readonly<Record<Address, ForgottenId>>;
}

/** The record may well exist still: to create it anew takes one more word. */
export interface ForgottenId {
  readonly id: string;
  /** ISO 8601 instant at which it was forgotten. */
  readonly at: string;
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
