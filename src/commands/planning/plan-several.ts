import { type Distribution, distribution } from '../../plan/distribution.ts';
import type { Plan } from '../../plan/model.ts';
import { formatSavedPlans, savePlan } from '../../plan/saved-plan.ts';
import type { AppliedEnvironment } from '../../render/model.ts';
import { version } from '../../version.ts';
import type { CommandContext } from '../invocation/context.ts';
import { collecting, inParallel, worstOf } from '../invocation/each-environment.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { parseOutputs, writeOutputs, writeTextFile } from '../output/outputs.ts';
import { repositoryPath } from '../output/repository-path.ts';
import { noteSaved } from './note-saved.ts';
import { type PlanOptions, planExitCode } from './plan-exit-code.ts';
import { planFormats } from './plan-formats.ts';
import { type Made, objectionsTo, planFromFiles } from './plan-from-files.ts';
import type { WishOptions } from './wishes.ts';

export type MadeOrFailed =
  | ({ readonly ok: true } & Pick<Made, 'plan' | 'inputs' | 'state'>)
  | { readonly ok: false; readonly failed: AppliedEnvironment };

/** `trove plan` for several environments: one table, one exit code, and one file for all plans. */
export async function planSeveral(
  contexts: readonly CommandContext[],
  options: PlanOptions,
): Promise<ExitCode> {
  const [context] = contexts;
  if (context === undefined) throw new Error('There is always an environment.');
  const outputs = parseOutputs(options.format, planFormats, options.out);
  if (!outputs.ok) return complain(context, outputs.diagnostics);
  const made = await planSeveralFromFiles(contexts, options);
  const plans = made.flatMap((each) => (each.ok ? [each] : []));
  const failed = made.flatMap((each) => (each.ok ? [] : [each.failed]));
  const shown = plans.map(({ plan }) => plan);
  const document = {
    plans: shown,
    failed,
    repositoryPath: repositoryPath(context.io),
    countsOf: (plan: Plan) => countsOf(plan, plans),
  };
  const written = await writeOutputs(outputs.value, planFormats, document, context);
  for (const { problems } of failed) context.complain(problems);
  const objections = shown.flatMap(objectionsTo);
  context.complain(objections);
  if (!written.ok) return complain(context, written.diagnostics);
  if (failed.length + objections.length > 0) return exitCode.error;
  if (options.out !== undefined) {
    const saved = plans.map(({ plan, inputs }) => savePlan(plan, inputs.environment, version));
    const kept = await writeTextFile(options.out, formatSavedPlans(saved), context);
    if (!kept.ok) return complain(context, kept.diagnostics);
    noteSaved(context, options.out, shown);
  }
  return worstOf(shown.map((plan) => planExitCode(plan, options.detailedExitcode ?? false)));
}

function countsOf(
  plan: Plan,
  made: readonly Pick<Made, 'plan' | 'inputs' | 'state'>[],
): Distribution | undefined {
  const found = made.find((each) => each.plan === plan);
  return found && distribution(plan, found.inputs.catalog, found.state);
}

/** Every plan that could be made, and why the others could not, in the order of the environments. */
export function planSeveralFromFiles(
  contexts: readonly CommandContext[],
  options: WishOptions,
): Promise<readonly MadeOrFailed[]> {
  return inParallel(contexts, async (context): Promise<MadeOrFailed> => {
    const own = collecting(context);
    const made = await planFromFiles(own.context, options);
    if (made.ok) return { ok: true, ...made.value };
    own.context.complain(made.diagnostics);
    return {
      ok: false,
      failed: { environment: context.environmentName, exitCode: exitCode.error, problems: own.problems() },
    };
  });
}

function complain(context: CommandContext, problems: Parameters<CommandContext['complain']>[0]): ExitCode {
  context.complain(problems);
  return exitCode.error;
}
