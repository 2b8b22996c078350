import type { ApplyEvent, ApplyReport } from '../../apply/model.ts';
import type { Inputs } from '../../environment/join-inputs.ts';
import { guardProblems, standingGuards } from '../../plan/guards.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { Plan } from '../../plan/model.ts';
import { type SavedPlan, savePlan, staleness } from '../../plan/saved-plan.ts';
import { unknownAddresses } from '../../plan/targets.ts';
import type { State } from '../../state/model.ts';
import type { Session } from '../../state/session.ts';
import type { Diagnostic, Result } from '../../text/diagnostic.ts';
import { version } from '../../version.ts';
import { checkCredentials } from '../connecting/connect.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { loadInputs } from '../invocation/inputs.ts';
import { type WishOptions, wishesOf, wishesOfPlan } from '../planning/wishes.ts';
import { surroundingsOf } from '../recording/surroundings.ts';
import { withStateOf } from '../recording/with-state.ts';
import { applyExitCode } from './apply-exit-code.ts';
import { carryOut } from './carry-out.ts';

export interface ApplyEnvironmentOptions extends WishOptions {
  readonly newEnvironment?: boolean;
  readonly passwordStdin?: boolean;
  readonly parallel: number;
  /** Of a saved plan: the command that carries it out where nothing is recorded yet. */
  readonly beginning?: string;
}

/** What is told on the way. */
export interface ApplyTalk {
  /** Shows the plan before anything is sent. */
  planned(plan: Plan, inputs: Inputs): void;
  /** What the apply tells while it runs. */
  event?(event: ApplyEvent): void;
  /** Asks where somebody has to be asked; an exit code ends it there. */
  agree(plan: Plan): Promise<ExitCode | undefined>;
  /** Tells what became of it; `saved` is the state after it, which could perhaps not be written. */
  applied(outcome: AppliedPlan): void;
}

export interface AppliedPlan {
  readonly plan: Plan;
  readonly inputs: Inputs;
  readonly report: ApplyReport;
  readonly saved: Result<State>;
}

/** Makes one environment as the catalog declares it, or carries a saved plan out: exactly that, or nothing. */
export async function applyEnvironment(
  context: CommandContext,
  saved: SavedPlan | undefined,
  options: ApplyEnvironmentOptions,
  talk: ApplyTalk,
): Promise<ExitCode> {
  const inputs = await loadInputs(context);
  if (!inputs.ok) return refuse(context, inputs.diagnostics);
  const { environment } = inputs.value;
  const recovers = options.recover === true || saved?.plan.recover === true;
  const create = options.newEnvironment === true || recovers || environment.service.kind === 'embedded';
  const whenMissing = saved && whenMissingFor(saved, options);
  const beginning = { operation: 'apply', create, takesOlder: true, ...(whenMissing && { whenMissing }) };
  return withStateOf(environment, beginning, context, (session, signal) =>
    applyLocked(context, inputs.value, session, signal, saved, options, talk),
  );
}

/** What to do about a missing state, so that it is still the saved plan that is carried out. */
function whenMissingFor({ plan }: SavedPlan, { beginning }: ApplyEnvironmentOptions): string {
  if (plan.state.lineage !== null || beginning === undefined)
    return `the plan was made with the state of ${plan.environment}: put it back first; nothing was sent`;
  return `if it was applied before, put its state back first; if it is really new: ${beginning}`;
}

async function applyLocked(
  context: CommandContext,
  inputs: Inputs,
  session: Session,
  signal: AbortSignal,
  saved: SavedPlan | undefined,
  options: ApplyEnvironmentOptions,
  talk: ApplyTalk,
): Promise<ExitCode> {
  const { catalog, environment } = inputs;
  const state = session.state.serial === 0 && session.recovered === 0 ? undefined : session.state;
  const wishes = saved ? wishesOfPlan(saved.plan, state) : wishesOf(options);
  const unknown = unknownAddresses(wishes, catalog, state);
  if (unknown.length > 0) return refuse(context, unknown);
  const surroundings = await surroundingsOf(environment, context);
  const plan = makePlan({ ...inputs, state, surroundings, ...wishes });
  const objections = [
    ...(saved ? staleness(saved, savePlan(plan, environment, version)) : []),
    ...guardProblems(standingGuards(plan, options), environment.name),
  ];
  if (objections.length > 0) return refuse(context, objections);
  talk.planned({ ...plan, guards: [] }, inputs);
  const credentials = checkCredentials(environment, options, context);
  if (sends(plan) && !credentials.ok) return refuse(context, credentials.diagnostics);
  const ended = await talk.agree(plan);
  if (ended !== undefined) return ended;
  const still = await session.verify();
  if (!still.ok) return refuse(context, still.diagnostics);
  const carriedOut = await carryOut(context, inputs, plan, session, signal, {
    ...options,
    event: (event) => talk.event?.(event),
  });
  if (!carriedOut.ok) return refuse(context, carriedOut.diagnostics);
  const { report, saved: after } = carriedOut.value;
  talk.applied({ plan, inputs, report, saved: after });
  if (!after.ok) context.complain(after.diagnostics);
  return applyExitCode(report, plan, after.ok);
}

export function sends({ changes }: Plan): boolean {
  return changes.some(({ requests }) => requests.length > 0);
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
