import equal from 'fast-deep-equal';
import { validate } from '../../generated/plan.js';
import type { SavedPlan as SavedFile } from '../../generated/plan-types.js';
import { exceeds, FILE_BOUNDS } from '../contract/json-structure.ts';
import type { Environment } from '../environment/model.ts';
import {
  type BoundTo,
  type Diagnostic,
  error,
  failure,
  type Problems,
  type Result,
  success,
} from '../text/diagnostic.ts';
import type { Plan } from './model.ts';

/** A plan in a file, with everything that it is bound to. It holds no secret. */
export interface SavedPlan extends Omit<SavedFile, 'plan'> {
  readonly plan: Plan;
}

export function savePlan(plan: Plan, environment: Environment, troveVersion: string): SavedPlan {
  return { savedPlan: 1, troveVersion, environmentDigest: environment.digest, plan };
}

/** One plan on its own, several as a list: a file holds the plans of all environments that were planned at once. */
export function formatSavedPlans(saved: readonly SavedPlan[]): string {
  return `${JSON.stringify(saved.length === 1 ? saved[0] : saved, null, 2)}\n`;
}

/** Reads a file of saved plans, of which it has at least one. `path` is only for messages. */
export function parseSavedPlans(text: string, path: string): Result<readonly SavedPlan[]> {
  const refuse = (values: Problems['invalid-plan-file']) =>
    failure(error('invalid-plan-file', values, { subject: path }));
  if (exceeds(text, FILE_BOUNDS)) return refuse({ why: 'other-form' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse({ why: 'not-json' });
  }
  const plans = [value].flat();
  if (plans.length === 0 || !plans.every((plan) => validate(plan))) return refuse({ why: 'other-form' });
  const names = (plans as readonly SavedPlan[]).map(({ plan }) => plan.environment);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return refuse({ why: 'planned-twice', environment: twice });
  return success(plans as readonly SavedPlan[]);
}

/**
 * Complaints about a saved plan that no longer is what would be planned now, each naming what moved. None:
 * `current` is the very plan that was saved, so doing the one is doing the other.
 */
export function staleness(
  saved: SavedPlan,
  current: SavedPlan,
  /** The state has taken in the journal of an interrupted run, which does not raise the serial. */
  isReplayed = false,
): readonly Diagnostic[] {
  const moved = moves(saved, current);
  if (moved.length > 0) return moved;
  if (equal(saved.plan, JSON.parse(JSON.stringify(current.plan)))) return [];
  // Where files are depends on the folder that Trove runs in.
  const isSame = equal(withoutFiles(saved.plan), withoutFiles(current.plan));
  if (isReplayed && !isSame) return [error('stale-plan', { what: 'journal' })];
  return [error('altered-plan', { why: isSame ? 'other-files' : 'other-plan' })];
}

function withoutFiles(plan: Plan): unknown {
  return JSON.parse(JSON.stringify(plan), (key, value) => (key === 'file' ? undefined : value));
}

type Bound = readonly [what: BoundTo, read: (saved: SavedPlan) => string | number | null, isDigest?: true];

/** What a plan is bound to. A digest would tell a person nothing more. */
const bound: readonly Bound[] = [
  ['environment-file', ({ environmentDigest }) => environmentDigest, true],
  ['catalog', ({ plan }) => plan.catalog.digest, true],
  ['trove-version', ({ troveVersion }) => troveVersion],
  ['environment', ({ plan }) => plan.environment],
  ['base-url', ({ plan }) => plan.target.baseUrl],
  ['team', ({ plan }) => plan.target.teamId],
  ['lineage', ({ plan }) => plan.state.lineage],
  ['serial', ({ plan }) => plan.state.serial],
];

function moves(saved: SavedPlan, current: SavedPlan): readonly Diagnostic[] {
  return bound.flatMap(([what, read, isDigest]) => {
    const [was, is] = [read(saved), read(current)];
    // Of another lineage, no serial is the next.
    const isImplied = what === 'serial' && saved.plan.state.lineage !== current.plan.state.lineage;
    return was === is || isImplied ? [] : [error('stale-plan', { what, ...(!isDigest && { was, is }) })];
  });
}
