import type { ApplyEvent, ChangeResult } from '../apply/model.ts';
import { commandFlags } from '../environment/find.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import {
  renderAppliedJson,
  renderAppliedText,
  renderApplyJson,
  renderApplyText,
} from '../render/apply-text.ts';
import { type ExplainedPlan, explainPlan } from '../render/messages/explain-plan.ts';
import type { AppliedEnvironment } from '../render/model.ts';
import { renderPlannedText, renderPlanText } from '../render/plan-text.ts';
import { interruptedText } from '../render/progress.ts';
import { escapeTerminal } from '../render/terminal.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { plural } from '../text/pluralize.ts';
import { ApplyEvents } from './apply-events.ts';
import { type AppliedPlan, sends } from './carry-out.ts';
import { type CommandContext, contextFor } from './context.ts';
import { type Aside, named } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, fail, worstOf } from './exit-code.ts';
import type { PlanFlags } from './prepare-plan.ts';
import { askFirst } from './prompt.ts';

export interface ApplyOptions extends PlanFlags {
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly passwordStdin?: boolean;
  readonly parallel: number;
  readonly format: 'text' | 'json' | 'ndjson';
}

/** How one environment reports its progress to the run. */
export interface ApplyUi {
  readonly planned: (plan: Plan, inputs: Inputs) => void;
  /** Returns once all environments are planned and shown, and somebody has agreed where that was needed. */
  readonly confirmed: () => Promise<void>;
  readonly event: (event: ApplyEvent) => void;
  readonly applied: (outcome: AppliedPlan) => void;
}

/** One environment of a run, as far as it has come. */
interface Attempt {
  plan?: ExplainedPlan;
  outcome?: AppliedPlan;
  /** Waits for the others with its state locked, and everything that its plan needs. */
  isReady?: boolean;
  /** How it ended. */
  exitCode?: ExitCode;
  problems: readonly Diagnostic[];
}

/**
 * The environments of one `trove apply`, one or more. Each waits, with its state locked, until all are planned or have
 * failed; then all plans are shown, somebody is asked once, and all go on.
 */
export class ApplyRun {
  readonly #context: CommandContext;
  readonly #options: ApplyOptions & { readonly isWhole: boolean };
  readonly #attempts: ReadonlyMap<string, Attempt>;
  readonly #awaited: Set<string>;
  readonly #isOne: boolean;
  readonly #begun: Promise<void>;
  #begin: (begun: Promise<void>) => void = () => {};
  /** Nobody agreed, so nothing was sent. */
  #declined: CommandFailure | undefined;
  #isInterrupted = false;
  readonly #removeListener: () => void;

  /** `isWhole`: the plans of one file, of which all are carried out or none. */
  constructor(
    context: CommandContext,
    environments: readonly string[],
    options: ApplyOptions & { readonly isWhole: boolean },
  ) {
    this.#context = context;
    this.#options = options;
    this.#attempts = new Map(environments.map((name) => [name, { problems: [] }]));
    this.#awaited = new Set(environments);
    this.#isOne = environments.length === 1;
    this.#begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    // The output of several environments is muted, so the notice is printed here.
    const stop = (isRepeated: boolean) => {
      this.#isInterrupted = true;
      if (!isRepeated) context.note(interruptedText);
    };
    this.#removeListener = this.#isOne ? () => {} : context.io.onInterrupt(stop);
  }

  /** Applies one environment; others may go on while it waits for them. */
  async attempt(
    context: CommandContext,
    aside: Aside,
    apply: (context: CommandContext, ui: ApplyUi) => Promise<ExitCode>,
  ): Promise<void> {
    const name = context.environmentName;
    const attempt = this.#attempts.get(name) as Attempt;
    const events = this.#options.format === 'ndjson' ? new ApplyEvents(this.#context, name) : undefined;
    const own = this.#isOne ? context : { ...context, quiet: true, print: () => {}, note: () => {} };
    try {
      attempt.exitCode = await apply(own, this.#uiFor(name, attempt, events, aside));
    } catch (cause) {
      if (!(cause instanceof CommandFailure)) throw cause;
      attempt.exitCode = cause.exitCode;
      attempt.problems = this.#isOne || this.#declined ? cause.problems : named(name, cause.problems);
    } finally {
      this.#arrive(name);
    }
    events?.finished(attempt.exitCode, attempt.problems);
    if (this.#isOne || !attempt.isReady || this.#declined) return;
    const ended = attempt.exitCode === exitCode.done ? 'done' : 'ended, see below';
    this.#context.note(`${escapeTerminal(name)}: ${ended}\n`);
  }

  #uiFor(name: string, attempt: Attempt, events: ApplyEvents | undefined, aside: Aside): ApplyUi {
    return {
      planned: (plan, inputs) => {
        // Apply refuses what a guard stands against, and lifts the others.
        attempt.plan = { ...explainPlan(plan, contextFor(name, this.#context).flags), guards: [] };
        events?.planned(plan, inputs);
      },
      confirmed: async () => {
        attempt.isReady = true;
        this.#arrive(name);
        await aside(() => this.#begun);
        if (this.#isInterrupted) fail([], exitCode.interrupted);
      },
      event: (event) => events?.event(event),
      applied: (outcome) => {
        attempt.outcome = outcome;
        events?.applied(outcome);
      },
    };
  }

  /** Once every environment is planned or has failed, all plans are shown and the question is asked. */
  #arrive(name: string): void {
    if (this.#awaited.delete(name) && this.#awaited.size === 0) this.#begin(this.#showAndAsk());
  }

  async #showAndAsk(): Promise<void> {
    const all = [...this.#attempts].map(([environment, attempt]) => ({ environment, ...attempt }));
    const plans = all.flatMap(({ plan }) => plan ?? []);
    const failed = all.filter(({ plan }) => !plan);
    if (this.#options.format === 'text') this.#show(plans, failed);
    const ready = all.filter(({ isReady }) => isReady);
    if (ready.length === 0) return;
    if (!this.#options.isWhole) {
      if (ready.some(({ plan }) => plan && sends(plan))) await this.#confirmApply();
      return;
    }
    const refused = all.filter(({ isReady }) => !isReady);
    const codes = refused.map((each) => each.exitCode ?? exitCode.error);
    if (refused.length > 0) fail([heldBack(refused.map(({ environment }) => environment))], worstOf(codes));
  }

  #show(plans: readonly ExplainedPlan[], failed: Parameters<typeof renderPlannedText>[1]): void {
    const { print, color } = this.#context;
    if (!this.#isOne) print(renderPlannedText(plans, failed, color.stdout));
    else for (const plan of plans) print(renderPlanText(plan, color.stdout));
  }

  async #confirmApply(): Promise<void> {
    const { yes, passwordStdin } = this.#options;
    if (yes) return;
    const everywhere = commandFlags({ catalog: this.#context.catalogFolder, environment: 'local' });
    const names = [...this.#attempts.keys()].map((name) => ` -e ${name}`);
    const flags = this.#isOne ? this.#context.flags : `${everywhere}${names.join('')}`;
    const hint = `look at the plan, then: trove apply${flags} --yes, or trove plan${flags} --out FILE and trove apply FILE${everywhere}`;
    const message = 'without a terminal, apply does not ask and sends nothing';
    const refusal = error('not-confirmed', message, { hint });
    const asking = { question: 'Apply this?', otherwise: 'Nothing was sent.', refusal, passwordStdin };
    try {
      await askFirst(this.#context, asking);
    } catch (cause) {
      if (cause instanceof CommandFailure) this.#declined = cause;
      throw cause;
    }
  }

  /** Reports what became of all environments. */
  end(): ExitCode {
    this.#removeListener();
    const attempts = [...this.#attempts];
    if (this.#declined) {
      const failed = attempts.filter(([, { isReady }]) => !isReady).flatMap(([, { problems }]) => problems);
      fail([...this.#declined.problems, ...failed], this.#declined.exitCode);
    }
    const all = attempts.map(([environment, attempt]) =>
      appliedEnvironment(environment, attempt, this.#context),
    );
    this.#report(all);
    const problems = all.flatMap((each) => each.problems);
    const exit = worstOf(attempts.map(([, attempt]) => attempt.exitCode ?? exitCode.error));
    return problems.length > 0 ? fail(problems, exit) : exit;
  }

  #report(all: readonly AppliedEnvironment[]): void {
    const { print, color } = this.#context;
    const { format } = this.#options;
    if (format === 'ndjson') return;
    const [first] = this.#attempts.values();
    if (!this.#isOne)
      print(format === 'json' ? renderAppliedJson(all) : renderAppliedText(all, color.stdout));
    else if (first?.outcome) reportOne(this.#context, first.outcome, format);
  }
}

function heldBack(refused: readonly string[]): Diagnostic {
  const message = `nothing was sent: the ${plural(refused.length, 'plan')} for ${refused.join(', ')} in the same file can't be applied`;
  const hint = 'a file of saved plans is applied as a whole or not at all';
  return error('file-refused', message, { hint });
}

function appliedEnvironment(
  environment: string,
  { outcome, exitCode: code = exitCode.error, problems }: Attempt,
  context: CommandContext,
): AppliedEnvironment {
  const { flags } = contextFor(environment, context);
  const applied = outcome && { report: outcome.report, reader: readerOf(outcome, flags) };
  return { environment, exitCode: code, problems, ...applied };
}

function readerOf({ plan, inputs }: AppliedPlan, flags: string) {
  return { credentials: inputs.environment.credentials, flags, askedFor: plan };
}

function reportOne(context: CommandContext, outcome: AppliedPlan, format: 'text' | 'json'): void {
  const { report, saved, plan } = outcome;
  if (format === 'json') context.print(renderApplyJson(report, saved.ok ? saved.value : undefined));
  else if (plan.changes.length + plan.moved.length + plan.protections.length > 0)
    context.print(`\n${renderApplyText(report, context.color.stdout, readerOf(outcome, context.flags))}`);
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

function isOpen({ result }: ChangeResult): boolean {
  return ['failed', 'unknown', 'waiting', 'not-started'].includes(result);
}
