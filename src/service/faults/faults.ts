import type { ServerResponse } from 'node:http';
import type { Operation } from '../../contract/routes.ts';
import type { Fault, FaultRule, FaultSettings, When } from './fault-settings.ts';

/**
 * Decides which arrivals meet which fault. A request arrives when its headers are read, a
 * connection when it is accepted; in that order each is decided at once, so clients that ask one thing after
 * another see the same faults every time, and of clients in parallel the same number.
 *
 * A request is put to the rules in their order. Each one it fits counts it. A latency adds up with what
 * follows; any other fault is the last word, and later rules don't see the request.
 */
export function chooseFaults({ seed = 0, rules }: FaultSettings): FaultChooser {
  // Each rule draws from numbers of its own: another rule in the file does not change what this one meets.
  const counted = rules.map((rule, index) => ({
    rule,
    meets: counter(rule, mulberry32(seed ^ Math.imul(index, 0x9e3779b1))),
  }));
  return {
    forConnection: () => counted.some(({ rule, meets }) => rule.fault.kind === 'refuse' && meets()),
    forRequest(request) {
      const chosen: RequestFault[] = [];
      for (const { rule, meets } of counted) {
        const { fault } = rule;
        if (fault.kind === 'refuse' || !fits(rule, request) || !meets()) continue;
        chosen.push(fault);
        if (fault.kind !== 'latency') break;
      }
      return chosen;
    },
  };
}

function fits({ operations, method }: FaultRule, request: Arrival): boolean {
  const { operation } = request;
  if (method !== undefined && method !== request.method) return false;
  return operations === undefined || (operation !== undefined && operations.includes(operation));
}

function counter(
  { after = 0, every = 1, chance = 1, times }: FaultRule,
  random: () => number,
): () => boolean {
  let seen = 0;
  let met = 0;
  return () => {
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

export interface FaultChooser {
  /** Whether a connection that was just accepted is refused. */
  forConnection(): boolean;
  /** Latencies first; at most one other fault, at the end. */
  forRequest(request: Arrival): readonly RequestFault[];
}

interface Arrival {
  readonly method: string;
  /** undefined where no operation has this method and path. */
  readonly operation: Operation | undefined;
}

type RequestFault = Exclude<Fault, { kind: 'refuse' }>;
type FinalFault = Exclude<RequestFault, { kind: 'latency' }>;

/**
 * Lets a request meet its faults: `carryOut` runs after those that stand before the commit, and not at all
 * where one of them ends the request. Gives what is still to be answered, or undefined where the connection
 * was cut.
 */
export async function inject(
  faults: readonly RequestFault[],
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

function latency(faults: readonly RequestFault[], at: When): number {
  const waits = faults.map((fault) => (fault.kind === 'latency' && whenOf(fault) === at ? fault.ms : 0));
  return waits.reduce((sum, ms) => sum + ms, 0);
}

function whenOf(fault: RequestFault): When {
  if (fault.kind === 'truncated-body' || fault.kind === 'invalid-body') return 'after-commit';
  return fault.when ?? 'before-commit';
}

async function damaged(
  fault: FinalFault,
  response: Response | undefined,
  outgoing: ServerResponse,
): Promise<Response | undefined> {
  if (fault.kind === 'status') {
    const { status, retryAfter } = fault;
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    const message = 'The service was told to fail here.';
    return Response.json({ error: { status, code: 'fault', message, details: [] } }, { status, headers });
  }
  if (fault.kind === 'invalid-body') {
    const headers = { 'Content-Type': 'application/json' };
    return new Response(bodies[fault.body ?? 'not-json'], { status: response?.status ?? 200, headers });
  }
  if (fault.kind === 'truncated-body' && response) await sendHalf(response, outgoing);
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

interface Surroundings {
  /** What Node is about to send on the connection that the request came in on. */
  readonly outgoing: ServerResponse;
  /** Waits so many milliseconds; with 0 it may give back at once. Rejects when the service stops for good. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}
