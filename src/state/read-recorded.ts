import type { Result } from '../text/diagnostic.ts';
import { type Recovered, recover } from './recover.ts';
import type { StateStore } from './store.ts';

/**
 * What a store has recorded: its state and what an interrupted run left in the journal; undefined where nothing
 * was ever recorded. Changes nothing and needs no lock.
 *
 * The journal is read first. A save writes the state and only then removes the journal, so a journal that is
 * missing or older than the state that is read after it has nothing to add. That an older one has been taken in
 * is checked all the same: a state from git may have a higher serial and know nothing of it.
 */
export async function readRecorded(store: StateStore): Promise<Result<Recovered | undefined>> {
  const journal = await store.journal.replay();
  if (!journal.ok) return journal;
  const state = await store.read();
  if (!state.ok) return state;
  return recover(state.value, journal.value, store.describe());
}
