import type { Diagnostic, Result } from '../../text/diagnostic.ts';

/** The files of a folder as one change left them. */
export interface Snapshot {
  /** Differs after every change. Undefined: nothing was ever there. */
  readonly version: string | undefined;
  /** Path to the ID of its content: equal contents may have equal IDs, others never do. */
  readonly files: ReadonlyMap<string, string>;
}

export interface Change {
  /** The text of each path, or null to remove it. */
  readonly texts: ReadonlyMap<string, string | null>;
  /** For people, where the engine keeps a history: what it is, then one line for each further fact. */
  readonly message: readonly string[];
  /** Of no interest once the next change is there, so that a history need not keep it. */
  readonly isInterim: boolean;
}

export interface Replacement {
  /** The folder after the change, if it was made. */
  readonly intended: Snapshot;
  /** Absent: the change was made. */
  readonly trouble?: Trouble | undefined;
}

export interface Trouble {
  /**
   * `conflict`: another change came first. `unknown`: there was no usable answer, and the change may have been made.
   * `refused`: the server will not have it, however often it is asked.
   */
  readonly kind: 'conflict' | 'unknown' | 'refused';
  readonly problem: Diagnostic;
}

/** What this process last saw of a folder, and whose turn it is: environments of one command may share a folder. */
export interface Shared {
  known: Snapshot | undefined;
  last: Promise<unknown>;
}

/**
 * A folder that several machines see, on a server that can replace it by compare-and-swap. What networks, servers and
 * settings cause is a failed Result.
 */
export interface Engine {
  shared(): Promise<Result<Shared>>;
  /** The newest snapshot: `known` itself if that is it. Undefined: it was changed while it was read. */
  read(known: Snapshot | undefined): Promise<Result<Snapshot | undefined>>;
  /** The contents with these IDs, of a snapshot that this process has read, in order. */
  contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>>;
  /** Makes the change durable, in one step, if the newest snapshot is `before`. */
  replace(before: Snapshot, change: Change): Promise<Result<Replacement>>;
  /** Why a change that others came before again and again is given up. */
  readonly busy: Diagnostic;
}

/** Work of which one is done at a time. */
export function inTurn<T>(queue: { last: Promise<unknown> }, work: () => Promise<T>): Promise<T> {
  const turn = queue.last.then(work);
  queue.last = turn.catch(() => undefined);
  return turn;
}
