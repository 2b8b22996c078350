import { distribution } from '../plan/distribution.ts';
import type { Plan } from '../plan/model.ts';
import { formatSavedPlans, savePlan } from '../plan/saved-plan.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { parseOutputs, writeOutputs, writeTextFile } from './output/outputs.ts';
import { repositoryPath } from './output/repository-path.ts';
import { noteSaved } from './planning/note-saved.ts';
import { type PlanOptions, planExitCode } from './planning/plan-exit-code.ts';
import { planFormats, tellsFailure } from './planning/plan-formats.ts';
import { objectionsTo, planFromFiles } from './planning/plan-from-files.ts';

/** `trove plan`: what apply would do, from files alone. */
export async function plan(context: CommandContext, options: PlanOptions): Promise<ExitCode> {
  const outputs = parseOutputs(options.format, planFormats, options.out);
  if (!outputs.ok) return refuse(context, outputs.diagnostics);
  const made = await planFromFiles(context, options);
  const { environmentName, io } = context;
  const document = {
    plans: made.ok ? [made.value.plan] : [],
    failed: made.ok ? [] : [{ environment: environmentName, problems: made.diagnostics }],
    repositoryPath: repositoryPath(io),
    countsOf: (each: Plan) =>
      made.ok ? distribution(each, made.value.inputs.catalog, made.value.state) : undefined,
  };
  const telling = made.ok ? outputs.value : outputs.value.filter(tellsFailure);
  const written = await writeOutputs(telling, planFormats, document, context);
  const problems = [
    ...(written.ok ? [] : written.diagnostics),
    ...(made.ok ? objectionsTo(made.value.plan) : made.diagnostics),
  ];
  if (!made.ok || problems.length > 0) return refuse(context, problems);
  const { plan, inputs } = made.value;
  if (options.out !== undefined) {
    const saved = formatSavedPlans([savePlan(plan, inputs.environment, version)]);
    const kept = await writeTextFile(options.out, saved, context);
    if (!kept.ok) return refuse(context, kept.diagnostics);
    noteSaved(context, options.out, [plan]);
  }
  return planExitCode(plan, options.detailedExitcode ?? false);
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
