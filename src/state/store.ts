import type { Diagnostic, Result } from '../text/diagnostic.ts';
import type { StateEvent } from './event.ts';
import type { Journal, JournalHeader } from './journal-format.ts';
import type { LockFile, LockOwner, Standing } from './lock-owner.ts';
import type { State, Target } from './model.ts';
import type { StateVersion } from './version.ts';

/**
 * Where the state of one environment is kept, with its journal and its lock. What users, machines and networks cause is
 * a failed Result.
 */
export interface StateStore {
  /** As people name the state. */
  readonly path: string;
  /** Whose records the state is of, if no other state may be of it. */
  readonly target?: Target | undefined;
  readonly lock: StateLock;
  readonly journal: StateJournal;
  /** False: there is no state, journal or lock, and a lock would leave something behind (a branch). */
  hasAnything(): Promise<Result<boolean>>;
  /** The last state that was written, or undefined if none ever was. Needs no lock and changes nothing. */
  read(): Promise<Result<State | undefined>>;
  /** Fails once the lock that this store took is lost, or another version is stored. */
  verify(version: StateVersion): Promise<Result<void>>;
  /**
   * Replaces the state, whole and durably, if the stored one is `expected`, and fails without any change if it is
   * not, or the lock that this store took is lost. `state.serial` is above that of `expected`. Left out, the stored one
   * may be anything, also what can't be read.
   */
  write(state: State, expected?: StateVersion): Promise<Result<void>>;
}

export interface StateJournal {
  /** Fails if one of its events can't be read any more. */
  read(): Promise<Result<Journal | undefined>>;
  /**
   * Every journal of this lineage that lies where the state was before; without a lineage, since nothing is recorded,
   * those of the same target.
   */
  elsewhere(lineage: string | undefined): Promise<Result<readonly MislaidJournal[]>>;
  /** Removes the journal, unless the lock is lost: its events are in the state. May find none. */
  discard(): Promise<Result<void>>;
  /**
   * Replaces any earlier journal, in one step, by one with these events, while this process has the lock and the
   * stored state is the one that the header names. Throws a `JournalError`.
   */
  begin(header: JournalHeader, inherited: readonly StateEvent[]): Promise<OpenJournal>;
}

export interface OpenJournal {
  /** Nothing more is sent long before it is full: what was sent needs room for its answers. */
  readonly isHalfFull: boolean;
  /**
   * Makes these events durable together, or throws. If the state was moved, that is what it gives: then the intents
   * among them are refused, and all else is durable.
   */
  append(events: readonly StateEvent[]): Promise<Diagnostic | undefined>;
  /** What was appended stays. */
  close(): Promise<void>;
}

/** A journal that the state does not find: `path` is where it lies, `place` where it would be found. */
export interface MislaidJournal {
  readonly path: string;
  readonly place: string;
  readonly journal: Journal;
}

export interface StateLock {
  /**
   * Gives the lock to at most one owner at a time, also across machines. May take over the lock of a process that is
   * certainly gone. Does not wait: who finds it held decides what to do.
   */
  take(owner: LockOwner): Promise<Result<LockOutcome>>;
  /** Releases it, unless it was removed by force meanwhile. Never removes another's lock. */
  release(): Promise<Result<void>>;
  /** Who has the lock, for people to see. Changes nothing. */
  inspect(): Promise<Result<LockState>>;
  /**
   * Removes the lock of `holder`, as `inspect` gave it, and no other: whoever took it since keeps it. `by` is who asks.
   * Never in the middle of a step of a process that is alive; with `force`, of one whose standing is unknown.
   */
  remove(by: LockOwner, holder: LockOwner | undefined, force?: boolean): Promise<Result<UnlockOutcome>>;
}

export interface LockHeld extends LockFile {
  readonly kind: 'held';
}

export type LockState =
  | { readonly kind: 'free' }
  /** `gone`: the process that took it has certainly ended, and the next `take` takes it over. */
  | (LockHeld & { readonly standing: Standing });

export type LockOutcome =
  /** `takenOver`: whose lock it was. That process ended without giving it back, so a journal may be left. */
  { readonly kind: 'acquired'; readonly takenOver?: LockOwner } | LockHeld;

export type UnlockOutcome =
  | { readonly kind: 'removed' }
  | { readonly kind: 'not-locked' }
  | LockHeld
  | LockBusy;

/** A process is, or may be, in the middle of a step with the lock: it writes under it, takes it over or removes it. */
export interface LockBusy {
  readonly kind: 'busy';
  /** Absent if that process left no name. */
  readonly owner?: LockOwner;
  readonly standing: Standing;
}
