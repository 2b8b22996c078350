import type { ItemService } from '../api/client.ts';
import { apply } from '../apply/apply.ts';
import { asKept } from '../apply/kept.ts';
import type { ApplyEvent, ResultKind } from '../apply/model.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { clientIds } from '../plan/client-id.ts';
import type { Plan } from '../plan/model.ts';
import { type SavedPlan, savePlan, staleness } from '../plan/saved-plan.ts';
import {
  type ExplainedPlan,
  type ExplainedReport,
  explainPlan,
  explainReport,
} from '../render/messages/explain-plan.ts';
import { type ExplainedDiagnostic, explainProblems } from '../render/messages/explain-problem.ts';
import { whenMissing } from '../render/messages/plan-problems.ts';
import { seenText } from '../render/messages/seen-text.ts';
import type { AppliedEnvironment } from '../render/model.ts';
import { progressOn } from '../render/terminal.ts';
import { isUntouched } from '../state/model.ts';
import { version } from '../version.ts';
import { type AppliedPlan, ApplyEvents } from './apply-events.ts';
import { checkSpaces, withService } from './client.ts';
import type { CommandContext } from './context.ts';
import { checkCredentials, withCredentials } from './credentials.ts';
import { loadInputs } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, fail, failOn, orFail } from './exit-code.ts';
import { catalogOrigin } from './git.ts';
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
  /** With the credentials for its requests. */
  #connecting: CommandContext;
  readonly #options: ApplyOptions;
  readonly #events: ApplyEvents | undefined;
  #ready: Ready | undefined;

  /** Several environments talk through what is reported of all of them. */
  constructor(target: Target, options: ApplyOptions, isOne: boolean) {
    const { context } = target;
    this.environment = context.environmentName;
    this.#target = target;
    const muted = { quiet: true, print: () => {}, note: () => {} };
    const trace = (text: string) => context.trace(`${this.environment}: ${text}`);
    this.#context = isOne ? context : { ...context, ...muted, trace };
    this.#connecting = this.#context;
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
    const planOptions = saved ? optionsOfPlan(saved.plan) : planOptionsOf(this.#options);
    const plan = await preparePlan(this.#context, inputs, state, planOptions);
    const stale = saved
      ? staleness(saved, savePlan(plan, inputs.environment, version), session.recovered > 0)
      : [];
    const { beginning: begin } = this.#target;
    const explained = explainPlan(plan, this.#context.flags, { begin, isLocked: true });
    const refusals = [...stale, ...refusalsOf(explained, this.#options)];
    failOn(refusals);
    // The guards that are left were lifted.
    this.plan = { ...explained, guards: [] };
    this.#events?.planned(plan, inputs);
    if (sends(plan)) checkCredentials(inputs.environment, this.#options, this.#context);
    return plan;
  }

  /**
   * Asks for the credentials that `env` lacks, on a terminal: before the lock and the state are checked again. Resolves
   * with the variables that are known then, for the attempts that follow.
   */
  async authenticate(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
    if (!this.#ready || !this.sends) return env;
    const { context } = this.#target;
    const known = { ...context, io: { ...context.io, env } };
    const { io } = await withCredentials(this.#ready.inputs.environment, this.#options, known);
    this.#connecting = { ...this.#context, io };
    return io.env;
  }

  /** Checks what may refuse it right before its first write: the lock, the state, the credentials and their team. */
  async verify(): Promise<void> {
    if (!this.#ready) return;
    const { locked, inputs, plan } = this.#ready;
    const { environment } = inputs;
    const { session, signal } = locked;
    const check = async () => {
      orFail(await session.verify());
      if (!sends(plan)) return;
      const connecting = { ...this.#options, signal, expectsNothing: false };
      await withService(environment, connecting, this.#connecting, (service) =>
        checkSpaces(environment, service, signal),
      );
    };
    try {
      await check().catch(locked.release);
    } catch (cause) {
      this.#ready = undefined;
      this.#failed(cause);
    }
  }

  /** Carries the plan out, unless `refusal` stands against the run. Releases the lock. */
  async conclude(refusal: unknown): Promise<void> {
    if (!this.#ready) return;
    const ready = this.#ready;
    const { locked } = ready;
    try {
      this.exitCode = await locked.finish(async () => {
        if (refusal !== undefined) throw refusal;
        orFail(await locked.session.verify());
        this.outcome = await this.#carryOut(ready);
        this.#events?.applied(this.outcome);
        const { report, saved } = this.outcome;
        const exit = applyExitCode(report, saved.ok);
        return saved.ok ? exit : fail(saved.diagnostics, exit);
      });
      this.#events?.finished(this.exitCode, []);
    } catch (cause) {
      this.#failed(cause);
    }
  }

  /** Connects where something is to be sent, applies the plan and saves the state, whatever became of the plan. */
  async #carryOut({ locked: { session, signal }, inputs, plan }: Ready): Promise<AppliedPlan> {
    const context = this.#context;
    const { catalog, environment } = inputs;
    const { parallel, newEnvironment: isNew = false } = this.#options;
    const { stdout, stderr } = context.io;
    // What is piped may come back to this terminal, in the middle of a bar.
    const isSilent = context.quiet || context.debug;
    const showProgress = isSilent ? () => {} : progressOn(stderr, Boolean(stdout.isTTY && stderr.isTTY));
    const emit = (each: ApplyEvent) => {
      showProgress(each);
      this.#events?.event(each);
    };
    const applyOver = async (service: Pick<ItemService, 'write'>): Promise<AppliedPlan> => {
      const origin = await catalogOrigin(catalog, context);
      const ids = clientIds(environment, session.state);
      const sending = { service, recorder: session, now: context.io.now, signal, emit };
      const ports = { catalog, origin, environment, ...sending, parallel, isNew, seenText };
      const report = await apply(plan, ports, ids.honoured);
      const saved = await session.save();
      const kept = saved.ok ? saved.value : await session.kept();
      const told = explainReport(asKept(report, plan, { kept, catalog, ids, isSaved: saved.ok }));
      return { plan, inputs, report: told, saved };
    };
    if (!sends(plan)) return applyOver(unasked);
    const expectsNothing = isUntouched(session.state) && !isNew && !plan.recover;
    const connecting = { ...this.#options, signal, expectsNothing };
    return withService(environment, connecting, this.#connecting, async (service) => {
      await checkSpaces(environment, service, signal);
      return applyOver(service);
    });
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
  options: ApplyOptions,
): OpenStateOptions {
  const { newEnvironment, recover } = options;
  const recovers = recover === true || saved?.plan.recover === true;
  const create = newEnvironment === true || recovers || environment.service.kind === 'embedded';
  const opening = { operation: 'apply', create, takesOlder: true };
  if (!saved || saved.plan.state.lineage === null)
    return { ...opening, begin: beginning, asked: planOptionsOf(options) };
  return { ...opening, whenMissing: whenMissing.plan(environment.name) };
}

function sends({ changes }: Plan): boolean {
  return changes.some(({ requests }) => requests.length > 0);
}

const unasked: Pick<ItemService, 'write'> = {
  write() {
    throw new Error('A plan without requests sent one.');
  },
};

/** What only a person can settle outranks what a second run may. */
export function applyExitCode({ results, halt }: ExplainedReport, saved: boolean): ExitCode {
  const has = (...kinds: readonly ResultKind[]) => results.some(({ result }) => kinds.includes(result));
  if (halt?.kind === 'interrupted') return exitCode.interrupted;
  if (has('unknown')) return exitCode.unknown;
  if (!saved || halt || has('failed', 'unrecorded', 'not-started')) return exitCode.error;
  return has('blocked', 'waiting') ? exitCode.blocked : exitCode.done;
}
