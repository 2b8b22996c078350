import type { Operation } from '../contract/routes.ts';

/** Requests that are remembered one by one. */
const maxEntries = 1000;
/** Characters of a path: an id of 191 characters, percent-encoded, and what stands around it. */
const maxPath = 2500;

/**
 * What arrived and what became of it, for tests: the last 1000 requests, and counts of all. Of a request it
 * keeps method, path and outcome: no header, no query and no body, so no secret either.
 */
export function createRequestLog(): RecordingLog {
  const entries: LoggedRequest[] = [];
  let total = 0;
  let refused = 0;
  return {
    get total() {
      return total;
    },
    get refusedConnections() {
      return refused;
    },
    entries: () => entries.map((entry) => ({ ...entry })),
    begin(arrived) {
      const path = arrived.path.slice(0, maxPath);
      const entry: Writable<LoggedRequest> = { ...arrived, path, number: total, outcome: 'under-way' };
      total += 1;
      if (entries.push(entry) > maxEntries) entries.shift();
      return (status) => {
        entry.outcome = status === undefined ? 'cut' : 'answered';
        if (status !== undefined) entry.status = status;
      };
    },
    refuse() {
      refused += 1;
    },
  };
}

/** What tests can read. */
export interface RequestLog {
  /** Requests since the start. */
  readonly total: number;
  /** Connections that a fault closed before anything was read from them. */
  readonly refusedConnections: number;
  /** The last 1000 requests in the order of their arrival, as they stand now. */
  entries(): readonly LoggedRequest[];
}

export interface RecordingLog extends RequestLog {
  /** Gives a function to be called at the end, with the status that was answered, if any. */
  begin(arrived: Omit<LoggedRequest, 'number' | 'outcome' | 'status'>): (status: number | undefined) => void;
  refuse(): void;
}

interface LoggedRequest {
  /** From 0, in the order of arrival. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** undefined where no operation has this method and path. */
  readonly operation: Operation | undefined;
  /** The kinds of the faults that the request met. */
  readonly faults: readonly string[];
  /** `cut`: the connection was ended on purpose before the whole answer was sent. */
  readonly outcome: 'under-way' | 'answered' | 'cut';
  /** With `answered` only. */
  readonly status?: number;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
