import type { ChangeResult } from '../apply/model.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import type { SavedPlan } from '../plan/saved-plan.ts';
import { renderApplyJson, renderApplyText } from '../render/apply-text.ts';
import { renderPlanText } from '../render/plan-text.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { agree } from './agree.ts';
import {
  type AppliedPlan,
  type ApplyEnvironmentOptions,
  type ApplyTalk,
  applyEnvironment,
  sends,
} from './apply-environment.ts';
import { ApplyEvents } from './apply-events.ts';
import { applySeveral } from './apply-several.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { readPlanFile } from './read-plan-file.ts';
import { hasWishes } from './wishes.ts';

export interface ApplyOptions extends ApplyEnvironmentOptions {
  readonly yes?: boolean;
  readonly format: 'text' | 'json' | 'ndjson';
}

/** `trove apply [PLANFILE]`: makes the environment as the catalog declares it. */
export async function apply(
  context: CommandContext,
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  if (planFile !== undefined && hasWishes(options)) return refuse(context, [wishesAreSaved(planFile)]);
  const file = planFile === undefined ? undefined : await readPlanFile(planFile, context);
  if (file && !file.ok) return refuse(context, file.diagnostics);
  const plans = file?.value ?? [];
  if (plans.length > 1) return applySeveral([context], plans, options);
  const ask = async (plan: Plan) => (plans.length > 0 || !sends(plan) ? undefined : agree(context, options));
  if (options.format === 'ndjson') return applyTelling(context, plans[0], options, ask);
  return applyEnvironment(context, plans[0], options, {
    planned(plan) {
      if (options.format === 'text') context.print(renderPlanText(plan, context.color.stdout));
    },
    agree: ask,
    applied: (outcome) => tell(context, outcome, options),
  });
}

/** Tells events instead of a plan and a report. */
async function applyTelling(
  context: CommandContext,
  saved: SavedPlan | undefined,
  options: ApplyOptions,
  ask: ApplyTalk['agree'],
): Promise<ExitCode> {
  const problems: Diagnostic[] = [];
  const complain = (found: readonly Diagnostic[]) => {
    problems.push(...found);
    context.complain(found);
  };
  const events = new ApplyEvents(context, saved?.plan.environment ?? context.environmentName);
  const exit = await applyEnvironment({ ...context, complain }, saved, options, {
    planned: (plan, inputs) => events.planned(plan, inputs),
    event: (event) => events.event(event),
    agree: (plan) => ask(plan),
    applied: (outcome) => events.applied(outcome),
  });
  events.finished(exit, problems);
  return exit;
}

/** `trove apply` with several environments. A file of plans names its environments itself. */
export async function applyToSeveral(
  contexts: readonly CommandContext[],
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  const [context] = contexts;
  if (context === undefined) throw new Error('There is always an environment.');
  if (planFile !== undefined) return refuse(context, [plansNameThem(planFile)]);
  if (options.passwordStdin) return refuse(context, [onePassword()]);
  return applySeveral(contexts, [], options);
}

function plansNameThem(planFile: string): Diagnostic {
  const hint = `leave out -e: trove apply ${planFile}`;
  return error('environments-with-plan', 'a file of saved plans names its environments itself', { hint });
}

function onePassword(): Diagnostic {
  const hint = 'set the variables that each environment names for its credentials';
  return error('one-password', 'one password is not that of several environments', { hint });
}

function tell(context: CommandContext, outcome: AppliedPlan, { format }: ApplyOptions): void {
  const { report, saved, plan, inputs } = outcome;
  const reader = { credentials: inputs.environment.credentials, flags: context.flags };
  if (format === 'json') context.print(renderApplyJson(report, saved.ok ? saved.value : undefined));
  else if (plan.changes.length > 0)
    context.print(`\n${renderApplyText(report, context.color.stdout, reader)}`);
  else if (saved.ok && plan.moved.length + plan.protections.length > 0)
    context.print(`\nRecorded for ${inputs.environment.name}. Nothing was sent.\n`);
  if (saved.ok && !report.halt) tellWhatFollows(context, outcome, saved.value);
}

/**
 * An answer can show what nobody knew: of an imported record everything but its id. What did not go as planned is in
 * the report.
 */
function tellWhatFollows(context: CommandContext, { plan, inputs, report }: AppliedPlan, state: State): void {
  const open = new Set(report.results.filter(isOpen).map(({ address }) => address));
  const { targets = [], confirmNew = [] } = plan;
  const next = makePlan({ ...inputs, state, targets, confirmNew });
  const count = next.changes.filter(
    ({ address, requests }) => requests.length > 0 && !open.has(address),
  ).length;
  if (count === 0) return;
  const what = count === 1 ? '1 more change follows' : `${count} more changes follow`;
  context.note(`${what} from what is known now: trove plan${context.flags}\n`);
}

function isOpen({ result }: ChangeResult): boolean {
  return result === 'failed' || result === 'unknown' || result === 'not-started';
}

function wishesAreSaved(planFile: string): Diagnostic {
  const hint = 'give --target and its like to trove plan --out instead';
  return error('target-with-plan', 'a saved plan is carried out whole', { subject: planFile, hint });
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
