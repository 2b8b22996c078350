import { resolve } from 'node:path';
import equal from 'fast-deep-equal';
import type { Address } from '../catalog/model.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import { standingGuards } from '../plan/guards.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import { noOptions, type PlanOptions, unknownAddresses } from '../plan/options.ts';
import { parseSavedPlans, type SavedPlan } from '../plan/saved-plan.ts';
import { type ExplainedPlan, explainPlan, guardProblems } from '../render/messages/explain-plan.ts';
import { type ExplainedDiagnostic, explainPlanFile } from '../render/messages/explain-problem.ts';
import { applyCommand } from '../render/messages/plan-problems.ts';
import { savedText } from '../render/plan-text.ts';
import { renderRunUnderWay } from '../render/state-text.ts';
import type { State } from '../state/model.ts';
import { MAX_WRITTEN_BYTES, readText } from '../text/read-file.ts';
import { type CommandContext, type Contexts, workingFolder } from './context.ts';
import { loadInputs } from './environments.ts';
import { fail, failOn, orFail, refuse } from './exit-code.ts';
import { readStateOf, stateStore, surroundingsOf } from './state.ts';

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
  const state = orFail(await context.timed('state', () => readStateOf(inputs.environment, context)));
  await noteRunUnderWay(inputs.environment, context);
  const plan = await preparePlan(context, inputs, state, planOptionsOf(options));
  return { inputs, state, plan, explained: explainPlan(plan, context.flags) };
}

/** What a run has not recorded yet is not in the plan. A lock that can't be read is apply's to refuse. */
async function noteRunUnderWay(environment: Environment, context: CommandContext): Promise<void> {
  const lock = await stateStore(environment, context).lock.inspect();
  if (!lock.ok || lock.value.kind === 'free' || lock.value.standing === 'gone') return;
  context.note(renderRunUnderWay(environment.name, lock.value.owner));
}

/** Makes a plan of what was loaded, after the checks that come before one. */
export async function preparePlan(
  context: CommandContext,
  inputs: Inputs,
  state: State | undefined,
  planOptions: PlanOptions,
): Promise<Plan> {
  const unknown = unknownAddresses(planOptions, inputs.catalog, state);
  failOn(unknown);
  const surroundings = await surroundingsOf(inputs.environment, context);
  return context.timed('plan', async () => makePlan({ ...inputs, state, surroundings, ...planOptions }));
}

export function refusalsOf(
  plan: ExplainedPlan,
  options: { readonly newEnvironment?: boolean },
): readonly ExplainedDiagnostic[] {
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
  /** Of no meaning to the plan, only to its text. */
  readonly all?: boolean;
}

/** Not checked yet: `unknownAddresses` complains about what is no address. */
export function planOptionsOf(flags: PlanFlags): PlanOptions {
  const { target, replace, reassert, confirmNew, recover } = { ...noFlags, ...flags };
  const addresses = (words: readonly string[]) => words as readonly Address[];
  const selection = (words: readonly string[] | true) => (words === true ? 'all' : addresses(words));
  return {
    targets: addresses(target),
    replace: addresses(replace),
    reassert: selection(reassert),
    confirmNew: selection(confirmNew),
    recover,
  };
}

const noFlags = { target: [], replace: [], reassert: [], confirmNew: [], recover: false };

/** What a saved plan was made with. A recovery that is only continued excuses no older state. */
export function optionsOfPlan(plan: Plan): PlanOptions {
  const { targets, replace, reassert, confirmNew } = { ...noOptions, ...plan };
  return { targets, replace, reassert, confirmNew, recover: plan.recover === true };
}

/**
 * The plans of a file, which name their environments. To carry out more than `-e` names would be a surprise, and so
 * would be less than the whole file; what a variable names is only a default.
 */
export async function planFileFor(
  contexts: Contexts,
  planFile: string,
  options: PlanFlags,
): Promise<readonly SavedPlan[]> {
  const [context] = contexts;
  if (!equal(planOptionsOf(options), noOptions)) refuse('target-with-plan', {}, { subject: planFile });
  const text = await readTextFile(planFile, context);
  const saved = orFail(parseSavedPlans(text, planFile));
  if (!context.isNamed) return saved;
  const planned = saved.map(({ plan }) => plan.environment).sort();
  const named = contexts.map(({ environmentName }) => environmentName).sort();
  if (planned.join() === named.join()) return saved;
  const values = { planned, named, file: planFile, catalog: context.catalogFolder };
  return refuse('other-environment', { ...values, begins: saved.some(beginsState) }, { subject: planFile });
}

/** The whole text of a file that should contain plans or events. */
export async function readTextFile(path: string, { io, flags }: CommandContext): Promise<string> {
  const read = await readText(resolve(io.cwd, path), path, workingFolder(io), MAX_WRITTEN_BYTES);
  return read.ok ? read.source.text : fail(explainPlanFile([read.problem], flags));
}

/** Names the command that carries the plans out, where it would do anything. */
export function noteSaved(context: CommandContext, file: string, saved: readonly SavedPlan[]): void {
  const command = applyCommand(file, context.catalogFolder, saved.some(beginsState));
  context.note(savedText(saved.some(appliesAnything) ? command : undefined));
}

function appliesAnything({ plan: { changes, moved, protections } }: SavedPlan): boolean {
  const acts = changes.some(({ action, requests }) => action === 'retire' || requests.length > 0);
  return acts || moved.length + protections.length > 0;
}

function beginsState({ plan }: SavedPlan): boolean {
  return plan.guards.some(({ override }) => override === '--new-environment');
}
