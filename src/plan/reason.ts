import type { Address } from '../catalog/model.ts';
import type { Obstacle } from '../resources/fields.ts';
import type { Problems } from '../text/diagnostic.ts';

/** What keeps a difference from being sent as long as the record `of` exists. `isOpen`: its `point` may be set or probed. */
type ObstacleReason = Obstacle & { readonly of: Address; readonly isOpen: boolean };

/** Held back, since services that replace options tell them apart by name. */
type HeldReason = HeldOption & { readonly of: Address };

export type HeldOption =
  | { readonly code: 'option-name-in-use'; readonly name: string }
  /** An item has the option and would lose it. `isSeen`: an answer shows that it has. */
  | {
      readonly code: 'option-assigned';
      readonly option: string;
      readonly item: Address;
      readonly isSeen: boolean;
      readonly isRenamed: boolean;
    };

/** When something was sent whose outcome was not seen, and why not. */
interface Unseen {
  readonly at: string;
  /** Absent: no response is recorded. The run ended before one arrived, or is still active. */
  readonly cause?: string;
}

/**
 * Why a change is what it is: why it is not sent, or what to know before it is. Codes and values only; sentences and
 * commands are made from them where they are shown.
 */
export type Reason =
  | ObstacleReason
  | HeldReason
  | (Unseen & { readonly code: 'create-unseen'; readonly isProtected: boolean })
  | (Unseen & { readonly code: 'create-repeated' })
  | (Unseen & { readonly code: 'update-unseen' })
  /** An update of it may have made the record `answered`, and would make another one. `next`: what it calls for first. */
  | {
      readonly code: 'other-record';
      readonly id: string;
      readonly answered: string;
      readonly next?: 'import' | 'resolve';
    }
  /** `as`: the other address that the record had, which it may have again under this one. */
  | { readonly code: 'forgotten'; readonly id: string; readonly at: string; readonly as?: Address }
  | { readonly code: 'id-held'; readonly id: string; readonly holder: string }
  | { readonly code: 'id-declared'; readonly id: string }
  | { readonly code: 'replaced'; readonly id: string; readonly oldOptions?: 'kept' | 'perhaps-kept' }
  | { readonly code: 'protected'; readonly against: 'replacement' | 'retirement' }
  | {
      readonly code: 'imported';
      readonly at: string;
      /** Fields that are sent although changes of them are ignored. */
      readonly forced: readonly string[];
      readonly mayCreate: boolean;
      readonly mayClearThumbnail: boolean;
    }
  | { readonly code: 'import-undeclared' }
  /** A recovery looks for it; `ifAbsent`: what becomes of it if it is not found. */
  | { readonly code: 'looked-for'; readonly ifAbsent: 'create' | Blocker['action'] }
  | { readonly code: 'may-exist' }
  | { readonly code: 'not-findable'; readonly why: NotFindable; readonly canProbe: boolean }
  | {
      readonly code: 'possible-rename';
      readonly from: Address;
      readonly to: Address;
      /** What became of `from`. Reused: its key declares something else now, so `moved` can't name it. */
      readonly former: 'removed' | 'reused' | 'imported';
      /** An ID was imported for `to`, so `moved` can't lead there yet. */
      readonly isImported?: true;
    }
  /** Another record has come to `from`, and `moved` would take it along. `id`: of the one that looks alike. */
  | {
      readonly code: 'possible-rename';
      readonly from: Address;
      readonly to: Address;
      readonly former: 'succeeded';
      readonly id: string;
      readonly successor: string;
    }
  | { readonly code: 'waits-for-classifiers'; readonly classifiers: readonly Awaited[] }
  | { readonly code: 'waits-for-update'; readonly classifier: Address; readonly option: string }
  | { readonly code: 'option-without-id'; readonly option: string; readonly of: Address }
  | { readonly code: 'option-unclear'; readonly option: string; readonly name: string }
  /** An update would repeat what a record answered, and what was recorded had a credential in it. */
  | { readonly code: 'redacted'; readonly paths: readonly string[] }
  /** The service made something else of what was sent. */
  | { readonly code: 'not-taken'; readonly canBeSent: boolean };

/** What keeps something from being sent: the interface, a doubt, or a classifier that is itself blocked or unknown. */
export interface Blocker {
  readonly action: 'blocked' | 'waiting';
  readonly reason: Reason;
}

export function blockedBy(reason: Reason): Blocker {
  return { action: 'blocked', reason };
}

export type NotFindable = 'made-up-id' | 'ids-not-honored' | 'moved' | 'unproven-namespace';

interface Awaited {
  readonly address: Address;
  readonly action: 'blocked' | 'unknown';
}

/** Why apply refuses a plan as a whole. */
export type GuardReason =
  | { readonly code: 'no-state' }
  | { readonly code: 'state-on-runner' }
  | ({ readonly code: 'shared-team' } & Readonly<Problems['shared-team']>)
  | { readonly code: 'database-gone'; readonly statePath: string }
  /** `serial`: of the newest version that this machine had, of a remote service. `remove`: what keeps it from starting over. */
  | { readonly code: 'state-gone'; readonly serial?: number; readonly remove: string }
  | { readonly code: 'older-state'; readonly serial: number; readonly newest: number }
  | {
      readonly code: 'partial-state';
      readonly begunBy: 'import' | 'probe';
      readonly first: Address;
      readonly others: number;
    }
  | { readonly code: 'strange-state'; readonly declared: number; readonly recorded: number }
  | {
      readonly code: 'limit-exceeded';
      readonly limit: 'maxCreates' | 'maxUpdates';
      readonly count: number;
      readonly allowed: number;
    };
