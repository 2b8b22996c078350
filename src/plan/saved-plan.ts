import equal from 'fast-deep-equal';
import { validate } from '../../generated/plan.js';
import type { Environment } from '../environment/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import type { Plan } from './model.ts';

/** A plan in a file, with everything that it is bound to (DESIGN section 4). It holds no secret. */
export interface SavedPlan {
  readonly savedPlan: 1;
  readonly troveVersion: string;
  readonly environmentDigest: string;
  readonly plan: Plan;
}

export function savePlan(plan: Plan, environment: Environment, troveVersion: string): SavedPlan {
  return { savedPlan: 1, troveVersion, environmentDigest: environment.digest, plan };
}

export function formatSavedPlan(saved: SavedPlan): string {
  return `${JSON.stringify(saved, null, 2)}\n`;
}

/** Reads a saved plan. `path` is only for messages. */
export function parseSavedPlan(text: string, path: string): Result<SavedPlan> {
  const hint = 'make it anew: trove plan --out FILE';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure(
      error('invalid-plan-file', 'this is not a saved plan: it is not JSON', { subject: path, hint }),
    );
  }
  if (!validate(value)) {
    const message = 'this is not a plan that this version of Trove saved';
    return failure(error('invalid-plan-file', message, { subject: path, hint }));
  }
  return success(value as SavedPlan);
}

/**
 * Complaints about a saved plan that no longer is what would be planned now, each naming what moved. None:
 * `current` is the very plan that was saved, so doing the one is doing the other.
 */
export function staleness(saved: SavedPlan, current: SavedPlan): readonly Diagnostic[] {
  const bound: readonly (readonly [what: string, saved: unknown, current: unknown])[] = [
    ['the version of Trove', saved.troveVersion, current.troveVersion],
    ['the environment', saved.plan.environment, current.plan.environment],
    ['the base URL', saved.plan.target.baseUrl, current.plan.target.baseUrl],
    ['the team', saved.plan.target.teamId, current.plan.target.teamId],
    ['the environment file', saved.environmentDigest, current.environmentDigest],
    ['the catalog', saved.plan.catalog.digest, current.plan.catalog.digest],
    ['the lineage of the state', saved.plan.state.lineage, current.plan.state.lineage],
    ['the state, by its serial,', saved.plan.state.serial, current.plan.state.serial],
  ];
  const moved = bound.filter(([, was, is]) => was !== is);
  const hint = 'nothing was sent; if it was not applied already, make the plan anew with --out';
  if (moved.length > 0) {
    return moved.map(([what, was, is]) =>
      error('stale-plan', `${what} was ${was ?? 'none'} when the plan was saved and is ${is ?? 'none'} now`, {
        hint,
      }),
    );
  }
  if (equal(saved.plan, JSON.parse(JSON.stringify(current.plan)))) return [];
  const message =
    'the plan in the file is not the plan that these inputs give: it was altered, or a variable that the catalog names has another value now';
  return [error('altered-plan', message, { hint })];
}
