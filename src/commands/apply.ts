import type { ChangeResult } from '../apply/model.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import type { SavedPlan } from '../plan/saved-plan.ts';
import { renderApplyJson, renderApplyText } from '../render/apply-text.ts';
import { renderPlanText } from '../render/plan-text.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { agree } from './applying/agree.ts';
import { applyCommand } from './applying/apply-command.ts';
import {
  type AppliedPlan,
  type ApplyEnvironmentOptions,
  applyEnvironment,
  sends,
} from './applying/apply-environment.ts';
import { ApplyEvents } from './applying/apply-events.ts';
import { applySeveral } from './applying/apply-several.ts';
import { type CommandContext, contextFor } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { planFileFor } from './planning/plan-file-for.ts';

export interface ApplyOptions extends ApplyEnvironmentOptions {
  readonly yes?: boolean;
  readonly format: 'text' | 'json' | 'ndjson';
}

/** `trove apply`: makes the environment as the catalog declares it. */
export function apply(
  context: CommandContext,
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  return planFile === undefined
    ? applyOne(context, undefined, options)
    : applyFile([context], planFile, options);
}

/** `trove apply PLANFILE`: exactly what was saved, in the environments that the file names. */
async function applyFile(
  contexts: readonly [CommandContext, ...CommandContext[]],
  planFile: string,
  options: ApplyOptions,
): Promise<ExitCode> {
  const [context] = contexts;
  const file = await planFileFor(contexts, planFile, options);
  if (!file.ok) return refuse(contexts, file.diagnostics, options);
  const own = { ...options, beginning: applyCommand(planFile, context, true) };
  const [saved, ...others] = file.value;
  if (saved === undefined || others.length > 0) return applySeveral(contexts, file.value, own);
  return applyOne(contextFor(saved.plan.environment, context), saved, own);
}

function applyOne(
  context: CommandContext,
  saved: SavedPlan | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  if (options.format === 'ndjson') return applyTelling(context, saved, options);
  return applyEnvironment(context, saved, options, {
    planned(plan) {
      if (options.format === 'text') context.print(renderPlanText(plan, context.color.stdout));
    },
    agree: (plan) => ask(context, plan, saved, options),
    applied: (outcome) => tell(context, outcome, options),
  });
}

/** A saved plan was agreed to already. */
async function ask(
  context: CommandContext,
  plan: Plan,
  saved: SavedPlan | undefined,
  options: ApplyOptions,
): Promise<ExitCode | undefined> {
  return saved !== undefined || !sends(plan) ? undefined : agree(context, options);
}

/** Tells events instead of a plan and a report. */
async function applyTelling(
  context: CommandContext,
  saved: SavedPlan | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  const problems: Diagnostic[] = [];
  const complain = (found: readonly Diagnostic[]) => {
    problems.push(...found);
    context.complain(found);
  };
  const events = new ApplyEvents(context, context.environmentName);
  const own = { ...context, complain };
  const exit = await applyEnvironment(own, saved, options, {
    planned: (plan, inputs) => events.planned(plan, inputs),
    event: (event) => events.event(event),
    agree: (plan) => ask(own, plan, saved, options),
    applied: (outcome) => events.applied(outcome),
  });
  events.finished(exit, problems);
  return exit;
}

/** `trove apply` with several environments. */
export async function applyToSeveral(
  contexts: readonly CommandContext[],
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  const [context, ...others] = contexts;
  if (context === undefined) throw new Error('There is always an environment.');
  if (planFile !== undefined) return applyFile([context, ...others], planFile, options);
  if (options.passwordStdin) return refuse(contexts, [onePassword()], options);
  return applySeveral(contexts, [], options);
}

function onePassword(): Diagnostic {
  const hint = 'set the variables that each environment names for its credentials';
  return error('one-password', 'one password is not that of several environments', { hint });
}

function tell(context: CommandContext, outcome: AppliedPlan, { format }: ApplyOptions): void {
  const { report, saved, plan, inputs } = outcome;
  const reader = { credentials: inputs.environment.credentials, flags: context.flags, askedFor: plan };
  if (format === 'json') context.print(renderApplyJson(report, saved.ok ? saved.value : undefined));
  else if (plan.changes.length + plan.moved.length + plan.protections.length > 0)
    context.print(`\n${renderApplyText(report, context.color.stdout, reader)}`);
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
  return ['failed', 'unknown', 'waiting', 'not-started'].includes(result);
}

/** Before anything began; a stream of events has its end all the same. */
function refuse(
  contexts: readonly CommandContext[],
  problems: readonly Diagnostic[],
  { format }: ApplyOptions,
): ExitCode {
  contexts[0]?.complain(problems);
  if (format !== 'ndjson') return exitCode.error;
  for (const context of contexts)
    new ApplyEvents(context, context.environmentName).finished(exitCode.error, problems);
  return exitCode.error;
}
