import { basename, dirname } from 'node:path';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { type LockOwner, standingOf } from '../lock-owner.ts';
import type { LockFailed, LockOutcome, LockState, UnlockOutcome } from '../store.ts';
import { makeFolder, removeLeftovers } from './atomic-write.ts';
import { ioFailure } from './io-failure.ts';
import { removeDeadFiles, removeLock, takeLock, whileGuarded } from './lock.ts';
import { readLockFile } from './lock-file.ts';
import type { Place } from './place.ts';

/** The lock of one state file: `lock`, `inspectLock` and `unlock` of the store's contract. */
interface FileLock {
  take(owner: LockOwner): Promise<LockOutcome>;
  inspect(): Promise<LockState>;
  remove(by: LockOwner, holder: LockOwner | undefined, force?: boolean): Promise<UnlockOutcome>;
  /** Whether the lock that this object took is still there. */
  isHeld(): Promise<boolean>;
  /**
   * Does `change` while nobody can remove the lock that this object took; undefined where it is lost. Throws where it
   * took none: that is our bug.
   */
  whileHeld<T>(change: () => Promise<T>): Promise<T | undefined>;
}

/** The lock is beside the file that the path of the state leads to, so that each state has one. */
export function createFileLock({ path, real }: Place): FileLock {
  let held: LockOwner | undefined;
  const lockPath = `${path}.lock`;
  const locate = async () => `${await real()}.lock`;

  async function take(owner: LockOwner): Promise<LockOutcome> {
    return orFailed<LockOutcome>(UNCHANGED, lockPath, async () => {
      await makeFolder(dirname(path));
      const taken = await takeLock(await locate(), owner);
      if (taken.kind === 'held') return taken;
      held = owner;
      try {
        await tidy();
      } catch (cause) {
        await release(owner);
        throw cause;
      }
      return { ...taken, release: () => release(owner) };
    });
  }

  async function tidy(): Promise<void> {
    const file = await real();
    await removeLeftovers(dirname(file), basename(file));
    await removeDeadFiles(await locate());
  }

  async function release(owner: LockOwner): Promise<Result<void>> {
    if (held !== owner) return success(undefined);
    held = undefined;
    try {
      await removeLock(await locate(), owner, owner);
      return success(undefined);
    } catch (cause) {
      return failure(ioFailure('The lock could not be given back', lockPath, cause));
    }
  }

  async function inspect(): Promise<LockState> {
    return orFailed<LockState>('The lock of the state could not be read', lockPath, async () => {
      const found = await readLockFile(await locate());
      if (found.kind === 'none') return { kind: 'free' };
      if (found.kind === 'unreadable') return { kind: 'held', standing: 'unknown' };
      return { kind: 'held', owner: found.owner, standing: await standingOf(found.owner.process) };
    });
  }

  async function remove(
    by: LockOwner,
    holder: LockOwner | undefined,
    force?: boolean,
  ): Promise<UnlockOutcome> {
    return orFailed<UnlockOutcome>(UNCHANGED, lockPath, async () => {
      const removed = await removeLock(await locate(), holder, by, force);
      if (removed.kind !== 'gone') return removed;
      const found = await readLockFile(await locate());
      if (found.kind === 'none') return { kind: 'not-locked' };
      return { kind: 'held', ...(found.kind === 'owned' && { owner: found.owner }) };
    });
  }

  async function isHeld(): Promise<boolean> {
    const found = await readLockFile(await locate());
    return found.kind === 'owned' && found.owner.id === held?.id;
  }

  async function whileHeld<T>(change: () => Promise<T>): Promise<T | undefined> {
    if (!held) throw new Error('A state is only written by the holder of its lock.');
    return whileGuarded(await locate(), held, held, change);
  }

  return { take, inspect, remove, isHeld, whileHeld };
}

const UNCHANGED = 'The lock of the state could not be changed';

async function orFailed<Outcome>(
  what: string,
  path: string,
  attempt: () => Promise<Outcome>,
): Promise<Outcome | LockFailed> {
  try {
    return await attempt();
  } catch (cause) {
    return { kind: 'failed', diagnostics: [ioFailure(what, path, cause)] };
  }
}
