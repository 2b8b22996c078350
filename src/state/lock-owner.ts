import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { readRegularFile } from '../text/read-file.ts';

/** Who holds a lock, as the lock itself says it: enough to find the process, or the person. */
export interface LockOwner {
  /** Unique to this one lock: 1 to 64 letters, digits and hyphens (a UUID, say). */
  readonly id: string;
  /** `user@host`. */
  readonly who: string;
  /** The command that runs: `apply`. */
  readonly operation: string;
  /** ISO 8601 instant. */
  readonly since: string;
  /** The version of Trove. */
  readonly version: string;
  readonly process: ProcessIdentity;
}

/** What tells one process from every other that ever ran, as far as the platform says it. */
interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Linux: the boot of the kernel, and the namespace in which `pid` counts. A container has its own. */
  readonly bootId?: string | undefined;
  readonly pidNamespace?: string | undefined;
  /** Linux: when the process began, in clock ticks after the boot. Tells apart two uses of one pid. */
  readonly startTicks?: string | undefined;
  /** Linux: the namespace in which `startTicks` count. */
  readonly timeNamespace?: string | undefined;
}

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

/** Of the process that holds a lock; `alive` is said only of one on this machine. */
export type Standing = 'gone' | 'alive' | 'unknown';

/** This process, as far as the platform tells. */
export async function ownProcess(): Promise<ProcessIdentity> {
  const [bootId, pidNamespace, timeNamespace, stat] = await Promise.all([
    bootOfKernel(),
    ownNamespace('pid'),
    ownNamespace('time'),
    statOf(process.pid),
  ]);
  const { startTicks } = stat ?? {};
  return { host: hostname(), pid: process.pid, bootId, pidNamespace, timeNamespace, startTicks };
}

/**
 * Whether a process has certainly ended, or is certainly there: it ran under this boot of this kernel and in this pid
 * namespace, and its pid is not in use there, or by a process that began at another time. `unknown` where any of that
 * can't be told (on another machine, in another container, without /proc).
 */
export async function standingOf(identity: ProcessIdentity): Promise<Standing> {
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
  // A killed process that its parent has not waited for yet; one of its threads may still be inside a write.
  const threads = await ifThere(readdir(`/proc/${pid}/task`));
  return stat.state === 'Z' && threads?.length === 1 ? 'gone' : 'alive';
}

/** EPERM means that the process exists and belongs to another user. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function bootOfKernel(): Promise<string | undefined> {
  const text = await ifThere(readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
  return text?.trim() || undefined;
}

function ownNamespace(kind: 'pid' | 'time'): Promise<string | undefined> {
  return ifThere(readlink(`/proc/self/ns/${kind}`));
}

function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch(() => undefined);
}

/** Fields 3 and 22 of /proc/PID/stat; field 2, the name, is in parentheses and may hold anything. */
async function statOf(pid: number): Promise<{ state: string; startTicks: string } | undefined> {
  const text = await ifThere(readFile(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTicks = rest[18];
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

const MOST_BYTES = 64 * 1024;
/** IDs become parts of file names, so nothing else counts as one. */
const LOCK_ID = /^[A-Za-z0-9-]{1,64}$/;

/** What stands at the path of a lock: without an owner if the file does not say whose it is. */
export interface LockFile {
  readonly owner?: LockOwner;
}

/** Undefined if nothing stands there. */
export async function readLockFile(path: string): Promise<LockFile | undefined> {
  const read = await readRegularFile(path, { shown: path, maxBytes: MOST_BYTES });
  if (!read.ok) return {};
  if (read.value) return parseLock(read.value.toString());
  // A link that leads nowhere is in the way of a lock all the same.
  const found = await ifThere(lstat(path));
  return found?.isSymbolicLink() ? {} : undefined;
}

export function parseLock(text: string): LockFile {
  try {
    const owner: unknown = JSON.parse(text);
    return isLockOwner(owner) ? { owner } : {};
  } catch (cause) {
    if (cause instanceof SyntaxError) return {};
    throw cause;
  }
}

function isLockOwner(value: unknown): value is LockOwner {
  const { id, who, operation, since, version, process } = (value ?? {}) as Partial<LockOwner>;
  const texts = [id, who, operation, since, version, process?.host];
  return (
    texts.every((text) => typeof text === 'string') &&
    LOCK_ID.test(String(id)) &&
    typeof process?.pid === 'number'
  );
}
