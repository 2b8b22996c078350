import { describe, expect, test } from 'vitest';
import { chooseFaults, type Fault, type FaultRule } from '../../src/service/faults.ts';

const drop: Fault = { kind: 'drop', when: 'before-commit' };
const latency: Fault = { kind: 'latency', ms: 5 };
type Arrival = Parameters<ReturnType<typeof chooseFaults>['forRequest']>;
const create: Arrival = ['POST', 'createItem'];
const update: Arrival = ['PUT', 'updateItem'];
const nowhere: Arrival = ['POST', undefined];

/** Which of so many requests meet the rule: `.` for none, `x` for a fault. */
function pattern(rule: Omit<FaultRule, 'fault'>, length = 12, seed = 1): string {
  const faults = chooseFaults({ seed, rules: [{ ...rule, fault: drop }] });
  return Array.from({ length }, () => (faults.forRequest(...create).length > 0 ? 'x' : '.')).join('');
}

describe('a rule', () => {
  test.each([
    [{}, 'xxxxxxxxxxxx'],
    [{ times: 0 }, '............'],
    [{ times: 2 }, 'xx..........'],
    [{ after: 3 }, '...xxxxxxxxx'],
    [{ every: 4 }, 'x...x...x...'],
    [{ after: 3, every: 4, times: 2 }, '...x...x....'],
    [{ chance: 0 }, '............'],
    [{ chance: 1 }, 'xxxxxxxxxxxx'],
  ])('with %o affects the requests %s', (rule, expected) => {
    expect(pattern(rule)).toBe(expected);
  });

  test('with a chance affects its share of requests, repeatably for each seed', () => {
    const many = (seed: number) => pattern({ chance: 0.3 }, 2000, seed);
    expect(many(7)).toBe(many(7));
    expect(many(7)).not.toBe(many(8));
    const met = many(7).replaceAll('.', '').length;
    expect(met).toBeGreaterThan(500);
    expect(met).toBeLessThan(700);
    const [firstFive = ''] = /(\.*x){5}/.exec(many(7)) ?? [];
    expect(pattern({ chance: 0.3, times: 5 }, 2000, 7)).toBe(firstFive.padEnd(2000, '.'));
  });

  test.each([
    [{ operations: ['createItem'], after: 1 }, [0, 0, 0, 0, 1, 0]],
    [{ method: 'POST' }, [0, 1, 1, 0, 1, 1]],
    [{}, [1, 1, 1, 1, 1, 1]],
  ] as const)('with %o counts and affects only the requests that it matches', (rule, expected) => {
    const faults = chooseFaults({ rules: [{ ...rule, fault: drop }] });
    const requests = [update, nowhere, create, update, create, nowhere];
    expect(requests.map((request) => faults.forRequest(...request).length)).toEqual(expected);
  });
});

describe('several rules', () => {
  test('add up latencies until another fault, which hides the request from later rules', () => {
    const status: Fault = { kind: 'status', status: 503 };
    const faults = chooseFaults({
      rules: [{ fault: latency }, { times: 1, fault: drop }, { fault: latency }, { times: 1, fault: status }],
    });
    expect(faults.forRequest(...create)).toEqual([latency, drop]);
    expect(faults.forRequest(...create)).toEqual([latency, latency, status]);
    expect(faults.forRequest(...create)).toEqual([latency, latency]);
  });

  test('draw independent random numbers', () => {
    const byChance: FaultRule = { chance: 0.5, fault: latency };
    const alone = chooseFaults({ seed: 3, rules: [byChance] });
    const together = chooseFaults({ seed: 3, rules: [byChance, { chance: 0.5, fault: drop }] });
    const latencies = (found: readonly Fault[]) => found.filter(({ kind }) => kind === 'latency').length;
    const met = Array.from({ length: 50 }, () => together.forRequest(...create));
    expect(met.map(latencies)).toEqual(
      Array.from({ length: 50 }, () => latencies(alone.forRequest(...create))),
    );
    expect(met.map(({ length }) => length)).toContain(2);
    expect(met.filter((found) => latencies(found) === found.length).length).toBeGreaterThan(0);
  });

  test('use refuse for connections only', () => {
    const faults = chooseFaults({
      rules: [{ after: 1, times: 1, fault: { kind: 'refuse' } }, { fault: drop }],
    });
    expect(faults.forRequest(...create)).toEqual([drop]);
    expect([1, 2, 3].map(() => faults.forConnection())).toEqual([false, true, false]);
  });
});
