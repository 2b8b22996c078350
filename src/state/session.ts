import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { fold, StateDraft } from './draft.ts';
import type { Entries } from './entries.ts';
import { isIntent, type StateEvent } from './event.ts';
import { formatState } from './format.ts';
import type { LockOwner } from './lock-owner.ts';
import type { State, Target } from './model.ts';
import { type Replayed, readRecorded } from './replay.ts';
import type { JournalHeader, JournalWriter, LockFailed, LockHeld, LockOutcome, StateStore } from './store.ts';
import { assertTarget, isOlder, isSameVersion, type SavedVersion, versionOf } from './version.ts';

export interface SessionOptions {
  /** A state of another target is refused. Left out where the target does not matter. */
  readonly target?: Target;
  /** Where nothing is recorded yet: the state to begin with. Left out, the outcome is then `absent`. */
  readonly initial?: State;
  /** The newest version of a state that is known to have been here: what is saved gets a higher serial. */
  readonly newest?: SavedVersion | undefined;
  /** Told of every version that was saved, before anybody else. */
  readonly saved?: (version: SavedVersion) => Promise<void>;
}

/** The state of one environment, locked, with everything that is needed to record what happens. */
export interface Session {
  /** The state as the session found it, with what an interrupted run had left in its journal. */
  readonly state: State;
  /** Nothing was ever recorded: the state is the one to begin with. */
  readonly isNew: boolean;
  /** How many events of an interrupted run were taken in. They are saved with the next save. */
  readonly recovered: number;
  /** Whose lock was taken over, if any: that process ended without giving it back. */
  readonly takenOver?: LockOwner;
  /** The state now. Takes a copy, so not for a loop. */
  current(): State;
  /** What is recorded now. */
  readonly entries: Entries;
  /**
   * Resolves once the event is durable. Rejects with a `JournalError` where it can't be made so: an intent is
   * then as if it had not been recorded, and its request must not be sent; everything else is still known and
   * goes into the next save. Throws for an event that can't follow what is recorded: that is our bug.
   */
  record(event: StateEvent): Promise<void>;
  /**
   * For a process that ends in this turn: what is recorded and not durable yet is made so before it returns. `entries`
   * are then those of the journal, but for the outcomes that this gives: they could not be written down.
   */
  recordNow(): readonly StateEvent[];
  /**
   * Writes the state as it is now, after `change`, and gives it: the serial has risen by one (or to that which
   * `change` gave it, if that is higher, and above that of a newer version), or is as it was where there was nothing
   * to save; an older version always is something to save. Events recorded meanwhile wait and belong to the next
   * save. After a failure nothing is lost: the journal stays.
   */
  save(change?: (state: State) => State): Promise<Result<State>>;
  /** What is really kept: what the next session finds, or would find once the state that the journal continues is back. */
  kept(): Promise<State | undefined>;
  /** Fails if the lock is lost or the stored state is not the one that the session goes on from. */
  verify(): Promise<Result<void>>;
  /**
   * Gives the lock back. What was recorded and not saved stays in the journal for the next session. Warns of a journal
   * that a save could not remove.
   */
  close(): Promise<Result<void>>;
}

export type SessionOutcome =
  | { readonly kind: 'open'; readonly session: Session }
  /** Nothing is recorded, and no `initial` state was given. */
  | { readonly kind: 'absent' }
  | LockHeld
  | LockFailed;

/**
 * Locks a state, reads it, and takes in what an interrupted run left.
 *
 * Why a crash between any two steps loses nothing. With n the serial of the stored state:
 *
 * - lock, read, replay: nothing was changed but the lock, and the next run takes that over.
 * - first record: a new journal for n, with the recovered events in it, replaces the old one by a rename.
 *   Before it the old journal has those events, after it the new one has.
 * - record: the event is in the journal for n before anybody is told, and is replayed over n.
 * - save: all appends have ended. State n + 1 holds the fold of the journal. Before its rename: state n and the
 *   journal for n. After: state n + 1 and a journal for n, which is older than the state, and is ignored.
 *   No event can have got into that journal after the fold, for `record` waits until the save has ended.
 * - save that failed: state n + 1 may be there without anybody knowing whether that lasts. The journal for n must
 *   then take nothing more, because beside n + 1 it is ignored. So the state is read again, and if it is n + 1,
 *   the next record begins a journal for that; its folder, which is the state's, has to be synced for it first.
 * - discard: without a journal the next record begins one for n + 1. A crash before it leaves that to the next session.
 */
export async function openSession(
  store: StateStore,
  owner: LockOwner,
  options: SessionOptions = {},
): Promise<SessionOutcome> {
  const lock = await store.lock(owner);
  if (lock.kind !== 'acquired') return lock;
  const recorded = await readFor(store, options);
  if (recorded.ok && recorded.value) {
    // A later state may know nothing of it any more (one from git that forgot an id), and would then be refused. Where
    // it can't be removed it does no harm yet.
    if (recorded.value.isFinished) await store.journal.discard();
    return { kind: 'open', session: createSession(store, lock, recorded.value, options) };
  }
  const released = await lock.release();
  const diagnostics = [...(recorded.ok ? [] : recorded.diagnostics), ...problemsOf(released)];
  return diagnostics.length > 0 ? { kind: 'failed', diagnostics } : { kind: 'absent' };
}

async function readFor(
  store: StateStore,
  { target, initial }: SessionOptions,
): Promise<Result<Replayed | undefined>> {
  const recorded = await readRecorded(store);
  if (!recorded.ok) return recorded;
  const found = recorded.value ?? (initial && { state: initial, stored: initial, events: [] });
  const foreign = found && target && assertTarget(found.state, target);
  return foreign ? failure({ ...foreign, subject: store.describe() }) : success(found);
}

type Acquired = Extract<LockOutcome, { kind: 'acquired' }>;

function createSession(
  store: StateStore,
  lock: Acquired,
  { state, stored, events }: Replayed,
  { newest, saved: tell }: SessionOptions,
): Session {
  let draft = new StateDraft(state);
  /** As last stored, or as found: what the journal continues. */
  let base = stored;
  /** What the next journal has to begin with: recorded by an earlier run, and saved by none. */
  let inherited = events;
  let unsaved = events.length > 0 || state.serial === 0;
  let writer: JournalWriter | undefined;
  let closed = false;
  let looked: Promise<unknown> = Promise.resolve();
  let next: Promise<Result<void>> | undefined;
  let saving: Promise<Result<State>> | undefined;
  const recording = new Set<Promise<void>>();
  /** What an intent that is not durable yet has changed, to be taken back. */
  const intents = new Map<StateEvent, StateEvent>();
  /** Seen, and the journal could not take them: they are for the next save. */
  let unwritten: StateEvent[] = [];
  /** Why the journal is still there after the last save. */
  let leftover: readonly Diagnostic[] = [];

  async function record(event: StateEvent): Promise<void> {
    while (saving) await saving;
    const recorded = append(event);
    recording.add(recorded);
    try {
      await recorded;
    } finally {
      recording.delete(recorded);
    }
  }

  async function append(event: StateEvent): Promise<void> {
    if (closed) throw new Error('The session is closed.');
    const back = takenBack(event, draft.entries);
    // Folded first, and in the same turn as the append: an impossible event never reaches the journal, and both
    // have one order. It can't be saved before it is durable, for a save waits for every event under way.
    draft.apply(event);
    unsaved = true;
    if (back) intents.set(event, back);
    writer ??= store.journal.open(headerOf(base), inherited);
    try {
      await writer.append(event);
    } catch (cause) {
      if (back) draft.apply(back);
      else unwritten.push(event);
      throw cause;
    } finally {
      intents.delete(event);
    }
  }

  function recordNow(): readonly StateEvent[] {
    const left = writer?.appendNow() ?? [];
    for (const event of left.toReversed()) {
      const back = intents.get(event);
      if (back) draft.apply(back);
    }
    return [...unwritten, ...left].filter((event) => !isIntent(event));
  }

  async function save(change?: (state: State) => State): Promise<Result<State>> {
    while (saving) await saving;
    saving = saveAll(change);
    try {
      return await saving;
    } finally {
      saving = undefined;
    }
  }

  async function saveAll(change?: (state: State) => State): Promise<Result<State>> {
    await Promise.allSettled(recording);
    // Before `change` takes anything out, what the journal says is in the state: else, after a crash between
    // write and discard, the journal would name ids that the state does not, and be refused.
    const isLeft = unsaved || (change === undefined && isOlder(base, newest));
    const saved = isLeft ? await write(draft.snapshot()) : success(draft.snapshot());
    return saved.ok && change ? write(change(saved.value)) : saved;
  }

  async function write(content: State): Promise<Result<State>> {
    const serial = newest && isOlder(content, newest) ? newest.serial + 1 : content.serial;
    const next = { ...content, serial: Math.max(serial, base.serial + 1) };
    const written = await store.write(next, versionOf(base));
    if (!written.ok) {
      if (await isStored(next)) await continueFrom(next);
      unsaved = true;
      return written;
    }
    await continueFrom(next);
    await tell?.(next);
    leftover = problemsOf(await store.journal.discard()).map(asWarning);
    return success(next);
  }

  async function kept(): Promise<State | undefined> {
    const found = await readRecorded(store);
    if (found.ok) return found.value?.state;
    const read = await store.journal.replay();
    const journal = read.ok ? read.value : undefined;
    return journal && isSameVersion(journal.header, versionOf(base)) ? fold(base, journal.events) : undefined;
  }

  async function isStored(next: State): Promise<boolean> {
    const stored = await store.read();
    return stored.ok && stored.value !== undefined && formatState(stored.value) === formatState(next);
  }

  async function continueFrom(next: State): Promise<void> {
    base = next;
    draft = new StateDraft(next);
    inherited = [];
    unwritten = [];
    unsaved = false;
    await writer?.close();
    writer = undefined;
  }

  /** One look at a time, shared by all who ask before it begins. */
  function verify(): Promise<Result<void>> {
    next ??= looked.then(() => {
      next = undefined;
      const look = store.verify(versionOf(base));
      looked = look;
      return look;
    });
    return next;
  }

  async function close(): Promise<Result<void>> {
    while (saving) await saving;
    closed = true;
    await Promise.allSettled(recording);
    await writer?.close();
    const released = await lock.release();
    return released.ok ? success(undefined, leftover) : failure(...released.diagnostics, ...leftover);
  }

  const { takenOver } = lock;
  return {
    state,
    isNew: stored.serial === 0 && events.length === 0,
    recovered: events.length,
    ...(takenOver && { takenOver }),
    current: () => draft.snapshot(),
    get entries() {
      return draft.entries;
    },
    record,
    recordNow,
    save,
    kept,
    verify,
    close,
  };
}

/** What undoes an intent whose request was never sent. */
function takenBack(event: StateEvent, entries: Entries): StateEvent | undefined {
  if (event.type === 'create-intent') {
    const earlier = entries.find('pending', event.address);
    return { type: 'create-rejected', address: event.address, ...(earlier && { earlier }) };
  }
  if (event.type !== 'update-intent') return undefined;
  const earlier = entries.find('live', event.address)?.unconfirmed;
  return { type: 'update-rejected', address: event.address, ...(earlier && { earlier }) };
}

function headerOf(state: State): JournalHeader {
  return { formatVersion: 2, target: state.target, ...versionOf(state) };
}

function problemsOf(result: Result<unknown>): readonly Diagnostic[] {
  return result.ok ? [] : result.diagnostics;
}

/** A journal that could not be removed after a save does no harm: it is older than the state. */
function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: 'warning' };
}
