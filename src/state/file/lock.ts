import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { LockOwner } from '../lock-owner.ts';
import { isCertainlyGone } from '../process-identity.ts';
import { claim, type LockFile, prepareLockFile, readLockFile } from './lock-file.ts';

export type Taken =
  | { readonly kind: 'acquired'; readonly takenOver?: LockOwner }
  | { readonly kind: 'held'; readonly owner?: LockOwner };

const ATTEMPTS = 5;

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
      await rename(await prepareLockFile(path, owner), path);
      return true;
    });
    if (seized) return { kind: 'acquired', takenOver: found.owner };
  }
  const last = await readLockFile(path);
  return last.kind === 'owned' ? { kind: 'held', owner: last.owner } : { kind: 'held' };
}

/** Removes the lock of `holder`, for `by`, if it is still there; says whether this call removed it. */
export async function removeLock(path: string, holder: LockOwner, by: LockOwner): Promise<boolean> {
  const removed = await whileGuarded(path, holder, by, async () => {
    await rm(path);
    return true;
  });
  return removed === true;
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

/** Removes a lock that does not say whose it is, so that nobody can hold a guard of it: a person's word. */
export async function removeUnreadableLock(path: string): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Does `change` while nobody else can remove or replace the lock of `holder`; undefined where it is gone, or somebody
 * is at it.
 */
export async function whileGuarded<T>(
  path: string,
  holder: LockOwner,
  by: LockOwner,
  change: () => Promise<T>,
): Promise<T | undefined> {
  const guard = `${path}.${holder.id}`;
  const taken = await takeLock(guard, by);
  if (taken.kind === 'held') return undefined;
  try {
    return isOwnedBy(await readLockFile(path), holder.id) ? await change() : undefined;
  } finally {
    // Alive, we are the only ones to remove our guard: others may only once we are certainly gone.
    await rm(guard, { force: true });
  }
}

function isOwnedBy(file: LockFile, id: string): boolean {
  return file.kind === 'owned' && file.owner.id === id;
}
