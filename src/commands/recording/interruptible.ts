import { interruptedText, stoppedText } from '../../render/interrupted-text.ts';
import type { Session } from '../../state/session.ts';
import type { CommandContext } from '../invocation/context.ts';

/**
 * Runs `work` with a signal that the first Ctrl-C aborts. A second one ends the process; before that it is told which
 * outcomes are unknown then, also where the context is silent.
 */
export async function interruptible<T>(
  context: CommandContext,
  session: Pick<Session, 'entries' | 'recordNow'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { io, flags } = context;
  const stop = new AbortController();
  const removeListener = io.onInterrupt((isRepeated) => {
    // Recorded first: what is counted is what the journal leaves open, and no answered id may be lost.
    if (isRepeated) {
      const unwritten = session.recordNow();
      io.stderr.write(stoppedText(session.entries, unwritten, flags));
    } else context.note(interruptedText);
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } finally {
    removeListener();
  }
}
