import type { Result } from '../text/diagnostic.ts';
import type { StateEvent } from './event.ts';
import type { LockOwner } from './lock-owner.ts';
import type { State, Target } from './model.ts';
import type { StateVersion } from './version.ts';

/**
 * Where the state of one environment lives. Every backend gives exactly this, and
 * `test/state/store-suite.ts` holds each to it. What users and their machines cause (a full disk, no
 * permission, a damaged file) is a failed Result, never a throw.
 */
export interface StateStore {
  /** Where the state is, as people should see it: a path, a URL without credentials. */
  describe(): string;
  /**
   * Must give the last state whose `write` succeeded, or undefined where none was ever written.
   * May be called without the lock. Must not change anything, nor give a half-written state.
   */
  read(): Promise<Result<State | undefined>>;
  /**
   * Must give the lock to at most one owner at a time, also across machines that share the store.
   * May take over the lock of a process that is certainly gone, and then says so.
   * Must not wait: who finds it held decides what to do.
   */
  lock(owner: LockOwner): Promise<LockOutcome>;
  /** Who has the lock, for people to see. May be called without the lock. Must not change anything. */
  inspectLock(): Promise<LockState>;
  /**
   * Removes the lock of `holder`, as `inspectLock` gave it, and no other: whoever took it since keeps it. `by` is who
   * asks. Never in the middle of a step of a process that is alive; with `force`, of one whose standing is unknown.
   */
  unlock(by: LockOwner, holder: LockOwner | undefined, force?: boolean): Promise<UnlockOutcome>;
  /** Must fail once the lock that this store took is lost, or another version is stored. */
  verify(version: StateVersion): Promise<Result<void>>;
  /**
   * Must replace the state, whole and durably, if the stored one is `expected`, and fail without any change if it is
   * not. Must not succeed once the lock that this store took is lost. `state.serial` is above that of `expected`.
   */
  write(state: State, expected: StateVersion): Promise<Result<void>>;
  readonly journal: JournalStore;
}

/** The journal beside a state: what happened since it was last written. Only the lock's holder writes it. */
export interface JournalStore {
  /** Must give every event whose append resolved, in order; fails where one of them can't be read any more. */
  replay(): Promise<Result<Journal | undefined>>;
  /**
   * Begins a journal that holds `events` already and replaces any earlier one in a single step. Must not touch
   * the disk before the first append, which must fail as `verify` does. Whoever still holds an earlier journal must
   * not be able to append to it.
   */
  open(header: JournalHeader, events: readonly StateEvent[]): JournalWriter;
  /** Removes the journal, if the lock is not lost: its events are in the state. May find none. */
  discard(): Promise<Result<void>>;
  /**
   * Must give every journal of this lineage that lies where the state may have been before it was moved; without a
   * lineage, for nothing is recorded, those of the same target.
   */
  elsewhere(lineage: string | undefined): Promise<Result<readonly MislaidJournal[]>>;
}

/** A journal that the state does not find: `path` is where it lies, `place` where it would be found. */
export interface MislaidJournal {
  readonly path: string;
  readonly place: string;
  readonly journal: Journal;
}

export interface JournalWriter {
  /**
   * Resolves once the event is durable. Appends that wait together become durable together, in the order of
   * the calls. Must fail once the lock that this store took is lost. After one failure this and every later append
   * rejects with a `JournalError`; but once the state was moved, only what announces a request.
   */
  append(event: StateEvent): Promise<void>;
  /**
   * For a process that ends in this turn: makes the appends under way durable before it returns, as far as it can,
   * but for intents that wait, whose requests are then never sent. Gives what is not durable.
   */
  appendNow(): readonly StateEvent[];
  /** Waits for the appends under way, then lets go of the file, which stays. */
  close(): Promise<void>;
}

/** The state that a journal continues. */
export interface JournalHeader extends StateVersion {
  readonly formatVersion: 2;
  readonly target: Target;
}

export interface Journal {
  readonly header: JournalHeader;
  readonly events: readonly StateEvent[];
  /** A write was cut short at the end. Nobody was told that it succeeded, so nothing is missing. */
  readonly torn: boolean;
}

export type LockOutcome =
  | {
      readonly kind: 'acquired';
      /** Gives it back, unless somebody has removed it by force meanwhile. Never removes another's lock. */
      readonly release: () => Promise<Result<void>>;
      /** Whose lock it was: that process ended without giving it back, so a journal may be left. */
      readonly takenOver?: LockOwner;
    }
  | LockHeld
  | LockFailed;

/** Of the process that holds a lock; `alive` is said only of one on this machine. */
export type Standing = 'gone' | 'alive' | 'unknown';

export type LockState =
  | { readonly kind: 'free' }
  | (LockHeld & {
      /** `gone`: the process that took it has certainly ended, and the next `lock` takes it over. */
      readonly standing: Standing;
    })
  | LockFailed;

export type UnlockOutcome =
  | { readonly kind: 'removed' }
  | { readonly kind: 'not-locked' }
  | LockHeld
  | LockBusy
  | LockFailed;

/** A process is, or may be, in the middle of a step with the lock: it writes under it, takes it over or removes it. */
export interface LockBusy {
  readonly kind: 'busy';
  /** Absent where that process left no name. */
  readonly owner?: LockOwner;
  readonly standing: Standing;
}

export interface LockHeld {
  readonly kind: 'held';
  /** Absent where the lock exists and does not say whose it is. */
  readonly owner?: LockOwner;
}

export interface LockFailed {
  readonly kind: 'failed';
  readonly diagnostics: Extract<Result<never>, { ok: false }>['diagnostics'];
}

/**
 * The journal could not be made durable, so nothing may be sent any more. It stays failed: after a failed sync
 * the kernel may report the next one as successful although the data never reached the disk.
 */
export class JournalError extends Error {
  readonly path: string;
  /** The system's code: `ENOSPC`, `EIO`; `ESTALE` where the file was removed or replaced by somebody else. */
  readonly code: string;

  constructor(path: string, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'JournalError';
    this.path = path;
    this.code = code;
  }
}
