import type { Address } from '../catalog/model.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { standingGuards } from '../plan/guards.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import { noOptions, type PlanOptions, type Selection } from '../plan/options.ts';
import { unknownAddresses } from '../plan/targets.ts';
import { type ExplainedPlan, explainPlan, guardProblems } from '../render/messages/explain-plan.ts';
import type { State } from '../state/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { loadInputs } from './environments.ts';
import { fail, orFail } from './exit-code.ts';
import { readStateOf, surroundingsOf } from './state.ts';

export interface PreparedPlan {
  readonly plan: Plan;
  /** The same in words. */
  readonly explained: ExplainedPlan;
  readonly inputs: Inputs;
  /** What was recorded when the plan was made. */
  readonly state: State | undefined;
}

/** The plan of one environment, without its lock, a credential or the network. */
export async function planFromFiles(context: CommandContext, options: PlanFlags): Promise<PreparedPlan> {
  const inputs = orFail(await loadInputs(context));
  const state = orFail(await readStateOf(inputs.environment));
  const plan = await preparePlan(context, inputs, state, planOptionsOf(options));
  return { inputs, state, plan, explained: explainPlan(plan, context.flags) };
}

/** Makes a plan of what was loaded, after the checks that come before one. */
export async function preparePlan(
  context: CommandContext,
  inputs: Inputs,
  state: State | undefined,
  planOptions: PlanOptions,
): Promise<Plan> {
  const unknown = unknownAddresses(planOptions, inputs.catalog, state);
  if (unknown.length > 0) fail(unknown);
  const surroundings = await surroundingsOf(inputs.environment, context);
  return makePlan({ ...inputs, state, surroundings, ...planOptions });
}

/** Why apply refuses a plan as a whole. */
export function refusalsOf(
  plan: ExplainedPlan,
  options: { readonly newEnvironment?: boolean },
): readonly Diagnostic[] {
  return guardProblems(standingGuards(plan, options), plan.environment);
}

/** The flags of `trove plan` and `trove apply` that say what to plan. */
export interface PlanFlags {
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  /** True: the flag without an address, which stands for all. */
  readonly reassert?: readonly string[] | true;
  readonly confirmNew?: readonly string[] | true;
  readonly recover?: boolean;
}

/** Not checked yet: an address may be nobody's. */
export function planOptionsOf({ target, replace, reassert, confirmNew, recover }: PlanFlags): PlanOptions {
  return {
    targets: (target ?? []) as readonly Address[],
    replace: (replace ?? []) as readonly Address[],
    reassert: selectionOf(reassert),
    confirmNew: selectionOf(confirmNew),
    recover: recover ?? false,
  };
}

/** What a saved plan was made with. A recovery under way is continued, and excuses no older state. */
export function optionsOfPlan(plan: Plan, state: State | undefined): PlanOptions {
  const { targets, replace, reassert, confirmNew } = { ...noOptions, ...plan };
  const recover = plan.recover === true && state?.recovering === undefined;
  return { targets, replace, reassert, confirmNew, recover };
}

export function hasPlanOptions({ target, replace, reassert, confirmNew, recover }: PlanFlags): boolean {
  return [target, replace, reassert, confirmNew, recover].some((option) => option !== undefined);
}

function selectionOf(values: readonly string[] | true = []): Selection {
  return values === true ? 'all' : (values as readonly Address[]);
}
