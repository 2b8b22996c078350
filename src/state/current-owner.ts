import { hostname, userInfo } from 'node:os';
import type { LockOwner } from './lock-owner.ts';
import { ownProcess } from './process-identity.ts';

/** This process as the owner of a lock: what the caller knows, and who and where it is. */
export async function currentOwner(
  run: Pick<LockOwner, 'id' | 'operation' | 'since' | 'version'>,
): Promise<LockOwner> {
  return { ...run, who: `${userName()}@${hostname()}`, process: await ownProcess() };
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
