import type { Change, Guard, Plan } from '../../plan/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { type Explanation, explainGuard } from './plan-guards.ts';
import { sentenceOf } from './plan-reasons.ts';
import { remediesOf } from './plan-remedies.ts';

/** A plan with its codes put into words. This is what renderers show, and what programs get as JSON. */
export interface ExplainedPlan extends Plan {
  readonly guards: readonly ExplainedGuard[];
  readonly changes: readonly ExplainedChange[];
}

export interface ExplainedChange extends Change {
  /** What is true now. */
  readonly reason?: string;
  /** What to do about it, one step each, commands as typed. */
  readonly remedies?: readonly string[];
}

export type ExplainedGuard = Guard & Explanation;

/** `flags`: what printed commands need to mean the catalog and the environment of the plan. */
export function explainPlan(plan: Plan, flags: string): ExplainedPlan {
  return {
    ...plan,
    guards: plan.guards.map((guard) => ({ ...guard, ...explainGuard(guard, plan.environment, flags) })),
    changes: plan.changes.map((change) => explainChange(change, flags)),
  };
}

function explainChange(change: Change, flags: string): ExplainedChange {
  const { address, reasons } = change;
  if (reasons === undefined) return change;
  const sentences = new Set(reasons.flatMap((reason) => sentenceOf(reason) ?? []));
  const remedies = [...new Set(reasons.flatMap((reason) => remediesOf(reason, { address, flags })))];
  return {
    ...change,
    ...(sentences.size > 0 && { reason: [...sentences].join('; ') }),
    ...(remedies.length > 0 && { remedies }),
  };
}

/** Guards as problems of their environment. */
export function guardProblems(guards: readonly ExplainedGuard[], environment: string): readonly Diagnostic[] {
  const subject = `environment ${environment}`;
  return guards.map(({ code, reason, remedies }) =>
    error(code, reason, { subject, hint: remedies.join('; ') }),
  );
}
