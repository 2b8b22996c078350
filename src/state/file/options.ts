import type { Result } from '../../text/diagnostic.ts';
import type { Folder } from '../../text/read-file.ts';
import type { Target } from '../model.ts';
import type { StateVersion } from '../version.ts';

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
