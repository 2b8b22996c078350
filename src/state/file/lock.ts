import { readdir, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isCertainlyGone, type LockOwner, standingOf } from '../lock-owner.ts';
import type { LockBusy } from '../store.ts';
import { claim, type LockFile, prepareLockFile, readLockFile, replace } from './lock-file.ts';

export type Taken =
  | { readonly kind: 'acquired'; readonly takenOver?: LockOwner }
  | { readonly kind: 'held'; readonly owner?: LockOwner };

const ATTEMPTS = 5;
/** A live process needs its guard for a moment only. */
const STEP_MILLISECONDS = 50;

/**
 * Takes the lock at `path` for `owner`, or says who holds it. Never waits for the holder.
 *
 * Why at most one process ever has it:
 *
 * 1. A lock comes to be by link(2), which fails where the name exists, or by a rename over a dead lock (3).
 *    Either way its content is whole from the first moment.
 * 2. Whoever removes or replaces the lock with id L first holds the *guard* of L, a lock of its own at
 *    `path.L`, then reads `path` again and goes on only if L is still there. The holder releases its own lock
 *    in the same way, and so does removal by force. So for each L one process at a time is between "L is
 *    there" and "L is gone", and nobody else makes L go: what is replaced is L, never a successor of it.
 * 3. A takeover replaces L by rename, without a moment at which `path` is free. A slower rival that also
 *    judged L dead gets the guard later, reads another id, and gives up.
 * 4. A guard whose process ended is taken over by this same function, with a guard of its own one name longer.
 *    Each level needs one more process to have died within its few steps, so this ends.
 * 5. A lock that does not say whose it is has a guard as well, one name for all such: two who remove one can't remove
 *    what came after it.
 */
export async function takeLock(path: string, owner: LockOwner): Promise<Taken> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await claim(await prepareLockFile(path, owner), path)) return { kind: 'acquired' };
    const found = await readLockFile(path);
    if (found.kind === 'none') continue;
    if (found.kind === 'unreadable') return { kind: 'held' };
    // A network file system may lose the answer to a link that it made.
    if (found.owner.id === owner.id) return { kind: 'acquired' };
    if (!(await isCertainlyGone(found.owner.process))) return { kind: 'held', owner: found.owner };
    const seized = await whileGuarded(path, found.owner, owner, async () => {
      await replace(await prepareLockFile(path, owner), path);
      return true;
    });
    if (seized) return { kind: 'acquired', takenOver: found.owner };
  }
  const last = await readLockFile(path);
  return last.kind === 'owned' ? { kind: 'held', owner: last.owner } : { kind: 'held' };
}

type Removed =
  | { readonly kind: 'removed' }
  /** It is not there any more: nothing is, or the lock of somebody else. */
  | { readonly kind: 'gone' }
  /** This process is, or may be, in the middle of a step with the lock. */
  | LockBusy;

/**
 * Removes the lock of `holder`, or one that does not say whose it is, for `by`. With `force`, also past the guard of a
 * process of which nobody can tell whether it has ended: a person's word. One that is alive here can be stopped first.
 */
export async function removeLock(
  path: string,
  holder: LockOwner | undefined,
  by: LockOwner,
  force = false,
): Promise<Removed> {
  const guard = guardOf(path, holder);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!isLockOf(await readLockFile(path), holder)) return { kind: 'gone' };
    const removed = await whileGuarded(path, holder, by, async () => {
      await unlink(path);
      return true;
    });
    if (removed) return { kind: 'removed' };
    await setTimeout(STEP_MILLISECONDS);
  }
  const found = await readLockFile(guard);
  const owner = found.kind === 'owned' ? found.owner : undefined;
  const standing = owner ? await standingOf(owner.process) : 'unknown';
  if (standing === 'alive' || (standing === 'unknown' && !force))
    return { kind: 'busy', ...(owner && { owner }), standing };
  const cleared = await removeLock(guard, owner, by, force);
  return cleared.kind === 'busy' ? cleared : removeLock(path, holder, by, force);
}

/**
 * Removes what killed processes left beside the lock at `path`: locks that they had prepared, and guards. Only for the
 * holder of that lock. Files of live processes stay.
 */
export async function removeDeadFiles(path: string): Promise<void> {
  const beside = `${basename(path)}.`;
  const entries = await readdir(dirname(path));
  const others = entries
    .filter((entry) => entry.startsWith(beside))
    .map((entry) => join(dirname(path), entry));
  await Promise.all(
    others.map(async (file) => {
      const found = await readLockFile(file);
      const isCutShort = found.kind === 'unreadable' && file.endsWith('.new');
      const isDead = found.kind === 'owned' && (await isCertainlyGone(found.owner.process));
      if (isCutShort || isDead) await rm(file, { force: true });
    }),
  );
}

/**
 * Does `change` while nobody else can remove or replace the lock of `holder`; undefined where it is gone, or somebody
 * is at it.
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

function isLockOf(file: LockFile, holder: LockOwner | undefined): boolean {
  return holder ? file.kind === 'owned' && file.owner.id === holder.id : file.kind === 'unreadable';
}
