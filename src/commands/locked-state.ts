import { randomUUID } from 'node:crypto';
import { shownPath } from '../catalog/find.ts';
import type { Environment } from '../environment/model.ts';
import { targetOf } from '../plan/make-plan.ts';
import type { PlanOptions } from '../plan/options.ts';
import type { GuardReason } from '../plan/reason.ts';
import { explainGuard } from '../render/messages/explain-plan.ts';
import { explained, explainProblems } from '../render/messages/explain-problem.ts';
import { beginsLater } from '../render/messages/state-command-problems.ts';
import { renderRecovered, renderTakeover } from '../render/state-text.ts';
import { interruptedText, stoppedText } from '../render/terminal.ts';
import type { StateEvent } from '../state/event.ts';
import { JournalError } from '../state/journal-writer.ts';
import { currentOwner } from '../state/lock-owner.ts';
import { newState, type State } from '../state/model.ts';
import { openSession, type Session } from '../state/session.ts';
import { isOlder } from '../state/version.ts';
import type { Diagnostic, Result } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import {
  CommandFailure,
  codeOf,
  type Ending,
  type ExitCode,
  exitCode,
  fail,
  orFail,
  refuse,
} from './exit-code.ts';
import { newestHere, noState, noteHere, sharedBeginning, stateStore } from './state.ts';

/** `signal` is aborted by the first Ctrl-C: no new request is sent, requests in flight finish and are recorded. */
type Work = (session: Session, signal: AbortSignal) => Promise<ExitCode> | Promise<void>;

export interface OpenStateOptions {
  readonly operation: string;
  /** Begin a new state if there is none; without it a missing state is refused. */
  readonly create: boolean;
  /** What a new state begins with, or what is put back if a journal continues it; left out, a new one begins empty. */
  readonly initial?: State;
  /** What to do about a missing state; left out, the ways to begin one. */
  readonly whenMissing?: string;
  /** The command that begins a state; left out, that of apply. */
  readonly begin?: string | undefined;
  /** What the plan was limited to: commands that are printed are, too. */
  readonly asked?: PlanOptions;
  /** The command handles a state that is older than one that this machine had, or gone; others are refused. */
  readonly takesOlder?: boolean;
}

/** A state whose lock this run has. */
export interface LockedState {
  readonly session: Session;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Does the work, unless Ctrl-C came before it, and releases the lock. Called once. */
  readonly finish: (work: () => Promise<Ending>) => Promise<ExitCode>;
  /** Releases the lock after something failed, which is thrown again. */
  readonly release: (cause: unknown) => Promise<never>;
}

/**
 * Locks the state of an environment. A second Ctrl-C ends the process; before that it prints which outcomes are
 * unknown, also if the context is silent.
 */
export async function lockState(
  environment: Environment,
  options: OpenStateOptions,
  context: CommandContext,
): Promise<LockedState> {
  const { io, flags } = context;
  const stop = new AbortController();
  let opened: Session | undefined;
  const removeListener = io.onInterrupt((isRepeated) => {
    stop.abort();
    if (!isRepeated) context.note(interruptedText);
    if (!isRepeated || !opened) return undefined;
    const session = opened;
    return {
      isSettled: () => session.isSettled,
      settled: () => session.settled(),
      report: () => {
        const { asked = [] } = session.current().recovering ?? {};
        io.stderr.write(stoppedText(session.entries, asked, session.unwritten, flags));
      },
    };
  });
  try {
    const session = await context.timed('state', () => openState(environment, options, context));
    opened = session;
    const { signal } = stop;
    const end = (work: () => Promise<Ending>) => endWith(work, session, signal).finally(removeListener);
    return {
      session,
      signal,
      finish: (work) => end(async () => (signal.aborted ? fail([]) : work())),
      release: (cause) => end(() => Promise.reject(cause)) as Promise<never>,
    };
  } catch (cause) {
    removeListener();
    throw cause;
  }
}

/** Fails with what failed in the work and in the release of the lock; after Ctrl-C that was an interruption. */
async function endWith(
  work: () => Promise<Ending>,
  session: Session,
  signal: AbortSignal,
): Promise<ExitCode> {
  const problems: Diagnostic[] = [];
  let code: ExitCode = exitCode.error;
  let hasFailed = true;
  try {
    code = codeOf(await work());
    hasFailed = false;
  } catch (cause) {
    if (!(cause instanceof CommandFailure)) throw cause;
    problems.push(...cause.problems);
    code = cause.exitCode;
  } finally {
    const closed = await session.close();
    if (!closed.ok && code === exitCode.done) code = exitCode.error;
    problems.push(...(closed.ok ? (closed.warnings ?? []) : closed.diagnostics));
  }
  const exit = signal.aborted && code === exitCode.error ? exitCode.interrupted : code;
  // Without a problem too, as where a person says no: no caller can take it for an end like any other.
  return hasFailed || problems.length > 0 ? fail(problems, exit) : exit;
}

/** Locks the state of an environment for as long as `work` takes. */
export async function withStateOf(
  environment: Environment,
  options: OpenStateOptions,
  context: CommandContext,
  work: Work,
): Promise<ExitCode> {
  const locked = await lockState(environment, options, context);
  return locked.finish(async () => work(locked.session, locked.signal));
}

/** The same for the chosen environment, which must have a state. */
export async function withState(context: CommandContext, operation: string, work: Work): Promise<ExitCode> {
  const environment = orFail(await loadEnvironmentOnly(context));
  return withStateOf(environment, { operation, create: false, whenMissing: beginsLater }, context, work);
}

async function openState(
  environment: Environment,
  { operation, create, initial, whenMissing, begin, asked, takesOlder = false }: OpenStateOptions,
  context: CommandContext,
): Promise<Session> {
  const since = context.io.now().toISOString();
  const owner = await currentOwner({ id: randomUUID(), operation, since, version });
  const target = targetOf(environment);
  const store = stateStore(environment, context);
  const newest = await newestHere(environment, context);
  const saved = (state: State) => noteHere(environment, state, context);
  const beginning = create && { initial: initial ?? newState({ lineage: randomUUID(), target }) };
  const opened = orFail(await openSession(store, owner, { target, newest, saved, ...beginning }));
  const { name, state } = environment;
  const subject = state.path;
  const guard = (reason: GuardReason) => {
    const { reason: message, remedies } = explainGuard(reason, {
      environment: name,
      flags: context.flags,
      begin,
      asked,
    });
    return explained(reason.code, message, { subject, hint: remedies.join('; ') });
  };
  // A state that begins over would not know what is there. An apply may recover it, which its plan decides.
  const isGone = newest !== undefined && environment.service.kind === 'remote';
  const remove = shownPath(environment.newestVersionPath, environment.catalogFolder);
  const gone = isGone ? ({ code: 'state-gone', serial: newest.serial, remove } as const) : undefined;
  if (opened.kind === 'absent') {
    if (whenMissing === undefined) return fail([guard(gone ?? { code: 'no-state' })]);
    const problems = explainProblems([noState(environment)], context.flags);
    return fail(problems.map((problem) => ({ ...problem, hint: whenMissing })));
  }
  if (opened.kind === 'held')
    return refuse('locked', { why: 'held', owner: opened.owner }, { subject }, exitCode.locked);
  const { session } = opened;
  const objections = session.isNew ? [...(await sharedBeginning(environment, context))] : [];
  if (session.isNew && gone && !takesOlder) objections.push(guard(gone));
  const isOld = newest && isOlder(session.state, newest);
  if (isOld && !takesOlder)
    objections.push(guard({ code: 'older-state', serial: session.state.serial, newest: newest.serial }));
  if (objections.length > 0) {
    await session.close();
    fail(objections);
  }
  if (session.state.serial > 0 && !isOld) await saved(session.state);
  const { recovered, takenOver } = session;
  if (takenOver) context.note(renderTakeover(takenOver));
  if (recovered > 0) context.note(renderRecovered(recovered));
  return session;
}

/**
 * Records events and saves the state. What the journal could not take (a full disk, say) is in the save all the
 * same, so the save alone decides.
 */
export async function recordAndSave(session: Session, events: readonly StateEvent[]): Promise<Result<State>> {
  await recordForSave(session, events);
  return session.save();
}

/** Records events that a save will follow, none of them the intent of a create: the journal need not take them. */
export async function recordForSave(session: Session, events: readonly StateEvent[]): Promise<void> {
  const outcomes = await Promise.allSettled(events.map((event) => session.record(event)));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !(outcome.reason instanceof JournalError)) throw outcome.reason;
  }
}
