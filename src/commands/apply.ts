import type { ResultKind } from '../apply/model.ts';
import type { Address } from '../catalog/model.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Change } from '../plan/model.ts';
import {
  askToApply,
  endedText,
  followingText,
  renderAppliedJson,
  renderAppliedText,
  renderApplyJson,
  renderApplyText,
} from '../render/apply-text.ts';
import { applyCommand } from '../render/messages/plan-problems.ts';
import { renderPlannedText, renderPlanText } from '../render/plan-text.ts';
import { interruptedText } from '../render/terminal.ts';
import type { State } from '../state/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { type ApplyOptions, Attempt, type Target } from './apply-attempt.ts';
import { type AppliedPlan, ApplyEvents } from './apply-events.ts';
import { type CommandContext, type Contexts, contextFor } from './context.ts';
import { inParallel, named } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, fail, refuse, worstOf } from './exit-code.ts';
import { planFileFor, planOptionsOf } from './prepare-plan.ts';
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
 * planned and shown, one question is asked, and each plan is carried out as it was shown. What goes wrong in one leaves
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
  // The output of several environments is muted, so the notice is printed once, here.
  const note = (isRepeated: boolean) => {
    if (!isRepeated) run.context.note(interruptedText);
    return undefined;
  };
  const removeListener = isOne ? () => {} : run.context.io.onInterrupt(note);
  try {
    const refusal = await thrownBy(async () => {
      await inParallel(attempts, (attempt) => attempt.prepare());
      show(run);
      await (planFile === undefined ? confirmApply(run) : refusePartOfFile(attempts));
      let { env } = run.context.io;
      for (const attempt of attempts) env = await attempt.authenticate(env);
      if (planFile === undefined || isOne) return;
      await inParallel(attempts, (attempt) => attempt.verify());
      refusePartOfFile(attempts);
    });
    await inParallel(attempts, (attempt) => conclude(attempt, refusal, run));
    if (refusal !== undefined && !(refusal instanceof CommandFailure)) throw refusal;
    return report(run, planFile === undefined ? refusal : undefined);
  } finally {
    removeListener();
  }
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
  if (isOne) for (const plan of plans) print(renderPlanText(plan, color.stdout, options.all));
  else {
    const failed = attempts.filter(({ plan }) => !plan);
    print(renderPlannedText(plans, failed, color.stdout, options.all));
  }
}

function refusePartOfFile(attempts: readonly Attempt[]): void {
  const refused = attempts.filter(({ isReady }) => !isReady);
  if (refused.length === 0) return;
  const environments = refused.map(({ environment }) => environment);
  refuse('file-refused', { environments }, {}, exitCodeOf(refused));
}

async function confirmApply({ context, options, attempts }: Run): Promise<void> {
  const { yes, passwordStdin, newEnvironment } = options;
  const sent = attempts.flatMap(({ sends, plan = [] }) => (sends ? plan : []));
  if (sent.length === 0) return;
  const environments = attempts.map(({ environment }) => environment);
  const begin = newEnvironment ? ' --new-environment' : '';
  const { catalogFolder: catalog, flags } = context;
  const question = askToApply(environments, sent, { catalog, flags }, planOptionsOf(options), begin);
  await askFirst(context, { ...question, yes, passwordStdin });
}

async function conclude(attempt: Attempt, refusal: unknown, { context, isOne }: Run): Promise<void> {
  await attempt.conclude(refusal);
  if (isOne || !attempt.isReady || refusal !== undefined) return;
  context.note(endedText(attempt.environment, attempt.exitCode === exitCode.done));
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
    print(format === 'json' ? renderAppliedJson(all) : `\n${renderAppliedText(all, color.stdout)}`);
  const problems = problemsOf(attempts);
  const exit = exitCodeOf(attempts);
  return problems.length > 0 ? fail(problems, exit) : exit;
}

function exitCodeOf(attempts: readonly Attempt[]): ExitCode {
  return worstOf(attempts.map((attempt) => attempt.exitCode));
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
  if (saved.ok && !report.halt) noteWhatFollows(context, outcome, saved.value);
}

/**
 * A response can show what was unknown: of an imported record everything but its id. What did not go as planned is in
 * the report.
 */
function noteWhatFollows(context: CommandContext, { plan, inputs, report }: AppliedPlan, state: State): void {
  const isOpen: readonly ResultKind[] = ['failed', 'unknown', 'waiting', 'not-started'];
  const open = new Set(report.results.flatMap((each) => (isOpen.includes(each.result) ? each.address : [])));
  const { targets = [], confirmNew = [] } = plan;
  const next = makePlan({ ...inputs, state, targets, confirmNew });
  const fresh = next.changes.filter(({ address }) => !open.has(address));
  const sent = fresh.filter(({ requests }) => requests.length > 0).length;
  const wasBlocked = new Set(blockedIn(plan.changes));
  const blocked = blockedIn(fresh).filter((address) => !wasBlocked.has(address)).length;
  context.note(followingText(sent, blocked, contextFor(plan.environment, context).flags));
}

function blockedIn(changes: readonly Change[]): readonly Address[] {
  return changes.flatMap(({ action, address }) => (action === 'blocked' ? address : []));
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
    if (targets.length > 1 && options.passwordStdin) refuse('one-password', {});
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
  const beginning = applyCommand(planFile, context.catalogFolder, true);
  return file.map((saved) => ({ context: contextFor(saved.plan.environment, context), saved, beginning }));
}
