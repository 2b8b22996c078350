import type { Environment } from '../../environment/model.ts';
import { interruptedText, stoppedText } from '../../render/progress.ts';
import type { Session } from '../../state/session.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { loadEnvironmentOnly } from '../invocation/inputs.ts';
import { type OpenStateOptions, openState } from './open-state.ts';

/** `signal` is aborted by the first Ctrl-C: nothing new is begun, what is under way is finished and recorded. */
type Work = (session: Session, signal: AbortSignal) => Promise<ExitCode>;

/**
 * Locks the state of an environment for as long as `work` takes; where it can't, the exit code says why. What ends
 * without success after a first Ctrl-C was interrupted. A second one ends the process; before that it is told which
 * outcomes are unknown then, also where the context is silent.
 */
export async function withStateOf(
  environment: Environment,
  options: OpenStateOptions,
  context: CommandContext,
  work: Work,
): Promise<ExitCode> {
  const { io, flags } = context;
  const stop = new AbortController();
  let session: Session | undefined;
  const removeListener = io.onInterrupt((isRepeated) => {
    stop.abort();
    if (!isRepeated) context.note(interruptedText);
    if (!isRepeated || !session) return;
    // Recorded first: what is counted is what the journal leaves open, and no answered id may be lost.
    const unwritten = session.recordNow();
    io.stderr.write(stoppedText(session.entries, unwritten, flags));
  });
  try {
    const opened = await openState(environment, options, context);
    if (!opened.ok) return opened.exit;
    session = opened.session;
    let exit: ExitCode = exitCode.error;
    try {
      if (!stop.signal.aborted) exit = await work(session, stop.signal);
    } finally {
      const closed = await session.close();
      if (!closed.ok) {
        context.complain(closed.diagnostics);
        if (exit === exitCode.done) exit = exitCode.error;
      }
    }
    return stop.signal.aborted && exit === exitCode.error ? exitCode.interrupted : exit;
  } finally {
    removeListener();
  }
}

/** The same for the chosen environment, which must have a state. */
export async function withState(context: CommandContext, operation: string, work: Work): Promise<ExitCode> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) {
    context.complain(environment.diagnostics);
    return exitCode.error;
  }
  const whenMissing = 'it begins with the first apply or import; if it is mislaid, put it back first';
  return withStateOf(environment.value, { operation, create: false, whenMissing }, context, work);
}
