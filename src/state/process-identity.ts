import { readdir, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { ProcessIdentity } from './lock-owner.ts';

/** This process, as far as the platform tells. */
export async function ownProcess(): Promise<ProcessIdentity> {
  const [bootId, pidNamespace, timeNamespace, stat] = await Promise.all([
    bootOfKernel(),
    ownNamespace('pid'),
    ownNamespace('time'),
    statOf(process.pid),
  ]);
  return {
    host: hostname(),
    pid: process.pid,
    ...(bootId && { bootId }),
    ...(pidNamespace && { pidNamespace }),
    ...(timeNamespace && { timeNamespace }),
    ...(stat && { startTicks: stat.startTicks }),
  };
}

/**
 * Whether a process has certainly ended, or is certainly there: it ran under this boot of this kernel and in this pid
 * namespace, and its pid is not in use there, or by a process that began at another time. `unknown` where any of that
 * can't be told (on another machine, in another container, without /proc).
 */
export async function standingOf(identity: ProcessIdentity): Promise<'gone' | 'alive' | 'unknown'> {
  const { bootId, pidNamespace, timeNamespace, pid, startTicks } = identity;
  if (bootId === undefined || pidNamespace === undefined || !Number.isSafeInteger(pid) || pid <= 0)
    return 'unknown';
  if (bootId !== (await bootOfKernel()) || pidNamespace !== (await ownNamespace('pid'))) return 'unknown';
  if (!exists(pid)) return 'gone';
  const stat = await statOf(pid);
  // In another time namespace the same process seems to have begun at another time.
  if (stat === undefined || startTicks === undefined || timeNamespace !== (await ownNamespace('time')))
    return 'unknown';
  if (stat.startTicks !== startTicks) return 'gone';
  // A killed process that nobody has waited for yet; one of its threads may still be inside a write.
  return stat.state === 'Z' && (await threadsOf(pid)) === 1 ? 'gone' : 'alive';
}

export async function isCertainlyGone(identity: ProcessIdentity): Promise<boolean> {
  return (await standingOf(identity)) === 'gone';
}

/** EPERM means that the process exists and belongs to somebody else. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function bootOfKernel(): Promise<string | undefined> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
  return text?.trim() || undefined;
}

async function ownNamespace(kind: 'pid' | 'time'): Promise<string | undefined> {
  return readlink(`/proc/self/ns/${kind}`).catch(() => undefined);
}

/** Fields 3 and 22 of /proc/PID/stat; field 2, the name, is in parentheses and may hold anything. */
async function statOf(pid: number): Promise<{ state: string; startTicks: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTicks = rest[18];
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

async function threadsOf(pid: number): Promise<number | undefined> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => undefined);
  return threads?.length;
}
