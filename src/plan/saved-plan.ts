import equal from 'fast-deep-equal';
import { validate } from '../../generated/plan.js';
import type { Environment } from '../environment/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import type { Plan } from './model.ts';

/** A plan in a file, with everything that it is bound to. It holds no secret. */
export interface SavedPlan {
  readonly savedPlan: 1;
  readonly troveVersion: string;
  readonly environmentDigest: string;
  readonly plan: Plan;
}

export function savePlan(plan: Plan, environment: Environment, troveVersion: string): SavedPlan {
  return { savedPlan: 1, troveVersion, environmentDigest: environment.digest, plan };
}

/** One plan by itself, several as a list: a file holds the plans of all environments that were planned at once. */
export function formatSavedPlans(saved: readonly SavedPlan[]): string {
  return `${JSON.stringify(saved.length === 1 ? saved[0] : saved, null, 2)}\n`;
}

/** Reads a file of saved plans, of which it has at least one. `path` is only for messages. */
export function parseSavedPlans(text: string, path: string): Result<readonly SavedPlan[]> {
  const refuse = (message: string) => failure(error('invalid-plan-file', message, { subject: path }));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('this is not a saved plan: it is not JSON');
  }
  const plans = [value].flat();
  if (plans.length === 0 || !plans.every((plan) => validate(plan)))
    return refuse('this is not a plan that this version of Trove saved');
  const names = (plans as readonly SavedPlan[]).map(({ plan }) => plan.environment);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return refuse(`the file has two plans for the environment ${twice}`);
  return success(plans as readonly SavedPlan[]);
}

/**
 * Complaints about a saved plan that no longer is what would be planned now, each naming what moved. None:
 * `current` is the very plan that was saved, so doing the one is doing the other.
 */
export function staleness(saved: SavedPlan, current: SavedPlan): readonly Diagnostic[] {
  const hint = 'nothing was sent; if it was not applied already, make the plan anew with --out';
  const moved = moves(saved, current);
  if (moved.length > 0) return moved.map((message) => error('stale-plan', message, { hint }));
  if (equal(saved.plan, JSON.parse(JSON.stringify(current.plan)))) return [];
  const altered = (message: string, help = hint) => [error('altered-plan', message, { hint: help })];
  // Where files are depends on the folder that Trove runs in.
  if (equal(withoutFiles(saved.plan), withoutFiles(current.plan)))
    return altered(
      'the plan is the same, but its files have other names: it was made in another folder, or altered',
      'nothing was sent; run it in the folder where the plan was made, with the same --catalog',
    );
  return altered(
    'the plan in the file is not the plan that these inputs give: it was altered, or a variable that the catalog names has another value now',
  );
}

function withoutFiles(plan: Plan): unknown {
  return JSON.parse(JSON.stringify(plan), (key, value) => (key === 'file' ? undefined : value));
}

type Bound = readonly [what: string, read: (saved: SavedPlan) => unknown, isDigest?: true];

/** What a plan is bound to. A digest would tell a person nothing more. */
const bound: readonly Bound[] = [
  ['the environment file', ({ environmentDigest }) => environmentDigest, true],
  ['the catalog', ({ plan }) => plan.catalog.digest, true],
  ['the version of Trove', ({ troveVersion }) => troveVersion],
  ['the environment', ({ plan }) => plan.environment],
  ['the base URL', ({ plan }) => plan.target.baseUrl],
  ['the team', ({ plan }) => plan.target.teamId],
  ['the lineage of the state', ({ plan }) => plan.state.lineage],
  ['the state, by its serial,', ({ plan }) => plan.state.serial],
];

function moves(saved: SavedPlan, current: SavedPlan): readonly string[] {
  return bound.flatMap(([what, read, isDigest]) => {
    const [was, is] = [read(saved), read(current)];
    if (was === is) return [];
    if (isDigest) return [`${what} is not as it was when the plan was saved`];
    return [`${what} was ${was ?? 'none'} when the plan was saved and is ${is ?? 'none'} now`];
  });
}
