import type { StateEvent } from '../../state/event.ts';
import type { State } from '../../state/model.ts';
import type { Session } from '../../state/session.ts';
import { JournalError } from '../../state/store.ts';
import type { Result } from '../../text/diagnostic.ts';

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
