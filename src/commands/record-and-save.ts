import type { StateEvent } from '../state/event.ts';
import { JournalError } from '../state/journal-error.ts';
import type { State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import type { Result } from '../text/diagnostic.ts';

/**
 * Records events and saves the state. What the journal could not take (a full disk, say) is in the save all the
 * same, so the save alone decides.
 */
export async function recordAndSave(session: Session, events: readonly StateEvent[]): Promise<Result<State>> {
  await Promise.all(events.map((event) => recordForSave(session, event)));
  return session.save();
}

/** Records what a save follows at once. Not for an intent: that has to be durable by itself. */
export async function recordForSave(session: Session, event: StateEvent): Promise<void> {
  try {
    await session.record(event);
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
  }
}
