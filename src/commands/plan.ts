import { distribution } from '../plan/distribution.ts';
import type { Plan } from '../plan/model.ts';
import { formatSavedPlans, savePlan } from '../plan/saved-plan.ts';
import { escapeTerminal } from '../render/escape.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import { applyCommand } from './apply-command.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { parseOutputs, writeOutputs, writeTextFile } from './outputs.ts';
import { planFormats, tellsFailure } from './plan-formats.ts';
import { planFromFiles } from './plan-from-files.ts';
import { repositoryPath } from './repository-path.ts';
import type { WishOptions } from './wishes.ts';

export interface PlanOptions extends WishOptions {
  readonly format?: readonly string[];
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** `trove plan`: what apply would do, from files alone. */
export async function plan(context: CommandContext, options: PlanOptions): Promise<ExitCode> {
  const outputs = parseOutputs(options.format, planFormats, options.out);
  if (!outputs.ok) return refuse(context, outputs.diagnostics);
  const made = await planFromFiles(context, options);
  const { environmentName, io } = context;
  const document = {
    plans: made.ok ? [made.value.plan] : [],
    failed: made.ok ? [] : [{ environment: environmentName, problems: made.diagnostics }],
    objections: made.ok ? made.value.objections : [],
    repositoryPath: repositoryPath(io),
    countsOf: (each: Plan) =>
      made.ok ? distribution(each, made.value.inputs.catalog, made.value.state) : undefined,
  };
  const telling = made.ok ? outputs.value : outputs.value.filter(tellsFailure);
  const written = await writeOutputs(telling, planFormats, document, context);
  const problems = [...(written.ok ? [] : written.diagnostics), ...(made.ok ? made.value.objections : [])];
  if (!made.ok) return refuse(context, [...problems, ...made.diagnostics]);
  if (problems.length > 0) return refuse(context, problems);
  const { plan, inputs } = made.value;
  if (options.out !== undefined) {
    const saved = formatSavedPlans([savePlan(plan, inputs.environment, version)]);
    const kept = await writeTextFile(options.out, saved, context);
    if (!kept.ok) return refuse(context, kept.diagnostics);
    noteSaved(context, options.out, [plan]);
  }
  return planExitCode(plan, options.detailedExitcode ?? false);
}

/** Names the command that carries the plans out, where it would do anything. */
export function noteSaved(context: CommandContext, file: string, plans: readonly Plan[]): void {
  const names = plans.map(({ environment }) => environment);
  const command = applyCommand(file, context, names, plans.some(beginsState));
  const next = plans.some(appliesAnything)
    ? `To do exactly this: ${escapeTerminal(command)}`
    : 'There is nothing in it to apply.';
  context.note(`Saved. ${next}\n`);
}

function appliesAnything({ changes, moved, protections }: Plan): boolean {
  const acts = changes.some(({ action, requests }) => action === 'retire' || requests.length > 0);
  return acts || moved.length + protections.length > 0;
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}

/** Whether apply wants to be told that the environment is new. */
export function beginsState({ state, target, recover, changes }: Plan): boolean {
  const begins = state.lineage === null && target.baseUrl !== 'embedded' && !recover;
  const mayDouble = state.begunBy !== undefined && changes.some(({ action }) => action === 'create');
  return begins || mayDouble;
}

/** What needs a person outranks what apply can do by itself. */
export function planExitCode({ summary, changes, moved, protections }: Plan, detailed: boolean): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  if (summary.blocked > 0) return exitCode.blocked;
  const pending =
    moved.length + protections.length > 0 || changes.some(({ action }) => action !== 'unchanged');
  return detailed && pending ? exitCode.changes : exitCode.done;
}
