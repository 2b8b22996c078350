import type { Plan as PlanFile, Change as Planned } from '../../generated/plan-types.js';
import type { RecordedRequest } from '../state/model.ts';
import type { PlanOptions } from './options.ts';
import type { GuardReason, Reason } from './reason.ts';

/** As summaries count them. */
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
] as const satisfies readonly Planned['action'][];
export type Action = (typeof actions)[number];

/** One compared field. */
export type FieldChange = Planned['fields'][number];

/**
 * One thing about one resource. A resource has two where a part of what it wants can be sent and another part
 * is blocked or waiting, so that each change has one action. `unknown` is a create with an unknown outcome, or an
 * update that may have made another record; `waiting` refers to a classifier that is blocked or unknown.
 */
export interface Change extends Omit<Planned, 'reasons' | 'reason' | 'remedies'> {
  readonly reasons?: readonly Reason[];
  /**
   * What apply will send, in order. Empty where nothing is sent. Of the two of a recovery, the create is only sent
   * where the update before it found no record.
   */
  readonly requests: readonly RecordedRequest[];
}

/** A reason for which apply refuses a plan as a whole, unless a person takes it on. */
export type Guard = GuardReason & {
  /** The flag with which apply goes on all the same; null: there is none. */
  readonly override: '--new-environment' | '--recover' | '--confirm-new' | null;
};

export type Summary = PlanFile['summary'];

/**
 * What would be done, as data: preview, saved plan, apply and every renderer use this and nothing else. The build makes
 * its type from schemas/plan.schema.json, but for the values of reasons.
 */
export interface Plan
  extends Omit<PlanFile, keyof PlanOptions | 'guards' | 'changes'>,
    Partial<Omit<PlanOptions, 'recover'>> {
  /** True: a person asked for it, which lifts guards. */
  readonly recover?: true | 'continued';
  /** Why apply refuses the plan. */
  readonly guards: readonly Guard[];
  /** Everything that is not unchanged: classifiers before items, each in key order. */
  readonly changes: readonly Change[];
}
