import type { Operation } from '../../contract/routes.ts';
import { StartError } from '../world.ts';

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
interface Drop {
  readonly kind: 'drop';
  readonly when: When;
}

/**
 * After the commit: promises the whole body, sends half of it, and resets the connection; a client that reads
 * just then can see its end instead of a reset.
 */
interface TruncatedBody {
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

/** Throws a StartError that names everything that `faultProblems` finds. */
export function checkFaults(settings: FaultSettings): void {
  const problems = faultProblems(settings).map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (problems.length > 0) throw new StartError(`The faults are not valid:\n${problems.join('\n')}`);
}

/** What the types and the schema of the faults file let pass and no service could do. */
export function faultProblems({ rules }: FaultSettings): FaultProblem[] {
  return rules.flatMap((rule, index) =>
    [...missing(rule.fault), ...misplaced(rule.fault), ...unknowable(rule), ...tooLate(rule.fault)].map(
      ({ path, message }) => ({ path: ['rules', index, ...path], message }),
    ),
  );
}

const fields: Readonly<Record<Fault['kind'], { needs: readonly string[]; may: readonly string[] }>> = {
  latency: { needs: ['ms'], may: ['when'] },
  refuse: { needs: [], may: [] },
  drop: { needs: ['when'], may: [] },
  'truncated-body': { needs: [], may: [] },
  'invalid-body': { needs: [], may: ['body'] },
  status: { needs: ['status'], may: ['when', 'retryAfter'] },
};

function missing(fault: Fault): FaultProblem[] {
  return fields[fault.kind].needs
    .filter((field) => !Object.hasOwn(fault, field))
    .map((field) => ({ path: ['fault', 'kind'], message: `the fault ${fault.kind} needs ${field}` }));
}

function misplaced(fault: Fault): FaultProblem[] {
  const { needs, may } = fields[fault.kind];
  return Object.keys(fault)
    .filter((field) => field !== 'kind' && !needs.includes(field) && !may.includes(field))
    .map((field) => ({ path: ['fault', field], message: `the fault ${fault.kind} has no ${field}` }));
}

function unknowable(rule: FaultRule): FaultProblem[] {
  if (rule.fault.kind !== 'refuse') return [];
  return (['operations', 'method'] as const)
    .filter((field) => rule[field] !== undefined)
    .map((field) => ({
      path: [field],
      message: 'a refused connection is closed before its requests are read',
    }));
}

function tooLate(fault: Fault): FaultProblem[] {
  return fault.kind === 'status' && fault.status === 429 && fault.when === 'after-commit'
    ? [{ path: ['fault', 'when'], message: '429 says that the request was not taken: it is before-commit' }]
    : [];
}

interface FaultProblem {
  /** From the top of the settings to the culprit. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}
