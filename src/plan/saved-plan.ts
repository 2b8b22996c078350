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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure(error('invalid-plan-file', 'this is not a saved plan: it is not JSON', { subject: path }));
  }
  const plans: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (plans.length === 0 || !plans.every((plan) => validate(plan))) {
    const message = 'this is not a plan that this version of Trove saved';
    return failure(error('invalid-plan-file', message, { subject: path }));
  }
  const names = (plans as readonly SavedPlan[]).map(({ plan }) => plan.environment);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return success(plans as readonly SavedPlan[]);
  const message = `the file has two plans for the environment ${twice}`;
  return failure(error('invalid-plan-file', message, { subject: path }));
}

/**
 * Complaints about a saved plan that no longer is what would be planned now, each naming what moved. None:
 * `current` is the very plan that was saved, so doing the one is doing the other.
 */
export function staleness(saved: SavedPlan, current: SavedPlan): readonly Diagnostic[] {
  const hint = 'nothing was sent; if it was not applied already, make the plan anew with --out';
  const moved = [...edits(saved, current), ...moves(saved, current)];
  if (moved.length > 0) return moved.map((message) => error('stale-plan', message, { hint }));
  if (equal(saved.plan, JSON.parse(JSON.stringify(current.plan)))) return [];
  if (isElsewhere(saved.plan, current.plan)) return [elsewhere()];
  const altered =
    'the plan in the file is not the plan that these inputs give: it was altered, or a variable that the catalog names has another value now';
  return [error('altered-plan', altered, { hint })];
}

function isElsewhere(saved: Plan, current: Plan): boolean {
  const files = ({ changes }: Plan) => changes.map(({ source }) => source?.file);
  return !equal(files(saved), files(current)) && equal(withoutPlaces(saved), withoutPlaces(current));
}

/** Where files are depends on the folder that Trove runs in. */
function withoutPlaces(plan: Plan): unknown {
  const changes = plan.changes.map(({ source, ...rest }) => ({
    ...rest,
    source: source && { line: source.line, column: source.column },
  }));
  return JSON.parse(JSON.stringify({ ...plan, changes }));
}

function elsewhere(): Diagnostic {
  const message =
    'the plan is the same, but its files have other names: it was made in another folder, or altered';
  const hint = 'nothing was sent; run it in the folder where the plan was made, with the same --catalog';
  return error('altered-plan', message, { hint });
}

/** A digest would tell a person nothing more. */
function edits(saved: SavedPlan, current: SavedPlan): readonly string[] {
  const files = [
    ['the environment file', saved.environmentDigest, current.environmentDigest],
    ['the catalog', saved.plan.catalog.digest, current.plan.catalog.digest],
  ];
  return files
    .filter(([, was, is]) => was !== is)
    .map(([what]) => `${what} is not as it was when the plan was saved`);
}

function moves(saved: SavedPlan, current: SavedPlan): readonly string[] {
  const bound = [
    ['the version of Trove', saved.troveVersion, current.troveVersion],
    ['the environment', saved.plan.environment, current.plan.environment],
    ['the base URL', saved.plan.target.baseUrl, current.plan.target.baseUrl],
    ['the team', saved.plan.target.teamId, current.plan.target.teamId],
    ['the lineage of the state', saved.plan.state.lineage, current.plan.state.lineage],
    ['the state, by its serial,', saved.plan.state.serial, current.plan.state.serial],
  ];
  return bound
    .filter(([, was, is]) => was !== is)
    .map(
      ([what, was, is]) => `${what} was ${was ?? 'none'} when the plan was saved and is ${is ?? 'none'} now`,
    );
}
