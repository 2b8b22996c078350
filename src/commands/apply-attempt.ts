import type { Inputs } from '../environment/join-inputs.ts';
import type { Plan } from '../plan/model.ts';
import { type SavedPlan, savePlan, staleness } from '../plan/saved-plan.ts';
import { type ExplainedPlan, explainPlan } from '../render/messages/explain-plan.ts';
import { type ExplainedDiagnostic, explainProblems } from '../render/messages/explain-problem.ts';
import { whenMissing } from '../render/messages/plan-problems.ts';
import type { AppliedEnvironment } from '../render/model.ts';
import { version } from '../version.ts';
import { ApplyEvents } from './apply-events.ts';
import { type AppliedPlan, applyExitCode, carryOut, sends } from './carry-out.ts';
import { checkCredentials } from './client.ts';
import type { CommandContext } from './context.ts';
import { loadInputs } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, fail, failOn, orFail } from './exit-code.ts';
import { type LockedState, lockState, type OpenStateOptions } from './locked-state.ts';
import { optionsOfPlan, type PlanFlags, planOptionsOf, preparePlan, refusalsOf } from './prepare-plan.ts';

export interface ApplyOptions extends PlanFlags {
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly passwordStdin?: boolean;
  readonly parallel: number;
  readonly format: 'text' | 'json' | 'ndjson';
}

/** One environment to apply, or a saved plan of it. */
export interface Target {
  readonly context: CommandContext;
  readonly saved?: SavedPlan;
  /** Of a saved plan: the command that carries it out where nothing is recorded yet. */
  readonly beginning?: string;
}

/** What a plan needs to be carried out. */
interface Ready {
  readonly locked: LockedState;
  readonly inputs: Inputs;
  readonly plan: Plan;
}

/** One environment of `trove apply`: planned with its state locked, then carried out or let go. */
export class Attempt {
  readonly environment: string;
  /** The plan as it is shown; undefined if there is none. */
  plan?: ExplainedPlan;
  outcome?: AppliedPlan;
  problems: readonly ExplainedDiagnostic[] = [];
  /** How it ended. */
  exitCode: ExitCode = exitCode.error;
  readonly #target: Target;
  readonly #context: CommandContext;
  readonly #options: ApplyOptions;
  readonly #events: ApplyEvents | undefined;
  #ready?: Ready;

  /** Several environments talk through what is reported of all of them. */
  constructor(target: Target, options: ApplyOptions, isOne: boolean) {
    const { context } = target;
    this.environment = context.environmentName;
    this.#target = target;
    this.#context = isOne ? context : { ...context, quiet: true, print: () => {}, note: () => {} };
    this.#options = options;
    this.#events = options.format === 'ndjson' ? new ApplyEvents(context, this.environment) : undefined;
  }

  /** Its state is locked, and nothing that its plan needs is missing. */
  get isReady(): boolean {
    return this.#ready !== undefined;
  }

  get sends(): boolean {
    return this.#ready !== undefined && sends(this.#ready.plan);
  }

  /** Locks the state and plans. Without a plan that can be carried out it has ended, and its lock is released. */
  async prepare(): Promise<void> {
    try {
      const inputs = orFail(await loadInputs(this.#context));
      const opening = openingOf(this.#target, inputs, this.#options);
      const locked = await lockState(inputs.environment, opening, this.#context);
      const plan = await this.#makePlan(locked, inputs).catch(locked.release);
      this.#ready = { locked, inputs, plan };
    } catch (cause) {
      this.#failed(cause);
    }
  }

  async #makePlan({ session }: LockedState, inputs: Inputs): Promise<Plan> {
    const { saved } = this.#target;
    const state = session.isNew ? undefined : session.state;
    const planOptions = saved ? optionsOfPlan(saved.plan, state) : planOptionsOf(this.#options);
    const plan = await preparePlan(this.#context, inputs, state, planOptions);
    const stale = saved ? staleness(saved, savePlan(plan, inputs.environment, version)) : [];
    const explained = explainPlan(plan, this.#context.flags);
    const refusals = [...stale, ...refusalsOf(explained, this.#options)];
    failOn(refusals);
    // The guards that are left were lifted.
    this.plan = { ...explained, guards: [] };
    this.#events?.planned(plan, inputs);
    if (sends(plan)) checkCredentials(inputs.environment, this.#options, this.#context);
    return plan;
  }

  /** Carries the plan out, unless `refusal` stands against the run. Releases the lock. */
  async conclude(refusal: unknown): Promise<void> {
    if (!this.#ready) return;
    const { locked, inputs, plan } = this.#ready;
    const { session, signal } = locked;
    const options = { ...this.#options, signal, event: this.#events?.event };
    try {
      this.exitCode = await locked.finish(async () => {
        if (refusal !== undefined) throw refusal;
        orFail(await session.verify());
        this.outcome = await carryOut(this.#context, inputs, plan, session, options);
        this.#events?.applied(this.outcome);
        const { report, saved } = this.outcome;
        const exit = applyExitCode(report, plan, saved.ok);
        return saved.ok ? exit : fail(saved.diagnostics, exit);
      });
      this.#events?.finished(this.exitCode, []);
    } catch (cause) {
      this.#failed(cause);
    }
  }

  #failed(cause: unknown): void {
    if (!(cause instanceof CommandFailure)) throw cause;
    this.exitCode = cause.exitCode;
    this.problems = explainProblems(cause.problems, this.#context.flags);
    this.#events?.finished(this.exitCode, this.problems);
  }

  /** What became of it, for people and programs. */
  get applied(): AppliedEnvironment {
    const { environment, exitCode, problems, outcome } = this;
    if (!outcome) return { environment, exitCode, problems };
    const { credentials } = outcome.inputs.environment;
    const reader = { credentials, flags: this.#context.flags, askedFor: outcome.plan };
    return { environment, exitCode, problems, report: outcome.report, reader };
  }
}

function openingOf(
  { saved, beginning }: Target,
  { environment }: Inputs,
  { newEnvironment, recover }: ApplyOptions,
): OpenStateOptions {
  const recovers = recover === true || saved?.plan.recover === true;
  const create = newEnvironment === true || recovers || environment.service.kind === 'embedded';
  const opening = { operation: 'apply', create, takesOlder: true };
  if (!saved || saved.plan.state.lineage === null) return { ...opening, begin: beginning };
  return { ...opening, whenMissing: whenMissing.plan(environment.name) };
}
