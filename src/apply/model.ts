import type { ItemService } from '../api/client.ts';
import type { ServiceError } from '../api/outcome.ts';
import type { Address, Kind } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import type { Action, Change, FieldChange, Plan } from '../plan/model.ts';
import type { Reason } from '../plan/reason.ts';
import type { FieldDifference } from '../resources/fields.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { JournalError } from '../state/journal-writer.ts';
import type { RecordedRequest, ResourceRecord, Target } from '../state/model.ts';
import type { Session } from '../state/session.ts';

/** Where outcomes are kept: durable before `record` resolves. */
export type Recorder = Pick<Session, 'entries' | 'current' | 'record' | 'verify'>;

export interface WriterPorts {
  /** Every answer has to name its team. */
  readonly environment: Environment;
  readonly service: Pick<ItemService, 'write'>;
  readonly recorder: Recorder;
  readonly now: () => Date;
  /** Aborted when a person wants it to stop: no request starts after that, those in flight are waited for. */
  readonly signal: AbortSignal;
  /** What the state keeps of a write that stays open: text for people, with what `before` names. */
  readonly seenText: (seen: Seen, before: string | undefined) => string;
}

/** An answer, compared with what was sent. */
export interface Verified {
  readonly record: ResourceRecord;
  /** What was wanted (`after`) and answered otherwise (`before`). */
  readonly notTaken: readonly FieldDifference[];
}

/**
 * Why an answer can't be one to the request that was sent; `id` is that of the record that it names.
 *
 * - `replaced-record`: it is the very record that was to be replaced
 * - `held`: it is the record of another address
 * - `other-name`: it has the name of another record: answers of creates under way at once can be swapped
 * - `other-owner`: its options belong to another classifier
 * - `no-options`: the classifier has none of the options that were sent with its create
 */
export type Distrust = { readonly id: string } & (
  | { readonly code: 'wrong-team'; readonly answered: string; readonly expected: string }
  | { readonly code: 'other-id'; readonly expected: string }
  | { readonly code: 'replaced-record' | 'no-options' }
  | { readonly code: 'held'; readonly holder: Address }
  | { readonly code: 'other-name'; readonly name: string; readonly of: Address }
  | { readonly code: 'other-owner'; readonly owner: string }
);

/** What was seen of a write that stays open. `not-comparable`: comparing its answer failed, which is a bug of ours. */
export type Seen =
  | { readonly code: 'not-answered'; readonly error: ServiceError }
  | { readonly code: 'not-comparable'; readonly id: string }
  | Distrust;

/** Why a change came out as it did, where no service error tells it. */
export type ResultReason =
  | Distrust
  /** A recovery does not know whether the record is there. */
  | { readonly code: 'look-again' }
  /** `address` is that of an option, or of what has no record. */
  | {
      readonly code: 'no-id-answered' | 'not-created' | 'not-replaced' | 'waits-for';
      readonly address: string;
    }
  /** The plan counted on IDs being honoured, and an answer since then was under another one. */
  | { readonly code: 'not-repeated' }
  /** A recovery has found no record under a derived ID, so that the namespace may be another one. */
  | { readonly code: 'nothing-found' }
  /** A recovery has found no record of it, and something keeps it from being created. */
  | { readonly code: 'not-found' };

/** One request for a record of `address`. */
export interface Write {
  readonly address: Address;
  readonly request: RecordedRequest;
  /** The ID that the answer has to name; undefined where any ID will do. */
  readonly expects?: string | undefined;
  /** What an answer to this request leaves. `at` is the ISO 8601 instant of the answer. */
  readonly verify: (answer: AnyAnswer, request: RecordedRequest, at: string) => Verified;
}

export interface Create extends Write {
  /** Sent twice, it makes one record. */
  readonly repeatable: boolean;
  /** The ID of the record that this one replaces. */
  readonly replaces?: string | null;
  /** The update that shows whether a repeatable create was taken. */
  readonly confirm?: () => RecordedRequest;
}

export interface Update extends Write {
  /** Why an answer is no answer to this request, beyond what the writer checks itself. */
  readonly distrust?: (answer: AnyAnswer) => Distrust | undefined;
}

/**
 * What became of a write. Everything that it says is recorded.
 *
 * - `answered`: as was asked, by the expected team; the record is durable
 * - `unrecorded`: answered, but the record could not be made durable; the answer has its ID
 * - `refused`: surely not taken
 * - `unseen`: it may have been taken, or an earlier one whose outcome is not known yet
 * - `distrusted`: answered, but not as an answer to this request can be; nothing of it is believed
 * - `stopped`: nothing was sent
 */
export type Written =
  | ({ readonly kind: 'answered' | 'unrecorded' } & Verified)
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** `isLasting`: of a create that another run does not settle: it was refused for good, or has made another record. */
  | { readonly kind: 'unseen'; readonly error: ServiceError; readonly isLasting?: boolean }
  | { readonly kind: 'distrusted'; readonly answer: AnyAnswer; readonly distrust: Distrust }
  | { readonly kind: 'stopped' };

/** Why no further request starts. */
export type WriteHalt =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'wrong-team'; readonly expected: string; readonly answered: string }
  /** A service that is known to honour IDs answered a create with another one, or an update was answered so. */
  | {
      readonly kind: 'other-id';
      readonly method: RecordedRequest['method'];
      readonly address: Address;
      readonly asked: string;
      readonly answered: string;
    }
  | { readonly kind: 'service'; readonly error: ServiceError }
  /** `state-lost`: the lock was removed, or the state or its journal replaced: another run may be at work. */
  | { readonly kind: 'journal' | 'state-lost'; readonly problems: JournalError['problems'] };

/**
 * What became of one planned change.
 *
 * - `applied`: answered, and the answer repeats what was sent
 * - `diverged`: answered, and the service made something else of it; `fields` has both values
 * - `recorded`: nothing had to be sent (a retirement)
 * - `failed`: surely not done
 * - `unknown`: sent, and its outcome was not seen
 * - `blocked`: wanted, and the interface documents no way
 * - `waiting`: refers to a classifier that is blocked or unknown, so it was not sent
 * - `not-started`: nothing was sent, because something before it went wrong or the run was stopped
 * - `unrecorded`: done, but the state does not have it; `remoteId` is its ID
 */
export const resultKinds = [
  'applied',
  'diverged',
  'recorded',
  'failed',
  'unknown',
  'blocked',
  'waiting',
  'not-started',
  'unrecorded',
] as const;
export type ResultKind = (typeof resultKinds)[number];

export interface ChangeResult {
  readonly address: Address;
  readonly kind: Kind;
  readonly action: Action;
  readonly result: ResultKind;
  readonly remoteId: string | null;
  /** Diverged fields: `after` was sent, `before` was answered. */
  readonly fields?: readonly FieldChange[];
  readonly error?: ServiceError;
  /** An unknown create that the next run settles, since the service honours the ID that it was sent with. */
  readonly settles?: boolean;
  /** Those of the planned change, if these are why nothing was sent; or what came of it, where no error tells it. */
  readonly reasons?: readonly (Reason | ResultReason)[];
}

export function resultOf(
  { address, kind, action, remoteId }: Change,
  result: ResultKind,
  rest: Partial<ChangeResult> = {},
): ChangeResult {
  return { address, kind, action, result, remoteId, ...rest };
}

/** Why nothing more is started. `canary`: the first writes were refused, one after another. */
export type Halt = WriteHalt | { readonly kind: 'canary' };

export interface ApplyReport {
  readonly environment: string;
  readonly target: Target;
  readonly results: readonly ChangeResult[];
  /** What was recorded without sending anything. */
  readonly moved: Plan['moved'];
  readonly protections: Plan['protections'];
  readonly halt?: Halt;
}

/** What an apply tells while it runs. It prints nothing itself. */
export type ApplyEvent =
  | { readonly type: 'started'; readonly total: number }
  | {
      readonly type: 'finished';
      readonly result: ChangeResult;
      readonly done: number;
      readonly total: number;
    };
