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
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Linux: the boot of the kernel, and the namespace in which `pid` counts. A container has its own. */
  readonly bootId?: string;
  readonly pidNamespace?: string;
  /** Linux: when the process began, in clock ticks after the boot. Tells apart two uses of one pid. */
  readonly startTicks?: string;
  /** Linux: the namespace in which `startTicks` count. */
  readonly timeNamespace?: string;
}
