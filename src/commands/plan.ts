import type { Plan } from '../plan/model.ts';
import { formatSavedPlans, savePlan } from '../plan/saved-plan.ts';
import { escapeTerminal } from '../render/escape.ts';
import { renderJson } from '../render/json.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { renderReviewPage } from '../render/review/review-page.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { quotedForShell } from '../text/quoted-for-shell.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { parseOutputs, writeOutputs, writeTextFile } from './outputs.ts';
import { planFromFiles } from './plan-from-files.ts';
import { reviewOf } from './review-of.ts';
import type { WishOptions } from './wishes.ts';

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
    json: () => renderJson(plan),
    html: () => renderReviewPage([reviewOf(made.value)]),
  };
  const written = await writeOutputs(outputs.value, render, context);
  const problems = [...(written.ok ? [] : written.diagnostics), ...made.value.objections];
  if (problems.length > 0) return refuse(context, problems);
  if (options.out !== undefined) {
    const saved = formatSavedPlans([savePlan(plan, environment, version)]);
    const kept = await writeTextFile(options.out, saved, context);
    if (!kept.ok) return refuse(context, kept.diagnostics);
    const begins = plan.state.lineage === null && environment.service.kind !== 'embedded' && !plan.recover;
    const first = begins ? ' --new-environment' : '';
    const command = `trove apply ${quotedForShell(options.out)}${context.flags}${first}`;
    context.note(`Saved. To do exactly this: ${escapeTerminal(command)}\n`);
  }
  return planExitCode(plan, options.detailedExitcode ?? false);
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}

/** What needs a person outranks what apply can do by itself. */
export function planExitCode({ summary, changes, moved, protections }: Plan, detailed: boolean): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  if (summary.blocked > 0) return exitCode.blocked;
  const pending =
    moved.length + protections.length > 0 || changes.some(({ action }) => action !== 'unchanged');
  return detailed && pending ? exitCode.changes : exitCode.done;
}
