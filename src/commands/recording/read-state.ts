import type { Environment } from '../../environment/model.ts';
import { targetOf } from '../../plan/make-plan.ts';
import type { State } from '../../state/model.ts';
import { readRecorded } from '../../state/replay.ts';
import { assertTarget } from '../../state/version.ts';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { loadEnvironmentOnly } from '../invocation/inputs.ts';
import { stateStore } from './state-store.ts';

export interface ReadState {
  readonly environment: Environment;
  /** With what an interrupted run left in its journal; undefined where nothing was ever recorded. */
  readonly state: State | undefined;
}

/** The chosen environment and its state, without a lock: somebody else may have it, and nothing is changed. */
export async function readState(context: CommandContext): Promise<Result<ReadState>> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) return environment;
  const state = await readStateOf(environment.value);
  return state.ok ? success({ environment: environment.value, state: state.value }) : state;
}

/** The same for an environment that is loaded already. */
export async function readStateOf(environment: Environment): Promise<Result<State | undefined>> {
  const { path } = environment.state;
  const recorded = await readRecorded(stateStore(environment));
  if (!recorded.ok) return recorded;
  const state = recorded.value?.state;
  const foreign = state && assertTarget(state, targetOf(environment));
  return foreign ? failure({ ...foreign, subject: path }) : success(state);
}

/** The complaint of a command that has nothing to do without a state. */
export function noState({ name, state }: Environment): Diagnostic {
  const hint = 'it begins with the first apply or import; if it is mislaid, put it back first';
  return error('no-state', `environment ${name} has no state`, { subject: state.path, hint });
}
