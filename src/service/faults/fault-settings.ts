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

/**
 * - `latency`: waits so many milliseconds. The other faults can come on top.
 * - `refuse`: resets a new connection before anything is read from it. The operating system has accepted it by then,
 *   so a client sees a reset (ECONNRESET), not a refusal (ECONNREFUSED): that needs a port on which nobody listens.
 *   Counts connections, not requests.
 * - `drop`: resets the connection instead of answering.
 * - `truncated-body`: after the commit, promises the whole body, sends half of it, and resets the connection; a client
 *   that reads just then can see its end instead of a reset.
 * - `invalid-body`: after the commit, a body that is no JSON (default), or JSON of a shape that no operation answers.
 * - `status`: an error as a server or what stands before it gives one; 429 is before the commit. `retryAfter` is the
 *   value of the header Retry-After: seconds, or any text.
 *
 * Without `when`, a latency and a status are before the commit.
 */
export type Fault =
  | { readonly kind: 'latency'; readonly ms: number; readonly when?: When }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'drop'; readonly when: When }
  | { readonly kind: 'truncated-body' }
  | { readonly kind: 'invalid-body'; readonly body?: 'not-json' | 'wrong-shape' }
  | {
      readonly kind: 'status';
      readonly status: 429 | 500 | 502 | 503;
      readonly when?: When;
      readonly retryAfter?: number | string;
    };

/**
 * Whether the request is carried out. `before-commit`: nothing of it is looked at, so nothing is stored.
 * `after-commit`: it is answered as ever, and what it changes is durable, before its answer meets the fault.
 */
export type When = 'before-commit' | 'after-commit';

/** Throws a StartError that names everything that `faultProblems` finds. */
export function checkFaults(settings: FaultSettings): void {
  const problems = faultProblems(settings).map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (problems.length > 0) throw new StartError(`The faults are not valid:\n${problems.join('\n')}`);
}

/** What the schema of the faults file lets pass and no service could do. */
export function faultProblems({ rules }: FaultSettings): FaultProblem[] {
  return rules.flatMap((rule, index) =>
    [...problemsIn(rule)].map(([message, ...path]) => ({ path: ['rules', index, ...path], message })),
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

function* problemsIn(rule: FaultRule): Generator<readonly [message: string, ...path: string[]]> {
  const { fault } = rule;
  const { kind } = fault;
  const { needs, may } = fields[kind];
  for (const field of needs)
    if (!Object.hasOwn(fault, field)) yield [`the fault ${kind} needs ${field}`, 'fault', 'kind'];
  for (const field of Object.keys(fault))
    if (!['kind', ...needs, ...may].includes(field))
      yield [`the fault ${kind} has no ${field}`, 'fault', field];
  for (const field of ['operations', 'method'] as const)
    if (kind === 'refuse' && rule[field] !== undefined)
      yield ['a refused connection is closed before its requests are read', field];
  if (kind === 'status' && fault.status === 429 && fault.when === 'after-commit')
    yield ['429 says that the request was not taken: it is before-commit', 'fault', 'when'];
}

interface FaultProblem {
  /** From the top of the settings to the culprit. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}
