import type { Address, Kind } from '../catalog/model.ts';
import type { RecordedRequest, Target } from '../state/model.ts';
import type { PlanOptions } from './options.ts';
import type { GuardReason, Reason } from './reason.ts';

export const actions = [
  'create',
  'update',
  'replace',
  'adopt',
  'revive',
  'reassert',
  'retire',
  'blocked',
  'unknown',
  'waiting',
  'unchanged',
] as const;
export type Action = (typeof actions)[number];

/** One compared field. `path` is in catalog terms: `name`, `attributes.damage.min`, `classifiers.rarity`. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The service answered `before` when `after` was sent; it is not sent again by itself. */
  readonly diverged?: boolean;
}

/**
 * One thing about one resource. A resource has two where a part of what it wants can be sent and another part
 * is blocked or waiting, so that each change has one action. `unknown` is a create whose outcome nobody saw;
 * `waiting` refers to a classifier that is blocked or unknown.
 */
export interface Change {
  readonly address: Address;
  readonly kind: Kind;
  readonly key: string;
  /** What people call it: as declared, or as last recorded; absent where only an id is known. */
  readonly name?: string;
  readonly action: Action;
  readonly remoteId: string | null;
  readonly fields: readonly FieldChange[];
  /** Absent: what the action says is all there is to say. */
  readonly reasons?: readonly Reason[];
  /**
   * What apply will send, in order. Empty where nothing is sent. Of the two of a recovery, the create is only sent
   * where the update before it found no record.
   */
  readonly requests: readonly RecordedRequest[];
  /** Where it is declared; null for a retired resource, which no file mentions any more. */
  readonly source: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** A reason for which apply refuses a plan as a whole, unless a person takes it on. */
export type Guard = GuardReason & {
  /** The flag with which apply goes on all the same; null: there is none. */
  readonly override: '--new-environment' | '--recover' | '--confirm-new' | null;
};

export type Summary = { readonly [A in Action | 'diverged']: number };

/** What would be done, as data: preview, saved plan, apply and every renderer use this and nothing else. */
export interface Plan extends Partial<PlanOptions> {
  readonly formatVersion: 1;
  readonly environment: string;
  readonly target: Target;
  /** Lineage null: nothing was recorded when the plan was made. */
  readonly state: { readonly lineage: string | null; readonly serial: number };
  readonly catalog: { readonly digest: string };
  /** Why apply refuses the plan. */
  readonly guards: readonly Guard[];
  /** `unchanged` counts resources; every other count is of changes in the list. */
  readonly summary: Summary;
  /** Renames that apply records without sending anything, of resources and of options. */
  readonly moved: readonly { readonly from: Address; readonly to: Address }[];
  /** Changes of `lifecycle.protect` that apply records without sending anything. */
  readonly protections: readonly { readonly address: Address; readonly protect: boolean }[];
  /** Everything that is not unchanged: classifiers before items, each in key order. */
  readonly changes: readonly Change[];
}
