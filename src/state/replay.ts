import {
  type Diagnostic,
  error,
  failure,
  type JournalMismatch,
  type Result,
  success,
} from '../text/diagnostic.ts';
import { leftBy, stateCovers } from './coverage.ts';
import { fold } from './draft.ts';
import type { StateEvent } from './event.ts';
import { flawOf } from './format.ts';
import type { Journal } from './journal-format.ts';
import { newState, type State } from './model.ts';
import type { MislaidJournal, StateStore } from './store.ts';
import { assertTarget, isSameVersion, versionOf } from './version.ts';

/** What is recorded, once the journal of an interrupted run is taken in. */
export interface Replayed {
  readonly state: State;
  /** As it is stored: what a journal continues. */
  readonly stored: State;
  /** What the journal added to the stored state, in order. Empty if there was none, or only a finished one. */
  readonly events: readonly StateEvent[];
  /** There is a journal that the state has taken in: a crash came before its removal. */
  readonly isFinished?: true;
  /** What the journal makes of the state that shall be put back: it continues that, and not the stored one. */
  readonly restored?: State;
  /** What is stored can't be read: `stored` stands for it. */
  readonly isUnreadable?: true;
}

/** Joins a stored state and the journal beside it. `subject` is where they are, for the diagnostics. */
function replay(
  state: State | undefined,
  journal: Journal | undefined,
  subject: string,
): Result<Replayed | undefined> {
  if (!journal) return success(state && { state, stored: state, events: [] });
  const { header, events } = journal;
  // A run that was interrupted before its first save: the journal alone says what the state was, namely empty.
  const base = state ?? (header.serial === 0 ? newState(header) : undefined);
  if (!base) return failure(mismatch({ why: 'state-missing', journal: header.serial }, events, subject));
  const why = mismatchOf(base, journal);
  if (why) return failure(mismatch(why, events, subject));
  if (isSameVersion(header, versionOf(base))) return foldOnto(base, events, subject);
  return success({ state: base, stored: base, events: [], isFinished: true });
}

/** The events were written by Trove, or by whoever could put a file there. */
function foldOnto(base: State, events: readonly StateEvent[], subject: string): Result<Replayed> {
  try {
    const state = fold(base, events);
    // As the next save stores it: a state that was never saved has serial 0.
    const flaw = flawOf({ ...state, serial: base.serial + 1 });
    if (!flaw) return success({ state, stored: base, events });
    return failure(error('journal-contradiction', { why: 'invalid', ...flaw }, { subject }));
  } catch (cause) {
    const { message: said } = cause as Error;
    return failure(error('journal-contradiction', { why: 'impossible-event', said }, { subject }));
  }
}

const brokenState: ReadonlySet<string> = new Set(['state-invalid', 'state-not-json']);

/** If a journal continues `initial`, which was replaced without it. */
function restoredBy(
  initial: State | undefined,
  read: Result<State | undefined>,
  journal: Journal | undefined,
  subject: string,
): Result<Replayed> | undefined {
  if (!read.ok && !read.diagnostics.every(({ rule }) => brokenState.has(rule))) return undefined;
  if (!initial?.serial || !journal || !isSameVersion(journal.header, versionOf(initial))) return undefined;
  const folded = foldOnto(initial, journal.events, subject);
  if (!folded.ok) return folded;
  const stored = (read.ok && read.value) || { ...initial, serial: 0 };
  // With what the journal has, it is another version.
  const restored = { ...folded.value.state, serial: initial.serial + 1 };
  const unreadable = !read.ok && ({ isUnreadable: true } as const);
  return success({ state: stored, stored, events: journal.events, restored, ...unreadable });
}

/** Why a journal neither continues this state nor is taken in by it; undefined if it does or is. */
function mismatchOf(state: State, { header, events }: Journal): JournalMismatch | undefined {
  const serials = { journal: header.serial, state: state.serial };
  if (header.lineage !== state.lineage) return { why: 'other-lineage' };
  if (header.serial > state.serial) return { why: 'later-state', ...serials };
  if (assertTarget(state, header.target)) return { why: 'other-target' };
  if (stateCovers(state, events) || isSameVersion(header, versionOf(state))) return undefined;
  return header.serial === state.serial
    ? { why: 'other-contents', state: state.serial }
    : { why: 'not-taken-in', ...serials };
}

/** Its ids are named, since nothing else may have them. */
function mismatch(why: JournalMismatch, events: readonly StateEvent[], subject: string): Diagnostic {
  return error('journal-mismatch', { ...why, ids: leftBy(events).ids }, { subject });
}

/**
 * What a store has recorded: its state and what an interrupted run left in the journal; undefined if nothing
 * was ever recorded. Changes nothing and needs no lock.
 *
 * The journal is read first. A save writes the state and only then removes the journal, so a journal that is
 * missing or older than the state that is read after it has nothing to add. That an older one has been taken in
 * is checked all the same: a state from git may have a higher serial and know nothing of it.
 *
 * A journal that the state left behind when it was moved or given another name is looked for too.
 *
 * `initial` is the state that shall be put back, if so.
 */
export async function readRecorded(
  store: StateStore,
  initial?: State,
): Promise<Result<Replayed | undefined>> {
  const journal = await store.journal.read();
  if (!journal.ok) return journal;
  const state = await store.read();
  const recorded = state.ok ? replay(state.value, journal.value, store.path) : state;
  if (!recorded.ok) return restoredBy(initial, state, journal.value, store.path) ?? recorded;
  const found = await store.journal.elsewhere(recorded.value?.stored.lineage);
  if (!found.ok) return found;
  const [first, ...others] = found.value
    .filter((mislaid) => !isTakenIn(mislaid, recorded.value))
    .map((mislaid) => journalElsewhere(mislaid, recorded.value, store.path));
  return first ? failure(first, ...others) : recorded;
}

function isTakenIn({ journal: { header, events } }: MislaidJournal, recorded: Replayed | undefined): boolean {
  if (!recorded) return stateCovers(newState(header), events);
  return header.serial < recorded.stored.serial && stateCovers(recorded.state, events);
}

/** The state was moved without it: what it records would be created a second time. */
function journalElsewhere(
  { path, place, journal: { header, events } }: MislaidJournal,
  recorded: Replayed | undefined,
  subject: string,
): Diagnostic {
  const isNext = recorded ? isSameVersion(header, versionOf(recorded.stored)) : header.serial === 0;
  return error(
    'journal-elsewhere',
    {
      path,
      place,
      isNext: isNext && !recorded?.events.length,
      serial: header.serial,
      ids: leftBy(events).ids,
    },
    { subject },
  );
}
