import { error, failure, type Result, success } from '../../text/diagnostic.ts';
import { type LockFile, type LockOwner, parseLock, standingOf } from '../lock-owner.ts';
import type { LockOutcome, LockState, StateLock, UnlockOutcome } from '../store.ts';
import type { Change, Snapshot } from './engine.ts';
import type { SharedFolder } from './folder.ts';

interface LockPlace {
  readonly folder: SharedFolder;
  /** Of the lock, in the folder. */
  readonly file: string;
  /** The state, as people name it. */
  readonly path: string;
  readonly change: (what: string, texts: Change['texts']) => Change;
}

/**
 * The lock of one state, a file beside it. Whoever takes, releases or removes it does so on the snapshot that was
 * read, so that no one else has changed it in between.
 */
export class SharedLock implements StateLock {
  readonly #place: LockPlace;
  #held: LockOwner | undefined;

  constructor(place: LockPlace) {
    this.#place = place;
  }

  /** Who took it through this object. */
  get held(): LockOwner | undefined {
    return this.#held;
  }

  async take(owner: LockOwner): Promise<Result<LockOutcome>> {
    const taken = await this.#place.folder.change<LockOutcome>(async (snapshot) => {
      const found = await this.#lockIn(snapshot);
      if (!found.ok) return found;
      const isGone = found.value?.owner && (await standingOf(found.value.owner.process)) === 'gone';
      if (found.value && !isGone) return success({ value: { kind: 'held', ...found.value } });
      const texts = new Map([[this.#place.file, `${JSON.stringify(owner, null, 2)}\n`]]);
      const takenOver = found.value?.owner;
      const value = { kind: 'acquired' as const, ...(takenOver && { takenOver }) };
      return success({ value, change: this.#place.change(`${owner.operation} by ${owner.who}`, texts) });
    });
    if (taken.ok && taken.value.kind === 'acquired') this.#held = owner;
    return taken;
  }

  async release(): Promise<Result<void>> {
    const owner = this.#held;
    this.#held = undefined;
    if (!owner) return success(undefined);
    const removed = await this.remove(owner, owner);
    return removed.ok ? success(undefined) : removed;
  }

  async inspect(): Promise<Result<LockState>> {
    const snapshot = await this.#place.folder.read();
    if (!snapshot.ok) return snapshot;
    const found = await this.#lockIn(snapshot.value);
    if (!found.ok) return found;
    if (!found.value) return success({ kind: 'free' });
    const { owner } = found.value;
    const standing = owner ? await standingOf(owner.process) : 'unknown';
    return success({ kind: 'held', ...found.value, standing });
  }

  remove(_: LockOwner, holder: LockOwner | undefined): Promise<Result<UnlockOutcome>> {
    return this.#place.folder.change<UnlockOutcome>(async (snapshot) => {
      const found = await this.#lockIn(snapshot);
      if (!found.ok) return found;
      if (!found.value) return success({ value: { kind: 'not-locked' } });
      if (found.value.owner?.id !== holder?.id) return success({ value: { kind: 'held', ...found.value } });
      const change = this.#place.change('unlocked', new Map([[this.#place.file, null]]));
      return success({ value: { kind: 'removed' }, change });
    });
  }

  /** Fails unless the lock that this object took is there. */
  async check(snapshot: Snapshot): Promise<Result<void>> {
    if (!this.#held) throw new Error('A state is only written by the holder of its lock.');
    const found = await this.#lockIn(snapshot);
    if (!found.ok) return found;
    if (found.value?.owner?.id === this.#held.id) return success(undefined);
    return failure(error('state-lock-lost', {}, { subject: this.#place.path }));
  }

  async #lockIn({ files }: Snapshot): Promise<Result<LockFile | undefined>> {
    const text = await this.#place.folder.text(files.get(this.#place.file));
    if (!text.ok) return text;
    return success(text.value === undefined ? undefined : parseLock(text.value));
  }
}
