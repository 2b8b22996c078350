import { describe, expect, test } from 'vitest';
import type { StateEvent } from '../../src/state/event.ts';
import type { StateEntry } from '../../src/state/model.ts';
import { Desk } from '../rig/desk.ts';
import { refused, unseen } from '../rig/memory-service.ts';

const items = (count: number) =>
  `items:\n${Array.from({ length: count }, (_, n) => `  i${n}: { name: Item ${n}, rollNumerator: ${n} }\n`).join('')}`;
const results = ({ report }: Awaited<ReturnType<Desk['apply']>>) =>
  report.results.map(({ result }) => result);
const diskFull = () => {
  throw new Error('no space left on device');
};

describe('the canary', () => {
  /** How many requests are under way whenever one begins; the first `refusals` are refused. */
  function atOnceIn(desk: Desk, refusals: number): readonly number[] {
    const atOnce: number[] = [];
    let underWay = 0;
    desk.service.react = async (_, honest) => {
      atOnce.push(++underWay);
      await new Promise(setImmediate);
      underWay--;
      return atOnce.length <= refusals ? refused(422) : honest();
    };
    return atOnce;
  }

  test('goes alone as the first write, before the others go together', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'honoured' } });
    const atOnce = atOnceIn(desk, 0);
    desk.parallel = 3;
    await desk.apply(items(7));
    expect(atOnce.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...atOnce)).toBe(3);
  });

  test('is followed by another one alone if it is refused', async () => {
    const desk = new Desk();
    const atOnce = atOnceIn(desk, 2);
    const applied = await desk.apply(items(6));
    expect(atOnce.slice(0, 3)).toEqual([1, 1, 1]);
    expect(results(applied)).toEqual(['failed', 'failed', 'applied', 'applied', 'applied', 'applied']);
    expect(applied.report.halt).toBeUndefined();
  });

  test('stops the run after three refusals', async () => {
    const desk = new Desk();
    desk.service.react = () => refused(422);
    const applied = await desk.apply(items(6));
    expect(desk.service.received).toHaveLength(3);
    expect(applied.report.halt).toEqual({ kind: 'canary' });
    expect(results(applied).join()).toBe('failed,failed,failed,not-started,not-started,not-started');
    expect(desk.recorded).toMatchObject({ live: {}, pending: [] });
  });

  test('does not count an unsent item as a refusal', async () => {
    const desk = new Desk();
    desk.service.react = ({ kind }, honest) => (kind === 'classifier' ? refused(422) : honest());
    const assigned = items(2).replaceAll(' }', ', classifiers: { tier: a } }');
    const applied = await desk.apply(
      `classifiers: { tier: { name: T, options: { a: { name: A, dropRateMultiplier: 1 } } } }\n${assigned}  torch: { name: Torch, rollNumerator: 1 }\n`,
    );
    expect(results(applied)).toEqual(['failed', 'not-started', 'not-started', 'applied']);
    expect(applied.report.halt).toBeUndefined();
    const notCreated = { code: 'not-created', address: 'classifier.tier' };
    expect(applied.report.results[1]?.reasons).toEqual([notCreated]);
  });

  test('includes the first item create, even after updates, until IDs are known to be honored', async () => {
    const desk = new Desk();
    const text = `classifiers: { tier: { name: T, options: {} } }\n${items(3)}`;
    await desk.apply(text);
    if (!desk.state) throw new Error('not recorded');
    // As after an import: nothing shows whether IDs are honored.
    const entries = desk.state.entries.map(
      (entry, n): StateEntry =>
        entry.status === 'live' && entry.address.startsWith('item.')
          ? { ...entry, id: `r${n}`, sent: { ...entry.sent, method: 'PUT' } }
          : entry,
    );
    desk.state = { ...desk.state, entries };
    const log: string[] = [];
    desk.service.react = async ({ request, kind }, honest) => {
      if (kind === 'classifier') return honest();
      log.push(`${request.method} begins`);
      await new Promise(setImmediate);
      log.push(`${request.method} ends`);
      return request.method === 'POST' ? honest() : refused(404);
    };
    await desk.apply(
      `${text.replace('name: T,', 'name: Tier,').replaceAll('name: Item', 'name: New')}  z1: { name: Z, rollNumerator: 1 }\n  z2: { name: Z, rollNumerator: 1 }\n`,
    );
    const first = log.indexOf('POST begins');
    expect(first).toBeGreaterThan(-1);
    expect(log[first + 1]).toBe('POST ends');
  });
});

describe('a run', () => {
  test.each([
    ['status 401', refused(401)],
    ['status 403', refused(403)],
    ['a failed connection', refused(0, { reason: 'unreachable' })],
    ['a certificate error', refused(0, { reason: 'tls' })],
    ['a redirect', refused(302, { reason: 'redirect' })],
  ])('stops after %s', async (_, outcome) => {
    const desk = new Desk();
    desk.service.react = () => outcome;
    const applied = await desk.apply(items(4));
    expect(desk.service.received).toHaveLength(1);
    expect(applied.report.halt).toMatchObject({ kind: 'service' });
    expect(results(applied)).toEqual(['failed', 'not-started', 'not-started', 'not-started']);
    expect(desk.recorded.pending).toEqual([]);
  });

  test('stops before a refusal is recorded, however slow the disk is', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'honoured' } });
    desk.service.react = ({ request }, honest) => (request.body.name === 'Item 3' ? refused(401) : honest());
    let before = 0;
    desk.beforeRecord = async ({ type }) => {
      if (type !== 'create-rejected') return;
      before = desk.service.received.length;
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    };
    const applied = await desk.apply(items(30));
    expect(applied.report.halt).toMatchObject({ kind: 'service' });
    expect(before).toBeGreaterThan(0);
    expect(desk.service.received).toHaveLength(before);
  });

  test('that lost its lock sends no update to look for a create', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'honoured' } });
    desk.service.react = () => {
      desk.isLost = true;
      return unseen();
    };
    const applied = await desk.apply(items(3));
    expect(desk.service.received.map(({ request }) => request.method)).toEqual(['POST']);
    expect(applied.report.halt).toMatchObject({
      kind: 'state-lost',
      problems: [{ rule: 'state-lock-lost' }],
    });
    expect(results(applied)).toEqual(['unknown', 'not-started', 'not-started']);
  });

  test('stops and keeps the ID if a response is from another team', async () => {
    const desk = new Desk();
    desk.service.teamId = 'team_8';
    const applied = await desk.apply(items(3));
    expect(desk.service.received).toHaveLength(1);
    expect(applied.report.halt).toEqual({ kind: 'wrong-team', expected: 'team_7', answered: 'team_8' });
    const [first] = applied.report.results;
    expect(first).toMatchObject({ result: 'unknown', reasons: [{ code: 'wrong-team', answered: 'team_8' }] });
    expect(desk.recorded.pending).toMatchObject([{ address: 'item.i0', answer: { id: first?.remoteId } }]);
    expect(desk.recorded.live).toEqual({});
  });

  test('starts nothing new after an interruption, and records open requests', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) => {
      desk.stop.abort();
      return honest();
    };
    const applied = await desk.apply(items(3));
    expect(applied.report.halt).toEqual({ kind: 'interrupted' });
    expect(results(applied)).toEqual(['applied', 'not-started', 'not-started']);
    expect(Object.keys(desk.recorded.live)).toEqual(['item.i0']);
  });

  test('records everything if the interruption comes during the last request', async () => {
    const desk = new Desk();
    await desk.apply(items(2));
    desk.service.react = (_, honest) => {
      desk.stop.abort();
      return honest();
    };
    const applied = await desk.apply(items(1).replace('rollNumerator: 0', 'rollNumerator: 5'));
    expect(results(applied)).toEqual(['applied', 'recorded']);
    expect(applied.report.halt).toBeUndefined();
    expect(desk.recorded.retired.map(({ address }) => address)).toEqual(['item.i1']);
  });
});

describe('a failing journal', () => {
  const said = 'no space left on device';
  const full = { kind: 'journal', problems: [{ rule: 'impossible-event', values: { said } }] };
  test.each<[string, string, StateEvent['type'], number, object, object]>([
    ['before a create is sent', 'team_7', 'create-intent', 0, { result: 'not-started' }, full],
    [
      'after a response, and reports its ID',
      'team_7',
      'answered',
      1,
      { result: 'unrecorded', fields: [] },
      full,
    ],
    [
      'after a response of another team, and reports its ID',
      'team_8',
      'create-unknown',
      1,
      { result: 'unknown' },
      { kind: 'wrong-team' },
    ],
  ])('stops the run %s', async (_, teamId, type, sent, first, halt) => {
    const desk = new Desk();
    desk.service.teamId = teamId;
    desk.beforeRecord = (event) => void (event.type === type && diskFull());
    const applied = await desk.apply(items(3));
    expect(desk.service.received).toHaveLength(sent);
    const [id = null] = desk.service.items.keys();
    expect(applied.report.results[0]).toMatchObject({ ...first, remoteId: id });
    expect(applied.report.halt).toMatchObject(halt);
    expect(results(applied).slice(1)).toEqual(['not-started', 'not-started']);
  });

  test('stops the run before a rename, with nothing sent', async () => {
    const desk = new Desk();
    await desk.apply(items(1));
    desk.beforeRecord = diskFull;
    const applied = await desk.apply(
      'items: { j0: { name: Other, rollNumerator: 0 } }\nmoved: [{ from: item.i0, to: item.j0 }]',
    );
    expect(desk.service.received).toHaveLength(1);
    expect(results(applied)).toEqual(['not-started']);
  });

  test('leaves a retirement unrecorded, and reports that', async () => {
    const desk = new Desk();
    await desk.apply(items(2));
    desk.beforeRecord = diskFull;
    const applied = await desk.apply('');
    expect(results(applied)).toEqual(['not-started', 'not-started']);
    expect(applied.report.halt).toMatchObject({ kind: 'journal' });
  });
});

describe('an internal error', () => {
  test('is rethrown once all open requests are recorded, and nothing more is sent', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'honoured' } });
    desk.service.react = async ({ request }, honest) => {
      if (request.body.name === 'Item 1') throw new Error('a mistake');
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      return honest();
    };
    const events: string[] = [];
    desk.beforeRecord = (event) =>
      void events.push('address' in event ? `${event.type} ${event.address}` : '');
    await expect(desk.apply(items(9))).rejects.toThrow('a mistake');
    const sent = desk.service.received.map(({ request }) =>
      String(request.body.name).replace('Item ', 'item.i'),
    );
    expect(sent).toHaveLength(5);
    expect(events.filter((event) => event.startsWith('answered')).sort()).toEqual(
      sent.filter((address) => address !== 'item.i1').map((address) => `answered ${address}`),
    );
  });

  test('in a comparison does not keep the response from being recorded', async () => {
    const desk = new Desk();
    const unreadable = new Proxy([], {
      get: () => {
        throw new Error('a mistake');
      },
    });
    desk.service.answerWith({ attributes: unreadable });
    const kept: StateEvent[] = [];
    desk.beforeRecord = (event) => void kept.push(event);
    await expect(desk.apply(items(1))).rejects.toThrow('a mistake');
    const [id] = desk.service.items.keys();
    expect(kept.at(-1)).toMatchObject({ type: 'create-unknown', address: 'item.i0', answer: { id } });
  });
});

test('a failure stops only what depends on it', async () => {
  const desk = new Desk();
  desk.service.react = ({ request }, honest) => (request.body.name === 'B' ? unseen() : honest());
  const option = 'options: { x: { name: X, dropRateMultiplier: 1 } }';
  const applied = await desk.apply(`classifiers: { a: { name: A, ${option} }, b: { name: B, ${option} } }
items:
  of-a: { name: Of A, rollNumerator: 1, classifiers: { a: x } }
  of-b: { name: Of B, rollNumerator: 1, classifiers: { b: x } }
`);
  expect(results(applied)).toEqual(['applied', 'unknown', 'applied', 'waiting']);
});

test('every change with a request reports its end, in order', async () => {
  const desk = new Desk();
  const { events } = await desk.apply(items(3));
  expect(events.map((event) => (event.type === 'started' ? event.total : event.done))).toEqual([3, 1, 2, 3]);
});

test('a rename that could not be recorded is not reported as done', async () => {
  const desk = new Desk();
  const sword = 'items: { sword: { name: Sword, rollNumerator: 40, lifecycle: { protect: true } } }';
  await desk.apply(sword);
  const blade = `${sword.replace('sword:', 'blade:').replace('protect: true', 'protect: false')}\nmoved: [{ from: item.sword, to: item.blade }]`;
  desk.beforeRecord = diskFull;
  const refused = (await desk.apply(blade)).report;
  expect([refused.moved, refused.protections]).toEqual([[], []]);
  desk.beforeRecord = () => {};
  const { moved, protections } = (await desk.apply(blade)).report;
  expect(moved).toEqual([{ from: 'item.sword', to: 'item.blade' }]);
  expect(protections).toEqual([{ address: 'item.blade', protect: false }]);
});
