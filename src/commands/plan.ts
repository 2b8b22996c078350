import { distribution } from '../plan/distribution.ts';
import type { Plan } from '../plan/model.ts';
import { formatSavedPlans, savePlan } from '../plan/saved-plan.ts';
import type { ExplainedPlan } from '../render/messages/explain-plan.ts';
import { explainProblems } from '../render/messages/explain-problem.ts';
import type { FailedEnvironment } from '../render/model.ts';
import { version } from '../version.ts';
import type { CommandContext, Contexts } from './context.ts';
import { inParallel, named } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, failOn, worstOf } from './exit-code.ts';
import { commitOf } from './git.ts';
import { parseOutputs, repositoryPath, writeOutputs, writeTextFile } from './outputs.ts';
import { planFormats, showsFailure } from './plan-formats.ts';
import { noteSaved, type PlanFlags, type PreparedPlan, planFromFiles, refusalsOf } from './prepare-plan.ts';

interface PlanCommandOptions extends PlanFlags {
  readonly format?: readonly string[];
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** `trove plan`: what apply would do, from files alone. One document, exit code and file for all environments. */
export async function plan(contexts: Contexts, options: PlanCommandOptions): Promise<ExitCode> {
  const [context, ...others] = contexts;
  const outputs = parseOutputs(options.format, planFormats, options.out);
  const { made, failed } = await planAll(contexts, options);
  const plans = made.map(({ explained }) => explained);
  const hasPage = outputs.some(({ format }) => format === 'html');
  const document = {
    plans,
    failed,
    isWhole: options.all ?? false,
    repositoryPath: repositoryPath(context.io),
    countsOf: (plan: ExplainedPlan) => {
      const found = made.find(({ explained }) => explained === plan);
      return found && distribution(plan, found.inputs.catalog, found.state);
    },
    made: hasPage ? { at: context.io.now(), commit: await commitOf(context) } : undefined,
  };
  const isNothing = others.length === 0 && failed.length > 0;
  const shown = isNothing ? outputs.filter(showsFailure) : outputs;
  const written = await writeOutputs(shown, planFormats, document, context);
  const problems = [
    ...failed.flatMap((each) => each.problems),
    // That an environment is new is said to apply, and not to plan.
    ...plans.flatMap((each) => refusalsOf(each, { newEnvironment: true })),
    ...written,
  ];
  failOn(problems);
  if (options.out !== undefined) await save(options.out, made, context);
  return worstOf(plans.map((each) => planExitCode(each, options.detailedExitcode ?? false)));
}

/** Every plan that could be made, and why the others could not, in the order of the environments. */
async function planAll(contexts: Contexts, options: PlanFlags) {
  const made: PreparedPlan[] = [];
  const failed: FailedEnvironment[] = [];
  const isOne = contexts.length === 1;
  const all = await inParallel(contexts, (context) =>
    planFromFiles(context, options).catch((cause) => {
      if (!(cause instanceof CommandFailure)) throw cause;
      const { environmentName: environment } = context;
      const problems = explainProblems(cause.problems, context.flags);
      return { environment, problems: isOne ? problems : named(environment, problems) };
    }),
  );
  for (const each of all) 'plan' in each ? made.push(each) : failed.push(each);
  return { made, failed };
}

async function save(file: string, made: readonly PreparedPlan[], context: CommandContext): Promise<void> {
  const saved = made.map(({ plan, inputs }) => savePlan(plan, inputs.environment, version));
  failOn(await writeTextFile(file, formatSavedPlans(saved), context));
  noteSaved(context, file, saved);
}

/** What needs a person outranks what apply can do on its own. */
export function planExitCode({ summary, changes, moved, protections }: Plan, detailed: boolean): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  if (summary.blocked + summary.waiting > 0) return exitCode.blocked;
  const pending =
    moved.length + protections.length > 0 || changes.some(({ action }) => action !== 'unchanged');
  return detailed && pending ? exitCode.changes : exitCode.done;
}
