import type { Inputs } from '../environment/join-inputs.ts';
import type { Plan } from '../plan/model.ts';
import { type SavedPlan, savePlan, staleness } from '../plan/saved-plan.ts';
import { explainPlan } from '../render/messages/explain-plan.ts';
import type { Session } from '../state/session.ts';
import { version } from '../version.ts';
import { ApplyEvents } from './apply-events.ts';
import { type ApplyOptions, ApplyRun, type ApplyUi } from './apply-run.ts';
import { applyExitCode, carryOut, sends } from './carry-out.ts';
import { checkCredentials } from './client.ts';
import { type CommandContext, type Contexts, contextFor } from './context.ts';
import { inParallel, loadInputs } from './environments.ts';
import { CommandFailure, type ExitCode, fail, orFail, refuse } from './exit-code.ts';
import { type OpenStateOptions, withStateOf } from './locked-state.ts';
import {
  applyCommand,
  optionsOfPlan,
  planFileFor,
  planOptionsOf,
  preparePlan,
  refusalsOf,
} from './prepare-plan.ts';

/** One environment to apply, or a saved plan of it. */
interface Target {
  readonly context: CommandContext;
  readonly saved?: SavedPlan;
  /** Of a saved plan: the command that carries it out where nothing is recorded yet. */
  readonly beginning?: string;
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
  const run = new ApplyRun(
    contexts[0],
    targets.map(({ context }) => context.environmentName),
    { ...options, isWhole: planFile !== undefined },
  );
  await inParallel(targets, (target, aside) =>
    run.attempt(target.context, aside, (context, ui) => applyTo({ ...target, context }, options, ui)),
  );
  return run.end();
}

async function applyTo(target: Target, options: ApplyOptions, ui: ApplyUi): Promise<ExitCode> {
  const { context, saved } = target;
  const inputs = orFail(await loadInputs(context));
  const { environment } = inputs;
  const opening = openingOf(target, inputs, options);
  return withStateOf(environment, opening, context, async (session, signal) => {
    const plan = await planLocked(target, inputs, session, options);
    const stale = saved ? staleness(saved, savePlan(plan, environment, version)) : [];
    const refusals = [...stale, ...refusalsOf(explainPlan(plan, context.flags), options)];
    if (refusals.length > 0) fail(refusals);
    ui.planned(plan, inputs);
    if (sends(plan)) orFail(checkCredentials(environment, options, context));
    await ui.confirmed();
    orFail(await session.verify());
    const done = await carryOut(context, inputs, plan, session, signal, {
      ...options,
      event: ui.event,
    });
    ui.applied({ plan, inputs, ...done });
    const exit = applyExitCode(done.report, plan, done.saved.ok);
    return done.saved.ok ? exit : fail(done.saved.diagnostics, exit);
  });
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
  const whenMissing = `the plan was made with the state of ${environment.name}: put it back first; nothing was sent`;
  return { ...opening, whenMissing };
}

function planLocked(
  { context, saved }: Target,
  inputs: Inputs,
  session: Session,
  options: ApplyOptions,
): Promise<Plan> {
  const state = session.isNew ? undefined : session.state;
  const planOptions = saved ? optionsOfPlan(saved.plan, state) : planOptionsOf(options);
  return preparePlan(context, inputs, state, planOptions);
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
