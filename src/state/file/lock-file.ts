import { constants, copyFile, link, lstat, open, rename, rm } from 'node:fs/promises';
import { readRegularFile } from '../../text/read-file.ts';
import type { LockOwner } from '../lock-owner.ts';
import { codeOf } from './io-failure.ts';

/** What stands at the path of a lock: nobody's, somebody's, or a file that does not say whose. */
export type LockFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'owned'; readonly owner: LockOwner }
  | { readonly kind: 'unreadable' };

const MOST_BYTES = 64 * 1024;
/** Ids become parts of file names, so nothing else is taken for one. */
const LOCK_ID = /^[A-Za-z0-9-]{1,64}$/;
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export async function readLockFile(path: string): Promise<LockFile> {
  try {
    const read = await readRegularFile(path, { shown: path, maxBytes: MOST_BYTES });
    if (read.kind === 'absent') return { kind: (await isDanglingLink(path)) ? 'unreadable' : 'none' };
    const owner: unknown = read.kind === 'read' ? JSON.parse(read.bytes.toString()) : undefined;
    return isLockOwner(owner) ? { kind: 'owned', owner } : { kind: 'unreadable' };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { kind: 'unreadable' };
    throw cause;
  }
}

/** It leads nowhere and stands in the way of a lock all the same. */
async function isDanglingLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}

/** The whole lock under a name of its own, durable, to be linked or renamed to its place in one step. */
export async function prepareLockFile(path: string, owner: LockOwner): Promise<string> {
  const prepared = `${path}.${owner.id}.new`;
  // Ours, where an earlier step could not remove it. Never written over: it may be the lock by another name.
  await rm(prepared, { force: true });
  const file = await open(prepared, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(owner, null, 2)}\n`);
    await file.sync();
  } catch (cause) {
    // On a full disk what is half-written would be in the way of the next attempt.
    await rm(prepared, { force: true });
    throw cause;
  } finally {
    await file.close();
  }
  return prepared;
}

/**
 * Puts a prepared lock at `path` if nothing is there, and says whether it did. Two claims never both succeed. Whoever
 * has the lock may have cleared the prepared one away.
 */
export async function claim(prepared: string, path: string): Promise<boolean> {
  try {
    await link(prepared, path).catch((cause) => linkByCopy(prepared, path, cause));
    return true;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST' || codeOf(cause) === 'ENOENT') return false;
    throw cause;
  } finally {
    // What is left of it is removed with the dead files, and says nothing about the lock.
    await rm(prepared, { force: true }).catch(() => undefined);
  }
}

/** Puts a prepared lock at `path` in place of the one that is there. */
export async function replace(prepared: string, path: string): Promise<void> {
  try {
    await rename(prepared, path);
  } catch (cause) {
    await rm(prepared, { force: true });
    throw cause;
  }
}

/** Where a disk knows no links: as exclusive, but a crash can leave a lock that does not say whose it is. */
async function linkByCopy(prepared: string, path: string, cause: unknown): Promise<void> {
  if (!WITHOUT_LINKS.has(codeOf(cause) ?? '')) throw cause;
  await copyFile(prepared, path, constants.COPYFILE_EXCL);
}

function isLockOwner(value: unknown): value is LockOwner {
  const { id, who, operation, since, version, process } = (value ?? {}) as Partial<LockOwner>;
  const texts = [who, operation, since, version, process?.host];
  return (
    typeof id === 'string' &&
    LOCK_ID.test(id) &&
    texts.every((text) => typeof text === 'string') &&
    typeof process?.pid === 'number'
  );
}
