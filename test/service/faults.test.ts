import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fault, FaultRule } from '../../src/service/faults.ts';
import { call, designer, rawExchange, rawRequest, testService } from '../rig/embedded-service.ts';
import { plain, update } from './client.ts';

const sword = { ...plain, id: 'sword', name: 'Sword' };
const authorization = designer;

async function databaseFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'items.db');
}

/**
 * Sends bodies to a service with these rules, closes it, opens its database again without any fault, and gives
 * the answers and the names of what is stored.
 */
async function storedAfter(
  rules: readonly FaultRule[],
  requests: readonly (readonly [method: string, path: string, body: object])[],
) {
  const database = await databaseFile();
  const faulty = await testService({ database, faults: { rules } });
  const answers = [];
  for (const [method, path, body] of requests) {
    const bytes = rawRequest(method, `/api${path}`, JSON.stringify(body), { authorization });
    answers.push(await rawExchange(faulty.port, bytes));
  }
  await faulty.close();
  const again = await testService({ database });
  return { answers, names: again.ledger().map(({ name }) => name) };
}

const post = ['POST', '/items', sword] as const;
const put = ['PUT', '/items/sword', { ...update, name: 'Blade' }] as const;
/** A busy machine takes longer than the second that is the default. */
const patient = { timeout: 20_000 };

const always = (fault: Fault): FaultRule[] => [{ fault }];

describe('a fault', () => {
  const cases: [name: string, fault: (when: Fault['when']) => Fault, answer: RegExp][] = [
    ['a drop', (when) => ({ kind: 'drop', ...(when && { when }) }), /^$/],
    ['500', (when) => ({ kind: 'status', status: 500, ...(when && { when }) }), /^HTTP\/1.1 500 /],
    ['503', (when) => ({ kind: 'status', status: 503, ...(when && { when }) }), /^HTTP\/1.1 503 /],
  ];
  test.each(cases)(
    'stores nothing before the commit and everything after it: %s',
    async (_, fault, answer) => {
      const rules = (when: Fault['when']): FaultRule[] => [{ fault: fault(when) }];
      const before = await storedAfter(rules('before-commit'), [post, put]);
      const after = await storedAfter(rules('after-commit'), [post, put]);
      // To the client both look the same.
      for (const { received } of [...before.answers, ...after.answers]) expect(received).toMatch(answer);
      expect(before.answers.map(({ end }) => end)).toEqual(after.answers.map(({ end }) => end));
      expect([before.names, after.names]).toEqual([[], ['Blade']]);
    },
  );

  test('with 429 stores nothing, and with a truncated or invalid body everything', async () => {
    expect((await storedAfter(always({ kind: 'status', status: 429 }), [post])).names).toEqual([]);
    expect((await storedAfter(always({ kind: 'truncated-body' }), [post])).names).toEqual(['Sword']);
    expect((await storedAfter(always({ kind: 'invalid-body' }), [post])).names).toEqual(['Sword']);
  });

  test('that refuses the connection stores nothing', async () => {
    const { answers, names } = await storedAfter(always({ kind: 'refuse' }), [post, put]);
    expect(answers).toEqual(Array(2).fill({ received: '', end: 'reset' }));
    expect(names).toEqual([]);
  });
});

describe('on the wire', () => {
  test('a truncated body declares its full length and has half of it', async () => {
    const { answers } = await storedAfter(always({ kind: 'truncated-body' }), [post]);
    const [head = '', body = ''] = answers[0]?.received.split('\r\n\r\n') ?? [];
    const promised = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    expect(body.length).toBe(Math.floor(promised / 2));
    expect(body).toMatch(/^\{"id":"sword"/);
  });

  test.each([
    [{}, '<html>'],
    [{ body: 'wrong-shape' }, '{"result":'],
  ] as const)('an invalid body %o keeps the status and begins with %s', async (shape, begin) => {
    const { answers } = await storedAfter(always({ kind: 'invalid-body', ...shape }), [post, post]);
    expect(answers.map(({ received }) => received.split(' ')[1])).toEqual(['200', '409']);
    for (const { received } of answers) expect(received.split('\r\n\r\n')[1]).toContain(begin);
  });

  test('Retry-After is sent as given, even for wrong credentials', async () => {
    const given = [undefined, 0, 7, 'Wed, 21 Oct 2026 07:28:00 GMT', 'soon'];
    const rules = given.map((retryAfter): FaultRule => {
      const fault: Fault = { kind: 'status', status: 429, ...(retryAfter !== undefined && { retryAfter }) };
      return { times: 1, fault };
    });
    const service = await testService({ faults: { rules } });
    for (const retryAfter of given) {
      // Faults come before credentials.
      const answer = await call(service, 'POST', '/items', sword, { authorization: 'Basic wrong' });
      const header = retryAfter === undefined ? null : String(retryAfter);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, header]);
    }
  });

  test('parallel requests meet as many faults as sequential ones', async () => {
    const rules: FaultRule[] = [{ after: 5, every: 3, times: 4, fault: { kind: 'status', status: 503 } }];
    const service = await testService({ faults: { rules } });
    const all = Array.from({ length: 40 }, (_, index) =>
      call(service, 'POST', '/items', { ...sword, id: `item-${index}` }),
    );
    const failed = (await Promise.all(all)).filter(({ status }) => status === 503);
    expect(failed).toHaveLength(4);
    expect(service.ledger()).toHaveLength(36);
  });
});

describe('latency', () => {
  const slow = always({ kind: 'latency', ms: 250 });

  /** Waits that the test ends itself, in place of a clock. */
  function heldSleep() {
    const held: { ms: number; end: () => void }[] = [];
    const sleep = (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (ms === 0) return resolve();
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        held.push({ ms, end: resolve });
      });
    return { held, sleep };
  }

  test.each([
    ['before-commit', []],
    ['after-commit', ['Sword']],
  ] as const)('with %s leaves %j stored while the client waits', async (when, stored) => {
    const { held, sleep } = heldSleep();
    const faults = { rules: always({ kind: 'latency', ms: 250, when }) };
    const service = await testService({ faults, sleep });
    const answer = call(service, 'POST', '/items', sword);
    await expect.poll(() => held.length, patient).toBe(1);
    expect(held[0]?.ms).toBe(250);
    expect(service.ledger().map(({ name }) => name)).toEqual(stored);
    held[0]?.end();
    expect((await answer).status).toBe(200);
  });

  test('delays close for a limited time, after which nothing is stored', async () => {
    const { held, sleep } = heldSleep();
    const service = await testService({ faults: { rules: slow }, sleep, stopMs: 77 });
    const bytes = rawRequest('POST', '/api/items', JSON.stringify(sword), { authorization });
    const exchange = rawExchange(service.port, bytes);
    await expect.poll(() => held.length, patient).toBe(1);
    const closing = service.close();
    await expect.poll(() => held.map(({ ms }) => ms), patient).toEqual([250, 77]);
    expect(service.ledger()).toEqual([]);
    held[1]?.end();
    expect((await exchange).received).toBe('');
    await closing;
  });

  test('of a request whose client disconnected delays close, and the request is carried out', async () => {
    const database = await databaseFile();
    const { held, sleep } = heldSleep();
    const service = await testService({ database, faults: { rules: slow }, sleep });
    const body = JSON.stringify(sword);
    const socket = createConnection(service.port, '127.0.0.1');
    socket.write(rawRequest('POST', '/api/items', body, { authorization, Connection: 'keep-alive' }));
    await expect.poll(() => held.length, patient).toBe(1);
    socket.resetAndDestroy();
    const closing = service.close();
    // The service no longer listens, but the request is still being handled.
    await expect.poll(() => fetch(service.url).catch(() => 'refused'), patient).toBe('refused');
    held[0]?.end();
    await closing;
    const again = await testService({ database });
    expect(again.ledger().map(({ name }) => name)).toEqual(['Sword']);
  });
});

test("fault settings that can't work are refused with their places", async () => {
  const rules = [
    { operations: ['createItem'], fault: { kind: 'refuse' } },
    { fault: { kind: 'status', status: 429, when: 'after-commit' } },
    { fault: { kind: 'drop' } },
  ] as FaultRule[];
  const starting = testService({ faults: { rules } });
  await expect(starting).rejects.toThrow('rules.0.operations: a refused connection');
  await expect(starting).rejects.toThrow('rules.1.fault.when: 429');
  await expect(starting).rejects.toThrow('rules.2.fault.kind: the fault drop needs when');
});
