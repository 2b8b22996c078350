import { commandFlags } from '../../environment/find.ts';
import { guardProblems, standingGuards } from '../../plan/guards.ts';
import { type SavedPlan, savePlan } from '../../plan/saved-plan.ts';
import { renderAppliedJson, renderAppliedText } from '../../render/apply-text.ts';
import type { AppliedEnvironment } from '../../render/model.ts';
import { renderPlannedText } from '../../render/plan-text.ts';
import { interruptedText } from '../../render/progress.ts';
import { escapeTerminal } from '../../render/terminal.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { plural } from '../../text/pluralize.ts';
import { version } from '../../version.ts';
import { type CommandContext, contextFor } from '../invocation/context.ts';
import { collecting, inParallel, worstOf } from '../invocation/each-environment.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { planSeveralFromFiles } from '../planning/plan-several.ts';
import { agree } from './agree.ts';
import { type ApplyEnvironmentOptions, applyEnvironment, sends } from './apply-environment.ts';
import { ApplyEvents } from './apply-events.ts';

export interface ApplySeveralOptions extends ApplyEnvironmentOptions {
  readonly yes?: boolean;
  readonly format: 'text' | 'json' | 'ndjson';
}

/**
 * Several environments in one run: all are planned and shown, somebody is asked once, and each plan is carried out as
 * it was shown, or not at all. What goes wrong in one leaves the others alone, but for a file of saved plans: it is
 * carried out whole, so nothing of it is sent before all of it can be.
 */
export async function applySeveral(
  contexts: readonly CommandContext[],
  saved: readonly SavedPlan[],
  options: ApplySeveralOptions,
): Promise<ExitCode> {
  const [context, ...others] = contexts;
  if (context === undefined) throw new Error('There is always an environment.');
  const planned: Planned = saved.length > 0 ? { plans: saved, failed: [] } : await planAll(contexts, options);
  const { plans, failed } = planned;
  if (options.format === 'text') {
    // What stands of their guards is refused below, with what to do about it.
    const shown = plans.map(({ plan }) => ({ ...plan, guards: [] }));
    context.print(renderPlannedText(shown, failed, context.color.stdout));
  }
  if (saved.length === 0 && plans.some(({ plan }) => sends(plan))) {
    const ended = await agreeToAll([context, ...others], planned, options);
    if (ended !== undefined) return ended;
  }
  const gate = saved.length > 0 ? new Gate(saved.map(({ plan }) => plan.environment)) : undefined;
  const applied = await applyAll(context, plans, gate, options);
  const all = [...failed, ...applied];
  if (options.format === 'ndjson') tellFailed(context, failed);
  else if (options.format === 'json') context.print(renderAppliedJson(all));
  else context.print(renderAppliedText(all, context.color.stdout));
  for (const { problems } of all) context.complain(problems);
  return worstOf(all.map((each) => each.exitCode as ExitCode));
}

/** Asks once for all of them. What ends here has its problems told and its events ended too. */
async function agreeToAll(
  contexts: readonly [CommandContext, ...(readonly CommandContext[])],
  { plans, failed }: Planned,
  options: ApplySeveralOptions,
): Promise<ExitCode | undefined> {
  const [context] = contexts;
  const problems: Diagnostic[] = [];
  const complain = (found: readonly Diagnostic[]) => {
    problems.push(...found);
    context.complain(found);
  };
  const flags = commandFlags({ catalog: context.catalogFolder, environment: 'local' });
  const named = contexts.map(({ environmentName }) => ` -e ${environmentName}`).join('');
  const own = { ...context, flags: `${flags}${named}`, complain };
  const ended = await agree(own, options);
  if (ended === undefined) return undefined;
  for (const each of failed) context.complain(each.problems);
  if (options.format !== 'ndjson') return ended;
  for (const { plan } of plans) new ApplyEvents(context, plan.environment).finished(ended, problems);
  tellFailed(context, failed);
  return ended;
}

function tellFailed(context: CommandContext, failed: readonly AppliedEnvironment[]): void {
  for (const { environment, problems } of failed)
    new ApplyEvents(context, environment).finished(exitCode.error, problems);
}

interface Planned {
  readonly plans: readonly SavedPlan[];
  readonly failed: readonly AppliedEnvironment[];
}

async function planAll(contexts: readonly CommandContext[], options: ApplySeveralOptions): Promise<Planned> {
  const made = await planSeveralFromFiles(contexts, options);
  const plans: SavedPlan[] = [];
  const failed: AppliedEnvironment[] = [];
  for (const each of made) {
    if (!each.ok) failed.push(each.failed);
    else {
      const { plan, inputs } = each;
      const problems = guardProblems(standingGuards(plan, options), plan.environment);
      if (problems.length === 0) plans.push(savePlan(plan, inputs.environment, version));
      else failed.push({ environment: plan.environment, exitCode: exitCode.error, problems });
    }
  }
  return { plans, failed };
}

/** Stops starting more of them once somebody interrupts; what is under way ends as a single apply does. */
async function applyAll(
  context: CommandContext,
  plans: readonly SavedPlan[],
  gate: Gate | undefined,
  options: ApplySeveralOptions,
): Promise<readonly AppliedEnvironment[]> {
  let interrupted = false;
  const removeListener = context.io.onInterrupt(() => {
    if (!interrupted) context.note(interruptedText);
    interrupted = true;
  });
  try {
    return await inParallel(plans, async (saved, aside) => {
      const { environment } = saved.plan;
      const agree: Agree = async (complain) => {
        const refused = gate ? await aside(() => gate.ready(environment)) : [];
        if (interrupted) return exitCode.interrupted;
        if (refused.length === 0) return undefined;
        complain([heldBack(refused)]);
        return worstOf(refused.map((each) => each.exitCode));
      };
      let exit: ExitCode = exitCode.error;
      try {
        if (interrupted) return notStarted(context, environment, options);
        const applied = await applyOne(context, saved, options, agree);
        exit = applied.exitCode as ExitCode;
        context.note(
          `${escapeTerminal(environment)}: ${exit === exitCode.done ? 'done' : 'ended, see below'}\n`,
        );
        return applied;
      } finally {
        gate?.ended({ environment, exitCode: exit });
      }
    });
  } finally {
    removeListener();
  }
}

/** The last word before anything is sent; an exit code ends it there. */
type Agree = (complain: CommandContext['complain']) => Promise<ExitCode | undefined>;

interface Refusal {
  readonly environment: string;
  readonly exitCode: ExitCode;
}

/** Where the environments of one file wait, each with its state locked, until all of them are ready to be sent. */
class Gate {
  readonly #awaited: Set<string>;
  readonly #refused: Refusal[] = [];
  readonly #opened: Promise<void>;
  #open = () => {};

  constructor(environments: readonly string[]) {
    this.#awaited = new Set(environments);
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Those that were refused. None: everything may be sent. */
  async ready(environment: string): Promise<readonly Refusal[]> {
    this.#arrive(environment);
    await this.#opened;
    return this.#refused;
  }

  /** What ends without having been ready is refused. */
  ended(refusal: Refusal): void {
    if (!this.#awaited.has(refusal.environment)) return;
    this.#refused.push(refusal);
    this.#arrive(refusal.environment);
  }

  #arrive(environment: string): void {
    this.#awaited.delete(environment);
    if (this.#awaited.size === 0) this.#open();
  }
}

function heldBack(refused: readonly Refusal[]): Diagnostic {
  const names = refused.map(({ environment }) => environment).join(', ');
  const message = `nothing was sent: the ${plural(refused.length, 'plan')} for ${names} in the same file can't be applied`;
  const hint = 'a file of saved plans is applied as a whole or not at all';
  return error('file-refused', message, { hint });
}

function notStarted(
  context: CommandContext,
  environment: string,
  { format }: ApplySeveralOptions,
): AppliedEnvironment {
  if (format === 'ndjson') new ApplyEvents(context, environment).finished(exitCode.interrupted, []);
  return { environment, exitCode: exitCode.interrupted, problems: [] };
}

async function applyOne(
  context: CommandContext,
  saved: SavedPlan,
  options: ApplySeveralOptions,
  agree: Agree,
): Promise<AppliedEnvironment> {
  const { environment } = saved.plan;
  const own = collecting(contextFor(environment, context));
  const events = options.format === 'ndjson' ? new ApplyEvents(context, environment) : undefined;
  let told: Pick<AppliedEnvironment, 'report' | 'reader'> = {};
  const exit = await applyEnvironment(own.context, saved, options, {
    planned: (plan, inputs) => events?.planned(plan, inputs),
    event: (event) => events?.event(event),
    agree: () => agree(own.context.complain),
    applied(outcome) {
      const { plan, report, inputs } = outcome;
      events?.applied(outcome);
      const reader = {
        credentials: inputs.environment.credentials,
        flags: own.context.flags,
        askedFor: plan,
      };
      told = { report, reader };
    },
  });
  events?.finished(exit, own.problems());
  return { environment, exitCode: exit, problems: own.problems(), ...told };
}
