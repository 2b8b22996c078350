import type { Operation } from '../../contract/routes.ts';
import type { Fault, FaultRule, FaultSettings, Latency, Refuse } from './fault-settings.ts';

/**
 * Decides which arrivals meet which fault. A request arrives when its headers are read, a
 * connection when it is accepted; in that order each is decided at once, so clients that ask one thing after
 * another see the same faults every time, and of clients in parallel the same number.
 *
 * A request is put to the rules in their order. Each one it fits counts it. A latency adds up with what
 * follows; any other fault is the last word, and later rules don't see the request.
 */
export function chooseFaults(
  { seed = 0, rules }: FaultSettings,
  randomFrom: (seed: number) => () => number = mulberry32,
): FaultChooser {
  // Each rule draws from numbers of its own: another rule in the file does not change what this one meets.
  const counted = rules.map((rule, index) => ({
    rule,
    strikes: counter(rule, randomFrom(seed ^ Math.imul(index, 0x9e3779b1))),
  }));
  return {
    forConnection: () => counted.some(({ rule, strikes }) => rule.fault.kind === 'refuse' && strikes()),
    forRequest(request) {
      const chosen: RequestFault[] = [];
      for (const { rule, strikes } of counted) {
        const { fault } = rule;
        if (fault.kind === 'refuse' || !fits(rule, request) || !strikes()) continue;
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
  let struck = 0;
  return () => {
    seen += 1;
    const due = seen > after && (seen - after - 1) % every === 0;
    // Drawn for everyone who is due, also when the times are used up, and never for others.
    const strikes = due && random() < chance && (times === undefined || struck < times);
    if (strikes) struck += 1;
    return strikes;
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

export interface Arrival {
  readonly method: string;
  /** undefined where no operation has this method and path. */
  readonly operation: Operation | undefined;
}

export type RequestFault = Exclude<Fault, Refuse>;
export type FinalFault = Exclude<RequestFault, Latency>;
