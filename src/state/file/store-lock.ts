import { basename, dirname } from 'node:path';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import type { LockOwner } from '../lock-owner.ts';
import { isCertainlyGone } from '../process-identity.ts';
import type { LockFailed, LockOutcome, UnlockOutcome } from '../store.ts';
import { removeLeftovers } from './atomic-write.ts';
import { followLinks, makeFolder } from './folder.ts';
import { ioFailure } from './io-failure.ts';
import { holdsLock, removeLock, removeUnreadableLock, takeLock } from './lock.ts';
import { readLockFile } from './lock-file.ts';

/** The lock of one state file. `take` and `remove` are `lock` and `unlock` of the store's contract. */
export interface FileLock {
  take(owner: LockOwner): Promise<LockOutcome>;
  remove(by: LockOwner, force: boolean): Promise<UnlockOutcome>;
  /** Whether the lock that this object took is on disk yet. Throws where it took none: that is our bug. */
  isStillHeld(): Promise<boolean>;
}

/** `path` is that of the state; the lock is beside the file that it leads to, so that each state has one. */
export function createFileLock(path: string): FileLock {
  let held: LockOwner | undefined;
  const locate = async () => `${await followLinks(path)}.lock`;

  async function take(owner: LockOwner): Promise<LockOutcome> {
    return orFailed<LockOutcome>(path, async () => {
      await makeFolder(dirname(path));
      const taken = await takeLock(await locate(), owner);
      if (taken.kind === 'held') return taken;
      held = owner;
      const real = await followLinks(path);
      await removeLeftovers(dirname(real), basename(real));
      return { ...taken, release: () => release(owner) };
    });
  }

  async function release(owner: LockOwner): Promise<Result<void>> {
    if (held !== owner) return success(undefined);
    held = undefined;
    try {
      await removeLock(await locate(), owner, owner);
      return success(undefined);
    } catch (cause) {
      return failure(ioFailure('The lock could not be given back', path, cause));
    }
  }

  async function remove(by: LockOwner, force: boolean): Promise<UnlockOutcome> {
    return orFailed<UnlockOutcome>(path, async () => {
      const found = await readLockFile(await locate());
      if (found.kind === 'none') return { kind: 'not-locked' };
      if (found.kind === 'unreadable') {
        if (!force) return { kind: 'held' };
        await removeUnreadableLock(await locate());
        return { kind: 'removed' };
      }
      const { owner } = found;
      if (!force && !(await isCertainlyGone(owner.process))) return { kind: 'held', owner };
      return { kind: (await removeLock(await locate(), owner, by)) ? 'removed' : 'held', owner };
    });
  }

  async function isStillHeld(): Promise<boolean> {
    if (!held) throw new Error('A state is only written by the holder of its lock.');
    return holdsLock(await locate(), held.id);
  }

  return { take, remove, isStillHeld };
}

async function orFailed<Outcome>(
  path: string,
  attempt: () => Promise<Outcome>,
): Promise<Outcome | LockFailed> {
  try {
    return await attempt();
  } catch (cause) {
    return {
      kind: 'failed',
      diagnostics: [ioFailure('The lock of the state could not be changed', path, cause)],
    };
  }
}
