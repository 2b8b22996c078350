import type { ServerResponse } from 'node:http';
import type { Fault, FaultRule, Faults } from '../../generated/settings-types.js';
import type { Operation } from '../contract/api.ts';
import { StartError } from './world.ts';

/**
 * What goes wrong on purpose, and when: schemas/faults.schema.json and docs/faults.md say what each fault does. A
 * `refuse` counts connections, not requests: the operating system has accepted one before it can be reset.
 */
export type { Fault, FaultRule, Faults as FaultSettings };

/** Throws a StartError that names everything that `faultProblems` finds. */
export function checkFaults(settings: Faults): void {
  const problems = faultProblems(settings).map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (problems.length > 0) throw new StartError(`The faults are not valid:\n${problems.join('\n')}`);
}

/** What the schema of the faults file lets pass and no service could do; `path` leads from the top to the culprit. */
export function faultProblems({ rules }: Faults) {
  return rules.flatMap((rule, index) =>
    [...problemsIn(rule)].map(([message, ...path]) => ({ path: ['rules', index, ...path], message })),
  );
}

const fields: Readonly<Record<Fault['kind'], { needs?: keyof Fault; may?: readonly (keyof Fault)[] }>> = {
  latency: { needs: 'ms', may: ['when'] },
  refuse: {},
  drop: { needs: 'when' },
  'truncated-body': {},
  'invalid-body': { may: ['body'] },
  status: { needs: 'status', may: ['when', 'retryAfter'] },
};

function* problemsIn(rule: FaultRule): Generator<readonly [message: string, ...path: string[]]> {
  const { fault } = rule;
  const { kind } = fault;
  const { needs, may = [] } = fields[kind];
  if (needs && fault[needs] === undefined) yield [`the fault ${kind} needs ${needs}`, 'fault', 'kind'];
  for (const field of Object.keys(fault) as (keyof Fault)[])
    if (!['kind', needs, ...may].includes(field)) yield [`the fault ${kind} has no ${field}`, 'fault', field];
  for (const field of ['operations', 'method'] as const)
    if (kind === 'refuse' && rule[field] !== undefined)
      yield ['a refused connection is closed before its requests are read', field];
  if (kind === 'status' && fault.status === 429 && fault.when === 'after-commit')
    yield ['429 says that the request was not taken: it is before-commit', 'fault', 'when'];
}

/**
 * Decides which arrivals meet which fault. A request arrives when its headers are read, a
 * connection when it is accepted; in that order each is decided at once, so clients that ask one thing after
 * another see the same faults every time, and of clients in parallel the same number.
 *
 * A request is put to the rules in their order. Each one it fits counts it. A latency adds up with what
 * follows; any other fault is the last word, and later rules don't see the request.
 */
export function chooseFaults({ seed = 0, rules }: Faults) {
  // Each rule draws from numbers of its own: another rule in the file does not change what this one meets.
  const counted = rules.map((rule, index) => ({
    rule,
    meets: counter(rule, mulberry32(seed ^ Math.imul(index, 0x9e3779b1))),
  }));
  return {
    /** Whether a connection that was just accepted is refused. */
    forConnection: () => counted.some(({ rule, meets }) => rule.fault.kind === 'refuse' && meets()),
    /** Latencies first; at most one other fault, at the end. */
    forRequest(method: string, operation: Operation | undefined): readonly Fault[] {
      const chosen: Fault[] = [];
      for (const { rule, meets } of counted) {
        const { fault } = rule;
        if (fault.kind === 'refuse' || !fits(rule, method, operation) || !meets()) continue;
        chosen.push(fault);
        if (fault.kind !== 'latency') break;
      }
      return chosen;
    },
  };
}

function fits(rule: FaultRule, method: string, operation: Operation | undefined): boolean {
  if (rule.method !== undefined && rule.method !== method) return false;
  return rule.operations?.some((each) => each === operation) ?? true;
}

function counter({ after = 0, every = 1, chance = 1, times }: FaultRule, random: () => number) {
  let seen = 0;
  let met = 0;
  return (): boolean => {
    seen += 1;
    const due = seen > after && (seen - after - 1) % every === 0;
    // Drawn for everyone who is due, also when the times are used up, and never for others.
    const meets = due && random() < chance && (times === undefined || met < times);
    if (meets) met += 1;
    return meets;
  };
}

/**
 * A small generator with a seed: the same whole number gives the same sequence of numbers from 0 to below 1.
 * Good enough to scatter faults, and nothing else.
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Surroundings {
  /** What Node is about to send on the connection that the request came in on. */
  readonly outgoing: ServerResponse;
  /** Waits so many milliseconds; with 0 it may give back at once. Rejects when the service stops for good. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Lets a request meet its faults: `carryOut` runs after those that stand before the commit, and not at all
 * where one of them ends the request. Gives what is still to be answered, or undefined where the connection
 * was cut.
 */
export async function inject(
  faults: readonly Fault[],
  carryOut: () => Response | Promise<Response>,
  { outgoing, sleep }: Surroundings,
): Promise<Response | undefined> {
  const final = faults.find((fault) => fault.kind !== 'latency');
  await sleep(latency(faults, 'before-commit'));
  if (final && whenOf(final) === 'before-commit') return damaged(final, undefined, outgoing);
  const response = await carryOut();
  await sleep(latency(faults, 'after-commit'));
  return final ? damaged(final, response, outgoing) : response;
}

function latency(faults: readonly Fault[], at: Fault['when']): number {
  return faults.reduce((sum, fault) => sum + (whenOf(fault) === at ? (fault.ms ?? 0) : 0), 0);
}

function whenOf({ kind, when = 'before-commit' }: Fault): Fault['when'] {
  return kind === 'truncated-body' || kind === 'invalid-body' ? 'after-commit' : when;
}

async function damaged(
  { kind, status = 500, retryAfter, body = 'not-json' }: Fault,
  response: Response | undefined,
  outgoing: ServerResponse,
): Promise<Response | undefined> {
  if (kind === 'status') {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    const message = 'The service was told to fail here.';
    return Response.json({ error: { status, code: 'fault', message, details: [] } }, { status, headers });
  }
  if (kind === 'invalid-body') {
    const headers = { 'Content-Type': 'application/json' };
    return new Response(bodies[body], { status: response?.status ?? 200, headers });
  }
  if (kind === 'truncated-body' && response) await sendHalf(response, outgoing);
  outgoing.socket?.resetAndDestroy();
  return undefined;
}

const bodies = {
  'not-json': '<html><body>This is not JSON.</body></html>',
  'wrong-shape': '{"result":[{"id":42}]}',
};

/** Sends the head of an answer, which promises its whole body, and the first half of that. */
async function sendHalf(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': body.byteLength };
  outgoing.writeHead(response.status, headers);
  const half = body.subarray(0, Math.floor(body.byteLength / 2));
  // A reset throws away what was not sent yet, so it has to wait.
  await new Promise<void>((sent) => outgoing.write(half, () => sent()));
}
