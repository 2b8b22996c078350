import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import equal from 'fast-deep-equal';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { fold, StateDraft } from './draft.ts';
import type { Entries } from './entries.ts';
import { isIntent, type StateEvent, takenBack } from './event.ts';
import { formatState } from './format.ts';
import type { JournalHeader } from './journal-format.ts';
import { JournalWriter } from './journal-writer.ts';
import type { LockOwner } from './lock-owner.ts';
import { isUntouched, type State, type Target } from './model.ts';
import { type Replayed, readRecorded } from './replay.ts';
import type { LockHeld, StateStore } from './store.ts';
import {
  assertTarget,
  isOlder,
  isSameVersion,
  MOST_REVISIONS,
  type SavedVersion,
  type StateVersion,
  versionOf,
} from './version.ts';

export interface SessionOptions {
  /** A state of another target is refused. Left out if the target does not matter. */
  readonly target?: Target;
  /**
   * The state to begin with if nothing is recorded yet, or to put back if a journal continues it. Left out, the outcome is
   * `absent` if nothing is recorded.
   */
  readonly initial?: State;
  /** The newest version of a state that is known to have been here: what is saved gets a higher serial. */
  readonly newest?: SavedVersion | undefined;
  /** Called with every version that was saved, before anybody else learns of it. */
  readonly saved?: (state: State) => Promise<void>;
}

export type SessionOutcome =
  | { readonly kind: 'open'; readonly session: Session }
  /** Nothing is recorded, and no `initial` state was given. */
  | { readonly kind: 'absent' }
  | LockHeld;

/**
 * Locks a state, reads it, and replays what an interrupted run left.
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
): Promise<Result<SessionOutcome>> {
  const anything = options.initial ? success(true) : await store.hasAnything();
  if (anything.ok && !anything.value) return success({ kind: 'absent' });
  const locked = await store.lock.take(owner);
  if (!locked.ok) return locked;
  const lock = locked.value;
  if (lock.kind === 'held') return success(lock);
  const recorded = await readFor(store, options);
  if (recorded.ok && recorded.value) {
    // The state has taken this journal in. If it stayed, a state restored from git later, without its IDs, would be
    // refused; a failure to remove it does no harm yet.
    if (recorded.value.isFinished) await store.journal.discard();
    return success({ kind: 'open', session: new Session(store, lock.takenOver, recorded.value, options) });
  }
  const diagnostics = [...problemsOf(recorded), ...problemsOf(await store.lock.release())];
  return diagnostics.length > 0 ? failure(...diagnostics) : success({ kind: 'absent' });
}

async function readFor(
  store: StateStore,
  { target, initial }: SessionOptions,
): Promise<Result<Replayed | undefined>> {
  const recorded = await readRecorded(store, initial);
  if (!recorded.ok) return recorded;
  const state = initial && { ...initial, serial: 0 };
  const found = recorded.value ?? (state && { state, stored: state, events: [] });
  const foreign = found && target && assertTarget(found.state, target);
  return foreign ? failure({ ...foreign, subject: store.path }) : success(found);
}

/** The state of one environment, locked, with everything that is needed to record what happens. */
export class Session {
  /** The state as the session found it, with what an interrupted run had left in its journal. */
  readonly state: State;
  /** Nothing was ever recorded: the state is the one to begin with. */
  readonly isNew: boolean;
  /** How many events of an interrupted run were replayed. They are saved with the next save. */
  readonly recovered: number;
  /** What a save has to be given in place of the state: the state that was to be put back, with its journal. */
  readonly restored: State | undefined;
  /** Whose lock was taken over, if any: that process ended without giving it back. */
  readonly takenOver: LockOwner | undefined;
  readonly #store: StateStore;
  readonly #options: SessionOptions;
  #draft: StateDraft;
  /** As last stored, or as found: what the journal continues. */
  #base: State;
  #version: StateVersion;
  /** What is stored can't be read, and has no version. */
  #isUnreadable: boolean;
  /** What the next journal has to begin with: recorded by an earlier run, and saved by none. */
  #inherited: readonly StateEvent[];
  #unsaved: boolean;
  #writer: JournalWriter | undefined;
  #closed = false;
  #lastCheck: Promise<unknown> = Promise.resolve();
  #queuedCheck: Promise<Result<void>> | undefined;
  #saving: Promise<Result<State>> | undefined;
  readonly #recording = new Set<Promise<void>>();
  /** Known, and not in the journal, which failed: they are for the next save. */
  #unwritten: StateEvent[] = [];
  /** Why the journal is still there after the last save. */
  #leftover: readonly Diagnostic[] = [];

  constructor(
    store: StateStore,
    takenOver: LockOwner | undefined,
    recorded: Replayed,
    options: SessionOptions,
  ) {
    const { state, stored, events, restored, isUnreadable = false } = recorded;
    this.state = state;
    this.restored = restored;
    this.isNew = stored.serial === 0 && events.length === 0;
    this.recovered = events.length;
    this.takenOver = takenOver;
    this.#store = store;
    this.#options = options;
    this.#draft = new StateDraft(state);
    this.#base = stored;
    this.#version = versionOf(stored);
    this.#isUnreadable = isUnreadable;
    this.#inherited = events;
    this.#unsaved = events.length > 0 || state.serial === 0;
  }

  /** The state now. Takes a copy, so not for a loop. */
  current(): State {
    return this.#draft.snapshot();
  }

  /** What is recorded now. */
  get entries(): Entries {
    return this.#draft.entries;
  }

  /**
   * Resolves once the event is durable. Rejects with a `JournalError` if it can't be made so: the request of an intent
   * must then not be sent; everything else is still known and goes into the next save. Throws for an event that can't
   * follow what is recorded: that is our bug.
   */
  async record(event: StateEvent): Promise<void> {
    while (this.#saving) await this.#saving;
    const recorded = this.#append(event);
    this.#recording.add(recorded);
    await recorded.finally(() => this.#recording.delete(recorded));
  }

  async #append(event: StateEvent): Promise<void> {
    if (this.#closed) throw new Error('The session is closed.');
    const back = isIntent(event) ? takenBack(event, this.#draft.entries) : undefined;
    // Folded first, and in the same turn as the append: an impossible event never reaches the journal, and both
    // have one order. It can't be saved before it is durable, for a save waits for every event under way.
    this.#draft.apply(event);
    this.#unsaved = true;
    const header: JournalHeader = { formatVersion: 2, target: this.#base.target, ...this.#version };
    this.#writer ??= new JournalWriter(this.#store, header, this.#inherited);
    try {
      await this.#writer.append(event);
    } catch (cause) {
      if (back) this.#draft.apply(back);
      else if (!isIntent(event)) this.#unwritten.push(event);
      throw cause;
    }
  }

  /** Whether nothing that is known waits for the disk. `entries` are then those of the journal, except `unwritten`. */
  get isSettled(): boolean {
    return this.#recording.size === 0 && this.#saving === undefined;
  }

  /** The outcomes that the journal could not take. */
  get unwritten(): readonly StateEvent[] {
    return this.#unwritten;
  }

  /** Resolves once it is settled; an answer that comes later may unsettle it. */
  async settled(): Promise<void> {
    do {
      await Promise.allSettled([...this.#recording, this.#saving]);
      // Whoever waited for these first takes back an intent, say.
      await setImmediate();
    } while (!this.isSettled);
  }

  /**
   * Writes the state as it is now, or `replacement`, and gives it, with a serial above that of every version known; or
   * as it was if there was nothing to save. An older version always is something to save. Events recorded meanwhile
   * wait for the next save. After a failure nothing is lost: the journal stays.
   */
  async save(replacement?: State): Promise<Result<State>> {
    while (this.#saving) await this.#saving;
    this.#saving = this.#saveAll(replacement).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #saveAll(replacement?: State): Promise<Result<State>> {
    await Promise.allSettled(this.#recording);
    // The journal would go with a state that has not taken it in.
    if (replacement && this.restored) return this.#write(replacement);
    // Before the replacement takes anything out, what the journal records is in the state: else, after a crash between
    // write and discard, the journal would name IDs that the state does not, and be refused.
    const isOld = !replacement && isOlder(this.#base, this.#options.newest);
    const content = this.current();
    const isKept = content.serial > 0 || isUntouched(content);
    if (this.#unsaved && !isOld && isKept && equal(content, this.#base)) await this.#discard();
    const saved = this.#unsaved || isOld ? await this.#write(content) : success(content);
    return saved.ok && replacement ? this.#write(replacement) : saved;
  }

  /**
   * All that was announced was refused: the state stays the version that a saved plan was made from, which may be none.
   */
  async #discard(): Promise<void> {
    await this.#continueFrom(this.#base);
    await this.#removeJournal();
  }

  /** One that could not be removed does no harm: it is older than the state, or adds nothing to it. */
  async #removeJournal(): Promise<void> {
    const discarded = problemsOf(await this.#store.journal.discard());
    this.#leftover = discarded.map((problem) => ({ ...problem, severity: 'warning' }));
  }

  async #write(content: State): Promise<Result<State>> {
    const { saved } = this.#options;
    const next = { ...content, ...this.#nextVersion(content) };
    const written = await this.#store.write(next, this.#isUnreadable ? undefined : this.#version);
    if (!written.ok) {
      if (await this.#isStored(next)) await this.#continueFrom(next);
      this.#unsaved = true;
      return written;
    }
    await this.#continueFrom(next);
    await saved?.(next);
    await this.#removeJournal();
    return success(next);
  }

  /** A later version of the stored state is put back as it was. What another one takes the place of, it follows. */
  #nextVersion(content: State): Pick<State, 'serial' | 'revisions'> {
    const { newest } = this.#options;
    const isOld = newest !== undefined && isOlder(content, newest);
    const serial = Math.max(isOld ? newest.serial + 1 : content.serial, this.#base.serial + 1);
    const { revisions = [] } = content;
    const { revisions: replaced = [] } = this.#base;
    const [last] = replaced;
    const isLater = !this.restored && (last === undefined || revisions.includes(last));
    if (serial === content.serial && isLater) return { serial, revisions };
    const overruled = isOld && newest.revision !== undefined ? [newest.revision] : [];
    const all = new Set([randomUUID().slice(-12), ...overruled, ...revisions, ...replaced]);
    return { serial, revisions: [...all].slice(0, MOST_REVISIONS) };
  }

  async #isStored(next: State): Promise<boolean> {
    const stored = await this.#store.read();
    return stored.ok && stored.value !== undefined && formatState(stored.value) === formatState(next);
  }

  async #continueFrom(next: State): Promise<void> {
    this.#base = next;
    this.#version = versionOf(next);
    this.#isUnreadable = false;
    this.#draft = new StateDraft(next);
    this.#inherited = [];
    this.#unwritten = [];
    this.#unsaved = false;
    await this.#writer?.close();
    this.#writer = undefined;
  }

  /** What is really kept: what the next session finds, or would find once the state that the journal continues is back. */
  async kept(): Promise<State | undefined> {
    const found = await readRecorded(this.#store);
    if (found.ok) return found.value?.state;
    const read = await this.#store.journal.read();
    const journal = read.ok ? read.value : undefined;
    const continues = journal && isSameVersion(journal.header, this.#version);
    return continues ? fold(this.#base, journal.events) : undefined;
  }

  /**
   * Fails if the lock is lost or the stored state is not the one that the session goes on from. Calls that come before
   * a check begins share it.
   */
  verify(): Promise<Result<void>> {
    this.#queuedCheck ??= this.#lastCheck.then(() => {
      this.#queuedCheck = undefined;
      const check = this.#store.verify(this.#version);
      this.#lastCheck = check;
      return check;
    });
    return this.#queuedCheck;
  }

  /**
   * Gives the lock back. What was recorded and not saved stays in the journal for the next session. Warns of a journal
   * that a save could not remove.
   */
  async close(): Promise<Result<void>> {
    while (this.#saving) await this.#saving;
    this.#closed = true;
    await Promise.allSettled(this.#recording);
    await this.#writer?.close();
    const released = await this.#store.lock.release();
    return released.ok
      ? success(undefined, this.#leftover)
      : failure(...released.diagnostics, ...this.#leftover);
  }
}

function problemsOf(result: Result<unknown>): readonly Diagnostic[] {
  return result.ok ? [] : result.diagnostics;
}
