import type { Address } from '../catalog/model.ts';
import { exceededLimits } from '../plan/limits.ts';
import { makePlan, targetOf } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import { formatSavedPlan, savePlan } from '../plan/saved-plan.ts';
import { unknownTargets } from '../plan/targets.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { assertTarget } from '../state/assert-target.ts';
import { createFileStore } from '../state/file/store.ts';
import { readRecorded } from '../state/read-recorded.ts';
import { failure, type Result, success } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { type Inputs, loadInputs } from './inputs.ts';
import { parseOutputs, writeOutputs, writeTextFile } from './outputs.ts';

export interface PlanOptions {
  readonly format: readonly string[];
  readonly out?: string;
  readonly target: readonly string[];
  readonly detailedExitcode?: boolean;
}

/** `trove plan`: what apply would do, from files alone. */
export async function plan(context: CommandContext, options: PlanOptions): Promise<ExitCode> {
  const outputs = parseOutputs(options.format);
  const made = outputs.ok ? await planFromFiles(context, options) : outputs;
  if (!outputs.ok || !made.ok) {
    context.complain(made.ok ? [] : made.diagnostics);
    return exitCode.error;
  }
  const { plan, inputs } = made.value;
  const { environment } = inputs;
  const render = {
    text: (color: boolean) => renderPlanText(plan, color),
    json: () => `${JSON.stringify(plan, null, 2)}\n`,
  };
  const written = await writeOutputs(outputs.value, render, context);
  const saved =
    written.ok && options.out !== undefined
      ? await writeTextFile(options.out, formatSavedPlan(savePlan(plan, environment, version)), context)
      : written;
  const exceeded = exceededLimits(plan, environment);
  context.complain([...(saved.ok ? [] : saved.diagnostics), ...exceeded]);
  if (!saved.ok || exceeded.length > 0) return exitCode.error;
  if (options.out !== undefined)
    context.note(
      `Saved. To do exactly this: trove apply ${options.out}${environmentFlag(environment.name)}\n`,
    );
  return planExitCode(plan, options.detailedExitcode ?? false);
}

function environmentFlag(name: string): string {
  return name === 'local' ? '' : ` -e ${name}`;
}

async function planFromFiles(
  context: CommandContext,
  { target }: PlanOptions,
): Promise<Result<{ readonly plan: Plan; readonly inputs: Inputs }>> {
  const inputs = await loadInputs(context);
  if (!inputs.ok) return inputs;
  const { catalog, environment } = inputs.value;
  const recorded = await readRecorded(createFileStore({ path: environment.state.path }));
  if (!recorded.ok) return recorded;
  const state = recorded.value?.state;
  const foreign = state && assertTarget(state, targetOf(environment));
  if (foreign) return failure(foreign);
  const targets = target as readonly Address[];
  const unknown = unknownTargets(targets, catalog, state);
  if (unknown.length > 0) return failure(...unknown);
  return success({ plan: makePlan({ catalog, environment, state, targets }), inputs: inputs.value });
}

/** What needs a person outranks what apply can do by itself. */
function planExitCode({ summary, changes }: Plan, detailed: boolean): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  if (summary.blocked > 0) return exitCode.blocked;
  const pending = changes.some(({ action }) => action !== 'unchanged');
  return detailed && pending ? exitCode.changes : exitCode.done;
}
