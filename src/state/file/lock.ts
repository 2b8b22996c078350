import { readdir, rm, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { error, failure, type Result, type StorageAction, success } from '../../text/diagnostic.ts';
import { type Folder, linkOutside } from '../../text/read-file.ts';
import { type LockFile, type LockOwner, readLockFile, type Standing, standingOf } from '../lock-owner.ts';
import type { LockBusy, LockOutcome, LockState, StateLock, UnlockOutcome } from '../store.ts';
import { atomicWrite, createFile, followLinks, makeFolder, orIoFailure } from './disk.ts';

/** The lock of one state file, beside the file that the path of the state leads to, so that each state has one. */
export class FileLock implements StateLock {
  readonly #state: string;
  readonly #within: Folder | undefined;
  #real: string | undefined;
  #held: LockOwner | undefined;

  /** `state` is the path as people name it; no link on it may lead out of `within`. */
  constructor(state: string, within: Folder | undefined) {
    this.#state = state;
    this.#within = within;
  }

  /** The state with its links followed, as they were when this was first asked: all its files stay together. */
  async real(): Promise<string> {
    const found = this.#real ?? (await followLinks(this.#state));
    this.#real ??= found;
    return this.#real;
  }

  take(owner: LockOwner): Promise<Result<LockOutcome>> {
    return this.#at<LockOutcome>('change-lock', async (path) => {
      await makeFolder(dirname(this.#state));
      const taken = await takeLock(path, owner);
      if (taken.kind === 'held') return taken;
      this.#held = owner;
      try {
        await removeLeftovers(await this.real());
      } catch (cause) {
        await this.release();
        throw cause;
      }
      return taken;
    });
  }

  async release(): Promise<Result<void>> {
    const owner = this.#held;
    this.#held = undefined;
    if (!owner) return success(undefined);
    // Also where a link leads out by now: the lock is where it was taken.
    return orIoFailure<void>('release-lock', `${this.#state}.lock`, async () => {
      await removeLock(await this.#path(), owner, owner);
      return success(undefined);
    });
  }

  inspect(): Promise<Result<LockState>> {
    return this.#at<LockState>('read-lock', async (path) => {
      const found = await readLockFile(path);
      return found
        ? { kind: 'held', ...found, standing: await standingOfOwner(found.owner) }
        : { kind: 'free' };
    });
  }

  remove(by: LockOwner, holder: LockOwner | undefined, force?: boolean): Promise<Result<UnlockOutcome>> {
    return this.#at<UnlockOutcome>('change-lock', async (path) => {
      const removed = await removeLock(path, holder, by, force);
      if (removed.kind !== 'gone') return removed;
      const found = await readLockFile(path);
      return found ? { kind: 'held', ...found } : { kind: 'not-locked' };
    });
  }

  /** Whether the lock that this object took is still there. */
  async isHeld(): Promise<boolean> {
    const found = await readLockFile(await this.#path());
    return this.#held !== undefined && found?.owner?.id === this.#held.id;
  }

  /** Does `change` while no process can take away the lock that this object took. Without one it throws: that is our bug. */
  async whileHeld<T>(change: () => Promise<Result<T>>): Promise<Result<T>> {
    if (!this.#held) throw new Error('A state is only written by the holder of its lock.');
    const done = await whileGuarded(await this.#path(), this.#held, this.#held, change);
    return done ?? failure(error('state-lock-lost', {}, { subject: this.#state }));
  }

  #at<T>(action: StorageAction, work: (path: string) => Promise<T>): Promise<Result<T>> {
    return orIoFailure<T>(action, `${this.#state}.lock`, async () => {
      // What is written behind a link that leads out would land on an unrelated file.
      const stray = this.#within && (await linkOutside(this.#state, this.#state, this.#within));
      return stray ? failure(stray) : success(await work(await this.#path()));
    });
  }

  async #path(): Promise<string> {
    return `${await this.real()}.lock`;
  }
}

const ATTEMPTS = 5;
/** A live process needs its guard for a moment only. */
const STEP_MILLISECONDS = 50;

/**
 * Takes the lock at `path` for `owner`, or says who holds it. Never waits for the holder.
 *
 * Why at most one process ever has it:
 *
 * 1. A lock comes to be by link(2), which fails if the name exists, or by a rename over a dead lock (3).
 *    Either way its content is whole from the first moment.
 * 2. Whoever removes or replaces the lock with id L first holds the *guard* of L, a lock of its own at
 *    `path.L`, then reads `path` again and goes on only if L is still there. The holder releases its own lock
 *    in the same way, and so does removal by force. So for each L one process at a time is between "L is
 *    there" and "L is gone", and no other process makes L go: what is replaced is L, never a successor of it.
 * 3. A takeover replaces L by rename, without a moment at which `path` is free. A slower rival that also
 *    judged L dead gets the guard later, reads another id, and gives up.
 * 4. A guard whose process ended is taken over by this same function, with a guard of its own one name longer.
 *    Each level needs one more process to have died within its few steps, so this ends.
 * 5. A lock that does not say whose it is has a guard as well, one name for all such: two who remove one can't remove
 *    what came after it.
 */
async function takeLock(path: string, owner: LockOwner): Promise<LockOutcome> {
  const text = `${JSON.stringify(owner, null, 2)}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await createFile(path, text)) return { kind: 'acquired' };
    const found = await readLockFile(path);
    if (!found) continue;
    // A network file system may lose the answer to a link that it made.
    if (found.owner?.id === owner.id) return { kind: 'acquired' };
    if ((await standingOfOwner(found.owner)) !== 'gone') return { kind: 'held', ...found };
    const seized = await whileGuarded(path, found.owner, owner, async () => {
      await atomicWrite(path, text);
      return true;
    });
    if (seized) return { kind: 'acquired', ...(found.owner && { takenOver: found.owner }) };
  }
  return { kind: 'held', ...(await readLockFile(path)) };
}

async function standingOfOwner(owner: LockOwner | undefined): Promise<Standing> {
  return owner ? standingOf(owner.process) : 'unknown';
}

/**
 * Removes the lock of `holder`, or one that does not say whose it is, for `by`. With `force`, also past the guard of a
 * process that may have ended: a person vouches for it. One that is alive here can be stopped first.
 * `gone`: nothing is there any more, or another process's lock.
 */
async function removeLock(
  path: string,
  holder: LockOwner | undefined,
  by: LockOwner,
  force = false,
): Promise<{ readonly kind: 'removed' } | { readonly kind: 'gone' } | LockBusy> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!isLockOf(await readLockFile(path), holder)) return { kind: 'gone' };
    const removed = await whileGuarded(path, holder, by, async () => {
      await unlink(path);
      return true;
    });
    if (removed) return { kind: 'removed' };
    await setTimeout(STEP_MILLISECONDS);
  }
  const guard = guardOf(path, holder);
  const { owner } = (await readLockFile(guard)) ?? {};
  const standing = await standingOfOwner(owner);
  if (standing === 'alive' || (standing === 'unknown' && !force))
    return { kind: 'busy', ...(owner && { owner }), standing };
  const cleared = await removeLock(guard, owner, by, force);
  return cleared.kind === 'busy' ? cleared : removeLock(path, holder, by, force);
}

const LEFTOVER = /^(?:\.journal)?\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Removes what killed runs left beside the state at `path`: halves of states and journals, locks that they had prepared,
 * and guards. Only for the holder of its lock. Files of live processes stay.
 */
async function removeLeftovers(path: string): Promise<void> {
  const isLeft = async (ending: string): Promise<boolean> => {
    if (LEFTOVER.test(ending)) return true;
    if (!ending.startsWith('.lock.')) return false;
    const found = await readLockFile(path + ending);
    const isCutShort = found && !found.owner && /\.(?:new|tmp)$/.test(ending);
    return isCutShort || (await standingOfOwner(found?.owner)) === 'gone';
  };
  const name = basename(path);
  const beside = (await readdir(dirname(path))).filter((entry) => entry.startsWith(name));
  // One by one: there may be more than a process may open.
  for (const entry of beside) {
    const ending = entry.slice(name.length);
    if (await isLeft(ending)) await rm(path + ending, { force: true });
  }
}

/**
 * Does `change` while no other process can remove or replace the lock of `holder`; undefined if it is gone, or
 * another process is at it.
 */
export async function whileGuarded<T>(
  path: string,
  holder: LockOwner | undefined,
  by: LockOwner,
  change: () => Promise<T>,
): Promise<T | undefined> {
  const guard = guardOf(path, holder);
  const taken = await takeLock(guard, by);
  if (taken.kind === 'held') return undefined;
  try {
    return isLockOf(await readLockFile(path), holder) ? await change() : undefined;
  } finally {
    // Alive, we are the only ones to remove our guard: others may only once we are certainly gone. One that can't be
    // removed changes nothing of what was done under it, and is ours the next time.
    await rm(guard, { force: true }).catch(() => undefined);
  }
}

function guardOf(path: string, holder: LockOwner | undefined): string {
  return `${path}.${holder?.id ?? 'unreadable'}`;
}

/** Without a holder: whether it is there and does not say whose it is. */
function isLockOf(file: LockFile | undefined, holder: LockOwner | undefined): boolean {
  return file !== undefined && file.owner?.id === holder?.id;
}
