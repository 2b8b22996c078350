import type { ServiceError } from '../api/outcome.ts';
import type { Address, Kind } from '../catalog/model.ts';
import type { Action, Change, FieldChange, Plan } from '../plan/model.ts';
import type { Reason } from '../plan/reason.ts';
import type { Target } from '../state/model.ts';
import type { WriteHalt } from './writer.ts';

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
 * - `unrecorded`: done, but the state does not have it; `remoteId` is its id
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
  /** An unknown create that the next run settles, since the service honours the id that it was sent with. */
  readonly settles?: boolean;
  /** Set where there is no service error to tell it. */
  readonly reason?: string;
  /** Those of the planned change, if these are why nothing was sent. */
  readonly reasons?: readonly Reason[];
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
