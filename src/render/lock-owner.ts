import type { LockOwner } from '../state/lock-owner.ts';
import { escapeTerminal } from './escape.ts';

/** Who holds a lock, in one phrase: enough to find the process, or the person. */
export function describeOwner({ who, operation, since, process: { pid } }: LockOwner): string {
  return escapeTerminal(`${who}, process ${pid}, trove ${operation} since ${since}`);
}
