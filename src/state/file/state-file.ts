import { isUtf8 } from 'node:buffer';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { type Folder, MAX_WRITTEN_BYTES, readRegularFile } from '../../text/read-file.ts';
import { formatState, parseState } from '../format.ts';
import type { State, Target } from '../model.ts';
import { digestOf, isSameVersion, type StateVersion, versionOf } from '../version.ts';
import { atomicWrite, followLinks, orIoFailure } from './disk.ts';
import { FileLock } from './lock.ts';

export interface StateFileOptions {
  /** As people name it. */
  readonly path: string;
  /** No link may lead out of this folder. Left out if a person names the file. */
  readonly within?: Folder | undefined;
  /** Whose records the state is of, if no other state may be of it. */
  readonly target?: Target | undefined;
  /** Of the state, and of its journal, each. Default: 256 MiB. */
  readonly maxBytes?: number;
}

/**
 * The state of one environment in a file, with `PATH.lock` and `PATH.journal` beside it while a run has it. The
 * compare-and-swap is safe because only the lock's holder writes, and nobody can take the lock away in the middle of a
 * change. What users and their machines cause (a full disk, no permission, a damaged file) is a failed Result.
 */
export class StateFile {
  readonly path: string;
  readonly within: Folder | undefined;
  readonly target: Target | undefined;
  readonly maxBytes: number;
  readonly lock: FileLock;

  constructor({ path, within, target, maxBytes = MAX_WRITTEN_BYTES }: StateFileOptions) {
    this.path = path;
    this.within = within;
    this.target = target;
    this.maxBytes = maxBytes;
    this.lock = new FileLock(path, within);
  }

  async read(): Promise<Result<State | undefined>> {
    return this.#parsed(await this.#readText());
  }

  #parsed(text: Result<string | undefined>): Result<State | undefined> {
    if (!text.ok) return text;
    return text.value === undefined ? success(undefined) : parseState(text.value, this.path);
  }

  #readText(): Promise<Result<string | undefined>> {
    return orIoFailure<string | undefined>('read-state', this.path, async () => {
      const { path, maxBytes } = this;
      const found = await readRegularFile(path, { shown: path, maxBytes, within: this.within });
      if (!found.ok) return found;
      if (!found.value) return success(undefined);
      return isUtf8(found.value)
        ? success(found.value.toString())
        : failure(error('state-not-json', { why: 'not-utf8' }, { subject: path }));
    });
  }

  verify(version: StateVersion): Promise<Result<void>> {
    return orIoFailure('read-state', this.path, () =>
      this.whileCurrent(version, async () => success(undefined)),
    );
  }

  async write(state: State, expected?: StateVersion): Promise<Result<void>> {
    if (expected && state.serial <= expected.serial)
      throw new Error('The serial of a state must rise with every write.');
    return orIoFailure('write-state', this.path, async () => {
      const text = formatState(state);
      const { path: subject, maxBytes } = this;
      // What could not be read again is not written.
      if (Buffer.byteLength(text) > maxBytes)
        return failure(error('state-too-large', { maxBytes }, { subject }));
      const replace = async () => success(await atomicWrite(await this.lock.real(), text));
      return expected ? this.whileCurrent(expected, replace, true) : this.lock.whileHeld(replace);
    });
  }

  /** Why no request may be announced any more, if so. */
  async moved(): Promise<Diagnostic | undefined> {
    const [before, now] = [await this.lock.real(), await followLinks(this.path)];
    return now === before ? undefined : error('state-moved', { before, now }, { subject: this.path });
  }

  /** Does `change` while this process has the lock and the stored state is this version. */
  whileCurrent<T>(version: StateVersion, change: () => Promise<Result<T>>, isSaving = false) {
    return this.lock.whileHeld(async () => {
      const moved = await this.moved();
      if (moved) return failure(moved);
      const text = await this.#readText();
      // The usual case, without parsing what was written here.
      if (text.ok && text.value !== undefined && digestOf(text.value) === version.digest) return change();
      const stored = this.#parsed(text);
      if (!stored.ok) return stored;
      const current = versionOf(stored.value);
      if (isSameVersion(current, version)) return change();
      const serials = { expected: version.serial, found: current.serial };
      return failure(error('state-changed', { ...serials, isSaving }, { subject: this.path }));
    });
  }
}
