import { type Diagnostic, error, type Result } from '../../text/diagnostic.ts';
import type { Folder } from '../../text/read-file.ts';
import type { Target } from '../model.ts';
import type { StateVersion } from '../version.ts';
import { followLinks } from './atomic-write.ts';

/** Where a state file is. */
export interface Place {
  /** As people name it. */
  readonly path: string;
  /** With its links followed, as they were when this was first asked: lock, journal and state stay together. */
  real(): Promise<string>;
  /** Why nothing may be begun there any more: the path leads elsewhere now. Undefined where it does not. */
  moved(): Promise<Diagnostic | undefined>;
}

export function createPlace(path: string): Place {
  let known: string | undefined;

  async function real(): Promise<string> {
    const found = known ?? (await followLinks(path));
    known ??= found;
    return known;
  }

  async function moved(): Promise<Diagnostic | undefined> {
    const before = await real();
    const now = await followLinks(path);
    return now === before ? undefined : stateMoved(path, before, now);
  }

  return { path, real, moved };
}

function stateMoved(path: string, before: string, now: string): Diagnostic {
  const message = `The state was moved while this run had it: the path leads to ${now} now, and led to ${before}.`;
  return error('state-moved', message, {
    subject: path,
    hint:
      `What this run recorded and could not save stands in ${before}.journal. Move the state back, or move that journal to ` +
      `${now}.journal, and run again: the next run takes it in.`,
  });
}

export interface FileStoreOptions {
  /** Where the state is, or will be; its folders are created when it is first locked. */
  readonly path: string;
  /** No link may lead out of this folder. Left out where a person names the file. */
  readonly within?: Folder;
  /** Whose records the state is of, where no other state may be of it. */
  readonly target?: Target;
  /** Of the state, and of its journal, each. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** Gives fresh UUIDs, for the names of temporary files. */
  readonly newId?: () => string;
}

/** Does `change` if this process has the lock, which nobody can take away until it is done. */
export type WhileHeld = <T>(change: () => Promise<Result<T>>) => Promise<Result<T>>;

/**
 * Does `change` if this process has the lock and the stored state is this version, and keeps both from changing until it
 * is done.
 */
export type WhileCurrent = <T>(version: StateVersion, change: () => Promise<Result<T>>) => Promise<Result<T>>;
