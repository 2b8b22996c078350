import type { Operation } from '../../contract/routes.ts';

/** What goes wrong on purpose, and when. */
export interface FaultSettings {
  /** Whole number that every chance is drawn from: the same seed and arrivals, the same faults. Default 0. */
  readonly seed?: number;
  /** Asked in their order, see `chooseFaults`. */
  readonly rules: readonly FaultRule[];
}

/** One fault and the requests that meet it; what is not given leaves nothing out. */
export interface FaultRule {
  /** Not with `refuse`: nothing of a request is known there, as for `method`. */
  readonly operations?: readonly Operation[];
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Lets the first so many pass. */
  readonly after?: number;
  /** Of those that follow, meets the first and then every n-th. Default 1. */
  readonly every?: number;
  /** Of these, meets this share: 0 to 1. Default 1. */
  readonly chance?: number;
  /** Then meets at most so many in all. */
  readonly times?: number;
  readonly fault: Fault;
}

export type Fault = Latency | Refuse | Drop | TruncatedBody | InvalidBody | ErrorStatus;

/**
 * Whether the request is carried out. `before-commit`: nothing of it is looked at, so nothing is stored.
 * `after-commit`: it is answered as ever, and what it changes is durable, before its answer meets the fault.
 */
export type When = 'before-commit' | 'after-commit';

/** Waits. The other faults can come on top. */
export interface Latency {
  readonly kind: 'latency';
  /** Milliseconds. */
  readonly ms: number;
  /** Default before-commit. */
  readonly when?: When;
}

/**
 * Resets a new connection before anything is read from it. The operating system has accepted it by then, so
 * a client sees a reset (ECONNRESET), not a refusal (ECONNREFUSED): that needs a port on which nobody listens.
 * Counts connections, not requests.
 */
export interface Refuse {
  readonly kind: 'refuse';
}

/** Resets the connection instead of answering. */
export interface Drop {
  readonly kind: 'drop';
  readonly when: When;
}

/**
 * After the commit: promises the whole body, sends half of it, and resets the connection; a client that reads
 * just then can see its end instead of a reset.
 */
export interface TruncatedBody {
  readonly kind: 'truncated-body';
}

/** After the commit: a body that is no JSON, or JSON of a shape that no operation answers with. */
export interface InvalidBody {
  readonly kind: 'invalid-body';
  /** Default not-json. */
  readonly body?: 'not-json' | 'wrong-shape';
}

/** An error as a server or what stands before it gives one. 429 is before the commit. */
export interface ErrorStatus {
  readonly kind: 'status';
  readonly status: 429 | 500 | 502 | 503;
  /** Default before-commit. */
  readonly when?: When;
  /** Value of the header Retry-After: seconds, or any text. */
  readonly retryAfter?: number | string;
}
