import { commandFlags } from '../environment/find.ts';
import { makePlan } from '../plan/make-plan.ts';
import {
  renderAppliedJson,
  renderAppliedText,
  renderApplyJson,
  renderApplyText,
} from '../render/apply-text.ts';
import type { ExplainedResult } from '../render/messages/explain-report.ts';
import { renderPlannedText, renderPlanText } from '../render/plan-text.ts';
import { interruptedText } from '../render/progress.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { plural } from '../text/pluralize.ts';
import { type ApplyOptions, Attempt, type Target } from './apply-attempt.ts';
import { ApplyEvents } from './apply-events.ts';
import type { AppliedPlan } from './carry-out.ts';
import { type CommandContext, type Contexts, contextFor } from './context.ts';
import { inParallel, named } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, fail, refuse, worstOf } from './exit-code.ts';
import { applyCommand, planFileFor } from './prepare-plan.ts';
import { askFirst } from './prompt.ts';

/** The environments of one run, and how it talks of all of them. */
interface Run {
  readonly context: CommandContext;
  readonly options: ApplyOptions;
  readonly attempts: readonly Attempt[];
  readonly isOne: boolean;
}

/**
 * `trove apply [PLANFILE]`: makes environments as the catalog declares them, or does exactly what was saved. All are
 * planned and shown, somebody is asked once, and each plan is carried out as it was shown. What goes wrong in one leaves
 * the others alone, but for a file of saved plans: nothing of it is sent before all of it can be.
 */
export async function apply(
  contexts: Contexts,
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  const targets = await targetsOf(contexts, planFile, options);
  const isOne = targets.length === 1;
  const attempts = targets.map((target) => new Attempt(target, options, isOne));
  const run: Run = { context: contexts[0], options, attempts, isOne };
  const removeListener = isOne ? () => {} : noteInterrupt(run.context);
  try {
    const refusal = await thrownBy(async () => {
      await inParallel(attempts, (attempt) => attempt.prepare());
      show(run);
      await (planFile === undefined ? confirmApply(run) : refusePartOfFile(attempts));
    });
    await inParallel(attempts, (attempt) => conclude(attempt, refusal, run));
    if (refusal !== undefined && !(refusal instanceof CommandFailure)) throw refusal;
    return report(run, planFile === undefined ? refusal : undefined);
  } finally {
    removeListener();
  }
}

/** The output of several environments is muted, so the notice is printed once, here. */
function noteInterrupt(context: CommandContext): () => void {
  return context.io.onInterrupt((isRepeated) => {
    if (!isRepeated) context.note(interruptedText);
  });
}

/** Locks are released first, whatever is thrown. */
async function thrownBy(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (cause) {
    return cause;
  }
}

function show({ context, options, attempts, isOne }: Run): void {
  if (options.format !== 'text') return;
  const { print, color } = context;
  const plans = attempts.flatMap(({ plan }) => plan ?? []);
  if (isOne) for (const plan of plans) print(renderPlanText(plan, color.stdout));
  else {
    const failed = attempts.filter(({ plan }) => !plan);
    print(renderPlannedText(plans, failed, color.stdout));
  }
}

function refusePartOfFile(attempts: readonly Attempt[]): void {
  const refused = attempts.filter(({ isReady }) => !isReady);
  if (refused.length === 0) return;
  const names = refused.map(({ environment }) => environment).join(', ');
  const message = `nothing was sent: the ${plural(refused.length, 'plan')} for ${names} in the same file can't be applied`;
  const hint = 'a file of saved plans is applied as a whole or not at all';
  refuse('file-refused', message, { hint }, worstOf(exitCodesOf(refused)));
}

async function confirmApply({ context, options, attempts, isOne }: Run): Promise<void> {
  const { yes, passwordStdin } = options;
  if (!attempts.some(({ sends }) => sends)) return;
  const everywhere = commandFlags({ catalog: context.catalogFolder, environment: 'local' });
  const names = attempts.map(({ environment }) => ` -e ${environment}`);
  const flags = isOne ? context.flags : `${everywhere}${names.join('')}`;
  const hint = `look at the plan, then: trove apply${flags} --yes, or trove plan${flags} --out FILE and trove apply FILE${everywhere}`;
  const asking = { question: 'Apply this?', otherwise: 'Nothing was sent.' };
  await askFirst(context, { ...asking, hint, yes, passwordStdin });
}

async function conclude(attempt: Attempt, refusal: unknown, { context, isOne }: Run): Promise<void> {
  await attempt.conclude(refusal);
  if (!isOne && attempt.isReady && refusal === undefined) context.note(attempt.endLine);
}

/** Reports what became of all environments; after `declined` nothing did. */
function report({ context, options, attempts, isOne }: Run, declined: unknown): ExitCode {
  const problemsOf = (all: readonly Attempt[]): readonly Diagnostic[] =>
    all.flatMap(({ environment, problems }) => (isOne ? problems : named(environment, problems)));
  if (declined instanceof CommandFailure) {
    const failed = attempts.filter(({ isReady }) => !isReady);
    fail([...declined.problems, ...problemsOf(failed)], declined.exitCode);
  }
  const { format } = options;
  const { print, color } = context;
  const all = attempts.map(({ applied }) => applied);
  if (isOne) for (const attempt of attempts) reportOne(context, attempt, format);
  else if (format !== 'ndjson')
    print(format === 'json' ? renderAppliedJson(all) : renderAppliedText(all, color.stdout));
  const problems = problemsOf(attempts);
  const exit = worstOf(exitCodesOf(attempts));
  return problems.length > 0 ? fail(problems, exit) : exit;
}

function exitCodesOf(attempts: readonly Attempt[]): readonly ExitCode[] {
  return attempts.map((attempt) => attempt.exitCode ?? exitCode.error);
}

function reportOne(
  context: CommandContext,
  { outcome, applied: { report, reader } }: Attempt,
  format: ApplyOptions['format'],
): void {
  if (!outcome || !report || !reader || format === 'ndjson') return;
  const { saved, plan } = outcome;
  if (format === 'json') context.print(renderApplyJson(report, saved.ok ? saved.value : undefined));
  else if (plan.changes.length + plan.moved.length + plan.protections.length > 0)
    context.print(`\n${renderApplyText(report, context.color.stdout, reader)}`);
  if (saved.ok && !report.halt) noteWhatFollows(context, outcome);
}

/**
 * An answer can show what nobody knew: of an imported record everything but its id. What did not go as planned is in
 * the report.
 */
function noteWhatFollows(context: CommandContext, { plan, inputs, report, saved }: AppliedPlan): void {
  if (!saved.ok) return;
  const open = new Set(report.results.filter(isOpen).map(({ address }) => address));
  const { targets = [], confirmNew = [] } = plan;
  const next = makePlan({ ...inputs, state: saved.value, targets, confirmNew });
  const count = next.changes.filter(
    ({ address, requests }) => requests.length > 0 && !open.has(address),
  ).length;
  if (count === 0) return;
  const what = count === 1 ? '1 more change follows' : `${count} more changes follow`;
  context.note(`${what} from what is known now: trove plan${context.flags}\n`);
}

function isOpen({ result }: ExplainedResult): boolean {
  return ['failed', 'unknown', 'waiting', 'not-started'].includes(result);
}

/** What fails before anything began ends a stream of events all the same. */
async function targetsOf(
  contexts: Contexts,
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<readonly Target[]> {
  try {
    const targets =
      planFile === undefined
        ? contexts.map((context) => ({ context }))
        : await savedTargets(contexts, planFile, options);
    if (targets.length > 1 && options.passwordStdin) {
      const hint = 'set the variables that each environment names for its credentials';
      refuse('one-password', 'one password is not that of several environments', { hint });
    }
    return targets;
  } catch (cause) {
    if (cause instanceof CommandFailure && options.format === 'ndjson')
      for (const context of contexts)
        new ApplyEvents(context, context.environmentName).finished(cause.exitCode, cause.problems);
    throw cause;
  }
}

async function savedTargets(
  contexts: Contexts,
  planFile: string,
  options: ApplyOptions,
): Promise<readonly Target[]> {
  const [context] = contexts;
  const file = await planFileFor(contexts, planFile, options);
  const beginning = applyCommand(planFile, context, true);
  return file.map((saved) => ({ context: contextFor(saved.plan.environment, context), saved, beginning }));
}
