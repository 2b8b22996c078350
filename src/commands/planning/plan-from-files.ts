import type { Inputs } from '../../environment/join-inputs.ts';
import { guardProblems, standingGuards } from '../../plan/guards.ts';
import { makePlan, targetOf } from '../../plan/make-plan.ts';
import type { Plan } from '../../plan/model.ts';
import { unknownAddresses } from '../../plan/targets.ts';
import type { State } from '../../state/model.ts';
import { readRecorded } from '../../state/replay.ts';
import { assertTarget } from '../../state/version.ts';
import { type Diagnostic, failure, type Result, success } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { loadInputs } from '../invocation/inputs.ts';
import { stateStore } from '../recording/state-store.ts';
import { surroundingsOf } from '../recording/surroundings.ts';
import { type WishOptions, wishesOf } from './wishes.ts';

export interface Made {
  readonly plan: Plan;
  readonly inputs: Inputs;
  /** What was recorded when the plan was made. */
  readonly state: State | undefined;
}

/** What makes a plan worthless. That an environment is new is said to apply, and not to plan. */
export function objectionsTo(plan: Plan): readonly Diagnostic[] {
  return guardProblems(standingGuards(plan, { newEnvironment: true }), plan.environment);
}

/** The plan of one environment, without its lock, a credential or the network. */
export async function planFromFiles(context: CommandContext, options: WishOptions): Promise<Result<Made>> {
  const inputs = await loadInputs(context);
  if (!inputs.ok) return inputs;
  const { catalog, environment } = inputs.value;
  const recorded = await readRecorded(stateStore(environment));
  if (!recorded.ok) return recorded;
  const state = recorded.value?.state;
  const foreign = state && assertTarget(state, targetOf(environment));
  if (foreign) return failure(foreign);
  const wishes = wishesOf(options);
  const unknown = unknownAddresses(wishes, catalog, state);
  if (unknown.length > 0) return failure(...unknown);
  const surroundings = await surroundingsOf(environment, context);
  const plan = makePlan({ catalog, environment, state, surroundings, ...wishes });
  return success({ plan, inputs: inputs.value, state });
}
