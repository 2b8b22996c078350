import type { Inputs } from '../environment/join-inputs.ts';
import { exceededLimits } from '../plan/limits.ts';
import { makePlan, targetOf } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import { formatSavedPlan, savePlan } from '../plan/saved-plan.ts';
import { strangeState } from '../plan/strange-state.ts';
import { unknownAddresses } from '../plan/targets.ts';
import { escapeTerminal } from '../render/escape.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { assertTarget } from '../state/assert-target.ts';
import { createFileStore } from '../state/file/store.ts';
import { readRecorded } from '../state/read-recorded.ts';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { loadInputs } from './inputs.ts';
import { parseOutputs, writeOutputs, writeTextFile } from './outputs.ts';
import { type WishOptions, wishesOf } from './wishes.ts';

export interface PlanOptions extends WishOptions {
  readonly format?: readonly string[];
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** `trove plan`: what apply would do, from files alone. */
export async function plan(context: CommandContext, options: PlanOptions): Promise<ExitCode> {
  const outputs = parseOutputs(options.format);
  const made = outputs.ok ? await planFromFiles(context, options) : outputs;
  if (!outputs.ok || !made.ok) return refuse(context, made.ok ? [] : made.diagnostics);
  const { plan, inputs } = made.value;
  const { environment } = inputs;
  const render = {
    text: (color: boolean) => renderPlanText(plan, color),
    json: () => `${JSON.stringify(plan, null, 2)}\n`,
  };
  const written = await writeOutputs(outputs.value, render, context);
  const problems = [...(written.ok ? [] : written.diagnostics), ...made.value.objections];
  if (problems.length > 0) return refuse(context, problems);
  if (options.out !== undefined) {
    const saved = formatSavedPlan(savePlan(plan, environment, version));
    const kept = await writeTextFile(options.out, saved, context);
    if (!kept.ok) return refuse(context, kept.diagnostics);
    const first =
      plan.state.lineage === null && environment.service.kind !== 'embedded' ? ' --new-environment' : '';
    const command = `trove apply ${options.out}${context.flags}${first}`;
    context.note(`Saved. To do exactly this: ${escapeTerminal(command)}\n`);
  }
  return planExitCode(plan, options.detailedExitcode ?? false);
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}

async function planFromFiles(context: CommandContext, options: PlanOptions): Promise<Result<Made>> {
  const inputs = await loadInputs(context);
  if (!inputs.ok) return inputs;
  const { catalog, environment } = inputs.value;
  const recorded = await readRecorded(createFileStore({ path: environment.state.path }));
  if (!recorded.ok) return recorded;
  const state = recorded.value?.state;
  const foreign = state && assertTarget(state, targetOf(environment));
  if (foreign) return failure(foreign);
  const wishes = wishesOf(options);
  const unknown = unknownAddresses(wishes, catalog, state);
  if (unknown.length > 0) return failure(...unknown);
  const plan = makePlan({ catalog, environment, state, ...wishes });
  const objections = [...exceededLimits(plan, environment), ...strangeState(catalog, state, wishes)];
  return success({ plan, inputs: inputs.value, objections });
}

interface Made {
  readonly plan: Plan;
  readonly inputs: Inputs;
  /** Why apply would refuse the plan, which is worth a look all the same. */
  readonly objections: readonly Diagnostic[];
}

/** What needs a person outranks what apply can do by itself. */
function planExitCode({ summary, changes, moved, protections }: Plan, detailed: boolean): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  if (summary.blocked > 0) return exitCode.blocked;
  const pending =
    moved.length + protections.length > 0 || changes.some(({ action }) => action !== 'unchanged');
  return detailed && pending ? exitCode.changes : exitCode.done;
}
