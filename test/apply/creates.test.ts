import { describe, expect, test } from 'vitest';
import type { Outcome, ServiceError } from '../../src/api/outcome.ts';
import { confirmPending } from '../../src/apply/recovery.ts';
import type { Address } from '../../src/catalog/model.ts';
import type { WireClassifier, WireItem } from '../../src/contract/api.ts';
import { uuid5 } from '../../src/environment/defaults.ts';
import { seenText } from '../../src/render/messages/seen-text.ts';
import type { AnyAnswer } from '../../src/resources/registry.ts';
import { StateDraft } from '../../src/state/draft.ts';
import { Desk, namespace, now, recorderOf } from '../rig/desk.ts';
import {
  type MemoryService,
  otherwise,
  type Received,
  refused,
  serviceError,
  unseen,
} from '../rig/memory-service.ts';
import { recorded, withoutStatus } from '../rig/recorded.ts';

const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
const swordId = uuid5(namespace, 'sword');
const honoured = { 'itemCreate.clientId': 'honoured' } as const;
const [idOfA, idOfB] = [uuid5(namespace, 'a'), uuid5(namespace, 'b')];
const rarity = `classifiers: { rarity: { name: Rarity, options: { rare: { name: Rare, dropRateMultiplier: 1 } } } }`;

const sent = ({ service }: Desk) =>
  service.received.map(
    ({ request, repeatable }) => `${request.method} ${request.path}${repeatable ? '' : ' once'}`,
  );

type React = MemoryService['react'];
const two = 'items: { a: { name: A, rollNumerator: 1 }, b: { name: B, rollNumerator: 1 } }';
const honest: React = (_, carryOut) => carryOut();

test.each<[string, object, string, React, string[]]>([
  ['an item create is repeatable if IDs are honored', honoured, sword, honest, ['POST /items']],
  [
    'item creates become repeatable once the first ID is honored',
    {},
    two,
    honest,
    ['POST /items once', 'POST /items'],
  ],
  [
    'item creates stay unrepeatable once an ID is ignored',
    {},
    two,
    ({ request }, carryOut) => anotherId(carryOut, `made-up-${request.body.name}`),
    ['POST /items once', 'POST /items once'],
  ],
  ['a classifier create is never repeatable', honoured, rarity, honest, ['POST /classifiers once']],
])('%s', async (_, profile, text, react, requests) => {
  const desk = new Desk({ profile });
  desk.service.react = react;
  await desk.apply(text);
  expect(sent(desk)).toEqual(requests);
});

test.each<[number, Partial<ServiceError>, string | null]>([
  [409, {}, swordId],
  [409, { answeredIds: [swordId] }, swordId],
  [409, { answeredIds: ['real-sword'] }, null],
  [409, { answeredIds: [swordId, 'real-sword'] }, null],
  [409, { otherId: 'real-sword' }, null],
  [422, {}, null],
])('a create that is refused with %i %o reports the existing ID, if it is known', async (...row) => {
  const [status, named, remoteId] = row;
  const desk = new Desk();
  desk.service.react = () => refused(status, named);
  const { report } = await desk.apply(sword);
  expect(report.results).toMatchObject([{ result: 'failed', remoteId }]);
  expect(desk.recorded.pending).toEqual([]);
});

describe('an unknown create', () => {
  const taken: React = (_, carryOut) => lost(carryOut);
  const by =
    (post: React, put: React): React =>
    (received, carryOut) =>
      (received.request.method === 'POST' ? post : put)(received, carryOut);

  test('stays pending, with its request, its time and the reason', async () => {
    const desk = new Desk();
    desk.service.react = unseen;
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ address: 'item.sword', result: 'unknown' }]);
    expect(desk.recorded.pending).toMatchObject([
      { address: 'item.sword', at: now, reason: 'timeout', request: { body: { id: swordId } } },
    ]);
  });

  test('records no words of the service, which may contain anything', async () => {
    const desk = new Desk();
    const error = {
      ...serviceError,
      reason: 'status',
      status: 500,
      words: 'no hunter2 here',
      answeredIds: ['i-9'],
    } as const;
    desk.service.react = () => ({ kind: 'unseen', error });
    const { report } = await desk.apply(sword);
    expect(report.results[0]?.error?.words).toBe('no hunter2 here');
    const { reason } = desk.recorded.pending[0] ?? {};
    expect(reason).toBe('status 500; it names the ID "i-9"');
  });

  test.each<[string, React, 'applied' | 'unknown']>([
    ['is settled by an update of the same ID', by(taken, honest), 'applied'],
    [
      'is not settled by a response with another record',
      by(taken, (_, carryOut) => anotherId(carryOut, 'another')),
      'unknown',
    ],
  ])('%s if IDs are honored', async (_, react, result) => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = react;
    const { report } = await desk.apply(sword);
    expect(sent(desk)).toEqual(['POST /items', `PUT /items/${swordId}`]);
    expect(report.results).toMatchObject([{ result }]);
    expect(desk.recorded.pending).toHaveLength(result === 'applied' ? 0 : 1);
    if (result === 'applied') expect((await desk.plan(sword)).changes).toEqual([]);
  });

  test.each<[string, React, object, object]>([
    [
      'another record',
      (_, carryOut) => anotherId(carryOut, 'another'),
      { halt: { kind: 'other-id', answered: 'another' } },
      { answer: { id: 'another' } },
    ],
    [
      'another team',
      (_, carryOut) => otherwise(carryOut(), () => ({ teamId: 'team_8' })),
      { halt: { kind: 'wrong-team', answered: 'team_8' } },
      { answer: { teamId: 'team_8' } },
    ],
    ['status 401', () => refused(401), { halt: { kind: 'service' } }, { reason: 'timeout' }],
    [
      'two IDs',
      () => unseenNaming({ answeredIds: [swordId, 'another'] }),
      {},
      { reason: `timeout; it names the IDs "${swordId}" and "another"` },
    ],
  ])('stays pending if its settling update returns %s, which may stop the run', async (...row) => {
    const [, put, halt, kept] = row;
    const desk = new Desk({ profile: honoured });
    desk.service.react = by(taken, put);
    const { report } = await desk.apply(sword);
    expect(report).toMatchObject({ ...halt, results: [{ result: 'unknown' }] });
    expect(desk.recorded.pending).toMatchObject([kept]);
  });

  const isPending = { request: { body: { id: swordId } } };
  test.each<[string, React, React, object, object[]]>([
    [
      'is settled by an update after a refusal',
      taken,
      by(() => refused(409), honest),
      { result: 'applied', remoteId: swordId },
      [],
    ],
    [
      'stays pending after a second refusal',
      unseen,
      () => refused(422),
      { result: 'unknown', error: { status: 422 } },
      [{ ...isPending, reason: 'status 422' }],
    ],
    [
      'keeps the ID that the earlier attempt returned',
      () => unseenNaming({ answeredIds: ['deep-inside'] }),
      () => refused(422),
      { result: 'unknown' },
      [{ reason: 'status 422; it names the ID "deep-inside"' }],
    ],
    [
      'stays pending if the update after a refusal gets no response',
      taken,
      by(() => refused(409), unseen),
      { result: 'unknown', settles: true },
      [isPending],
    ],
    [
      'stays pending if the create and the update are both refused',
      unseen,
      by(
        () => refused(409),
        () => refused(404),
      ),
      { result: 'unknown' },
      [isPending],
    ],
  ])('in the next run %s', async (_, first, second, result, pending) => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = first;
    await desk.apply(sword);
    desk.service.react = second;
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([result]);
    expect(report.results[0]?.settles ?? false).toBe('settles' in result);
    expect(desk.recorded.pending).toMatchObject(pending);
    // A third run leaves what is pending as it is.
    if (pending.length > 0) await desk.apply(sword);
    expect(desk.recorded.pending).toMatchObject(pending);
  });

  test('in the next run stays as it was if the run stops before sending it', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = unseen;
    await desk.apply(sword);
    const before = desk.recorded.pending;
    desk.service.react = () => refused(0, { reason: 'interrupted', attempts: 0 });
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'not-started' }]);
    expect(desk.recorded.pending).toEqual(before);
  });

  test('in the next run is not resent once another response shows that IDs are ignored', async () => {
    const desk = new Desk();
    await desk.apply('items: { known: { name: Known, rollNumerator: 1 } }');
    desk.service.react = unseen;
    const known = 'known: { name: Known, rollNumerator: 1 }';
    await desk.apply(`items: { ${known}, sword: { name: Sword, rollNumerator: 40 } }`);
    expect(desk.recorded.pending).toHaveLength(1);
    // As if the record that showed it had been forgotten.
    if (desk.state) desk.state = withoutStatus(desk.state, 'live');
    desk.service.received.length = 0;
    desk.service.react = (_, honest) => anotherId(honest, 'made-up');
    const bow = 'items: { bow: { name: Bow, rollNumerator: 1 }, sword: { name: Sword, rollNumerator: 40 } }';
    await desk.apply(bow);
    const { report } = await desk.apply(bow);
    expect(desk.service.received.map(({ request }) => request.body.name)).toEqual(['Bow']);
    expect(report.results).toMatchObject([{ address: 'item.sword', result: 'unknown' }]);
    expect(desk.recorded.pending).toHaveLength(1);
  });
});

describe('an unexpected ID, although IDs are honored,', () => {
  test.each<[string, React, object]>([
    ['a readable response', (_, carryOut) => anotherId(carryOut, 'made-up'), { answer: { id: 'made-up' } }],
    [
      'an unreadable response',
      () => unseenNaming({ answeredIds: ['made-up'], otherId: 'made-up' }),
      { otherId: 'made-up', reason: 'timeout; it names the ID "made-up"' },
    ],
  ])('stops the run and is kept with the requested one, in %s', async (_, react, kept) => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = react;
    const { report } = await desk.apply(two);
    expect(report).toMatchObject({
      results: [
        { address: 'item.a', result: 'unknown' },
        { address: 'item.b', result: 'not-started' },
      ],
      halt: { kind: 'other-id', method: 'POST', asked: idOfA, answered: 'made-up' },
    });
    expect(report.results[0]).not.toHaveProperty('settles');
    expect(sent(desk)).toEqual(['POST /items']);
    expect(desk.recorded).toMatchObject({
      pending: [{ address: 'item.a', request: { body: { id: idOfA } }, ...kept }],
      live: {},
    });
    expect(await desk.change('item.a', two)).toMatchObject({ action: 'unknown', requests: [] });
  });
});

describe('swapped responses leave two creates unknown, with both IDs, for', () => {
  const item = (name: string) => `{ name: ${name}, rollNumerator: 1 }`;
  const classifier = (name: string, option: string) =>
    `{ name: ${name}, options: { o: { name: ${option}, dropRateMultiplier: 1 } } }`;
  const first = classifier('First', 'One');

  test.each([
    ['items with different IDs', honoured, 'items', item('First'), item('A'), item('B'), idOfA, idOfB],
    ...[
      ['names', classifier('A', 'One'), classifier('B', 'One')] as const,
      ['options', classifier('Tier', 'One'), classifier('Tier', 'Two')] as const,
      [
        'multipliers',
        classifier('Tier', 'One'),
        classifier('Tier', 'One').replace(': 1 }', ': 2 }'),
      ] as const,
      ['numbers of options', classifier('Tier', 'One'), '{ name: Tier, options: {} }'] as const,
    ].map(
      ([by, a, b]) =>
        [`classifiers with different ${by}`, {}, 'classifiers', first, a, b, 'c2', 'c3'] as const,
    ),
  ] as const)('%s', async (_, profile, kind, zero, a, b, id, other) => {
    const text = `${kind}: { "0": ${zero}, a: ${a}, b: ${b} }`;
    const desk = new Desk({ profile });
    const answers: Outcome<AnyAnswer>[] = [];
    desk.service.react = async ({ request }, honest) => {
      if (request.body.name === 'First') return honest();
      const own = answers.push(honest()) - 1;
      while (answers.length < 2) await new Promise(setImmediate);
      return answers[1 - own] ?? unseen();
    };
    const { report } = await desk.apply(text);
    expect(report.results).toMatchObject([
      { result: 'applied' },
      { result: 'unknown', remoteId: other },
      { result: 'unknown', remoteId: id },
    ]);
    const ids = desk.recorded.pending.map(({ address, answer }) => [address.split('.')[1], answer?.id]);
    expect(ids).toEqual([
      ['a', other],
      ['b', id],
    ]);
    expect(Object.keys(desk.recorded.live)).toHaveLength(1);
  });

  test.each([
    ['items', item('A'), item('B'), item('Zero')],
    ['classifiers', classifier('Tier', 'One'), classifier('Tier', 'Two'), first],
  ])('of %s, which resolve gives to the right create only, in any order', async (kind, a, b, zero) => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const desk = new Desk({ profile: { 'itemCreate.clientId': 'ignored' } });
      const answers: Outcome<AnyAnswer>[] = [];
      desk.service.react = async ({ request }, honest) => {
        if (request.body.name === 'Zero' || request.body.name === 'First') return honest();
        const own = answers.push(honest()) - 1;
        while (answers.length < 2) await new Promise(setImmediate);
        return answers[1 - own] ?? unseen();
      };
      const text = `${kind}: { "0": ${zero}, "00": ${zero}, a: ${a}, b: ${b} }`;
      await desk.apply(text);
      desk.service.react = (_, honest) => honest();
      const address = (key = '') => `${kind.slice(0, -1)}.${key}` as Address;
      const answeredTo = (key: string) =>
        desk.recorded.pending.find((each) => each.address === address(key))?.answer?.id ?? '';
      const ids: Record<string, string> = { a: answeredTo('b'), b: answeredTo('a') };
      const resolved = async (key = '', id = '') =>
        (await confirming(desk, text, id, address(key))).confirmed;
      desk.service.received.length = 0;
      expect(await resolved(order[0], answeredTo(order[0] ?? ''))).toMatchObject({
        why: 'pending-too',
        holder: address(order[1]),
      });
      expect(desk.service.received).toEqual([]);
      for (const key of order) expect(await resolved(key, ids[key])).toMatchObject({ kind: 'answered' });
    }
  });
});

describe('creates without requested IDs', () => {
  const rarity =
    'classifiers: { rarity: { name: R, options: { o: { name: O, dropRateMultiplier: 1 }, p: { name: P, dropRateMultiplier: 2 } } } }\n';

  test.each([
    ['have one name', '', '{ name: B, rollNumerator: 2 }', '{ name: B, rollNumerator: 3 }'],
    [
      'differ by an option',
      rarity,
      '{ name: B, rollNumerator: 2, classifiers: { rarity: o } }',
      '{ name: B, rollNumerator: 2, classifiers: { rarity: p } }',
    ],
    [
      'differ by a range',
      'attributes: { damage: {} }\n',
      '{ name: B, rollNumerator: 2, attributes: { damage: { min: 1, max: 2 } } }',
      '{ name: B, rollNumerator: 2, attributes: { damage: { min: 1, max: 3 } } }',
    ],
  ])('are unknown if the responses of two items that %s are swapped', async (_, before, b, c) => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'ignored' } });
    let first:
      | { readonly answer: Outcome<AnyAnswer>; readonly resolve: (own: Outcome<AnyAnswer>) => void }
      | undefined;
    desk.parallel = 2;
    desk.service.react = ({ request }, honest) => {
      const answer = honest();
      if (request.body.name !== 'B') return answer;
      if (!first)
        return new Promise((resolve) => {
          first = { answer, resolve };
        });
      first.resolve(answer);
      return first.answer;
    };
    const { report } = await desk.apply(
      `${before}items: { a: { name: A, rollNumerator: 1 }, a2: { name: A2, rollNumerator: 1 }, b: ${b}, c: ${c} }`,
    );
    const results = report.results.filter(({ address }) => address.startsWith('item.'));
    expect(results.map(({ result }) => result)).toEqual(['applied', 'applied', 'unknown', 'unknown']);
  });

  test('are applied if the service puts every response in another form', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'ignored' } });
    desk.service.react = (_, honest) =>
      otherwise<WireItem>(honest(), ({ rollNumerator }) => ({ rollNumerator: Math.round(rollNumerator) }));
    const { report } = await desk.apply(
      'items: { a: { name: A, rollNumerator: 1.2 }, b: { name: A, rollNumerator: 1.4 }, c: { name: C, rollNumerator: 2.2 } }',
    );
    expect(report.results.map(({ result }) => result)).toEqual(['diverged', 'diverged', 'diverged']);
  });

  test('leave what refers to them waiting, with the address that it waits for', async () => {
    const desk = new Desk();
    desk.service.react = ({ kind }, honest) => (kind === 'classifier' ? unseen() : honest());
    const { report } = await desk.apply(
      `${rarity}items: { a: { name: A, rollNumerator: 1, classifiers: { rarity: o } } }`,
    );
    expect(report.results).toMatchObject([
      { address: 'classifier.rarity', result: 'unknown' },
      { result: 'waiting', reasons: [{ code: 'waits-for', address: 'classifier.rarity' }] },
    ]);
  });

  test.each([
    ['retired', { replace: ['classifier.a'] }],
    ['forgotten', { confirmNew: ['classifier.a'] }],
  ] as const)('are unknown if a replayed response names a %s record', async (status, options) => {
    const text = 'classifiers: { a: { name: A, options: { o: { name: O, dropRateMultiplier: 1 } } } }';
    const desk = new Desk();
    const answers: Outcome<AnyAnswer>[] = [];
    desk.service.react = (_, honest) => {
      answers.push(honest());
      return answers.length < 3 ? (answers[answers.length - 1] ?? unseen()) : (answers[0] ?? unseen());
    };
    await desk.apply(text);
    await desk.apply(text, {}, { replace: ['classifier.a'] });
    if (status === 'forgotten') desk.record({ type: 'forgotten', address: 'classifier.a', at: now });
    const { report } = await desk.apply(text, {}, options);
    expect(answers).toHaveLength(3);
    expect(report.results).toMatchObject([
      { result: 'unknown', remoteId: 'c1', reasons: [{ code: 'held', holder: 'classifier.a' }] },
    ]);
  });

  test('are unknown if another classifier has a returned option ID', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) =>
      otherwise<WireClassifier>(honest(), ({ classifierOptions }) => ({
        classifierOptions: classifierOptions.map((option) => ({ ...option, id: 'one' })),
      }));
    const { report } = await desk.apply(
      'classifiers: { a: { name: A, options: { o: { name: O, dropRateMultiplier: 1 } } }, b: { name: B, options: { o: { name: O, dropRateMultiplier: 1 } } } }',
    );
    expect(report.results.map(({ result }) => result)).toEqual(['applied', 'unknown']);
  });

  test.each<[string, React, object]>([
    [
      'are diverged if the name returns in another form',
      (_, carryOut) => otherwise(carryOut(), () => ({ name: 'a' })),
      { result: 'diverged' },
    ],
    [
      'are unknown if the options belong to another classifier',
      (_, carryOut) => anotherId(carryOut, 'another'),
      { result: 'unknown', remoteId: 'another' },
    ],
  ])('%s', async (_, react, result) => {
    const desk = new Desk();
    desk.service.react = react;
    const { report } = await desk.apply(rarity);
    expect(report.results).toMatchObject([result]);
  });
});

describe('an update after an unknown one', () => {
  const edited = sword.replace('40', '41');

  async function doubtful() {
    const desk = new Desk();
    await desk.apply(sword);
    desk.service.react = (_, honest) => lost(honest);
    await desk.apply(edited);
    return desk;
  }

  test.each([
    ['refused', () => refused(422), 'unknown'],
    ['never sent', () => refused(0, { reason: 'interrupted', attempts: 0 }), 'not-started'],
  ])('that is %s leaves the record in doubt, and the next plan rewrites it', async (_, react, result) => {
    const desk = await doubtful();
    const before = desk.recorded.live['item.sword']?.unconfirmed;
    expect(before?.reason).toBe('timeout');
    desk.service.react = react;
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result }]);
    expect(desk.recorded.live['item.sword']?.unconfirmed).toEqual(before);
    expect((await desk.plan(sword)).summary).toMatchObject({ reassert: 1 });
  });
});

test('an update that returns another record is unknown, records nothing of it, and is not resent', async () => {
  const desk = new Desk();
  await desk.apply(sword);
  desk.service.react = (_, honest) => anotherId(honest, 'another');
  const edited = sword.replace('40', '41');
  const { report } = await desk.apply(edited);
  expect(report.results).toMatchObject([{ result: 'unknown', remoteId: 'another' }]);
  expect(desk.recorded.live['item.sword']?.id).toBe(swordId);
  expect(desk.recorded.live['item.sword']?.unconfirmed?.reason).toContain('record another');
  expect(desk.recorded.pending).toEqual([]);
  expect((await desk.plan(edited)).summary).toMatchObject({ unknown: 1, update: 0 });
});

describe('resolving a create with an ID', () => {
  const create = {
    method: 'POST',
    path: '/items',
    body: {
      name: 'Sword',
      rollNumerator: 40,
      thumbnail: 'a.png',
      classifierOptionIds: ['o'],
      itemAttributes: [{ attributeId: 'attr_01', min: 1, max: 2 }],
      createdAt: '2020-01-01',
    },
  } as const;

  async function adopting(
    text: string,
    prepare: (desk: Desk) => void | Promise<void>,
    id: string,
    address: Address,
  ) {
    const desk = new Desk();
    await prepare(desk);
    desk.service.received.length = 0;
    return confirming(desk, text, id, address);
  }

  test('refuses a classifier without any of the options, such as one that the update created', async () => {
    const text = 'classifiers: { a: { name: A, options: { o: { name: O, dropRateMultiplier: 1 } } } }';
    const desk = new Desk();
    desk.service.react = unseen;
    await desk.apply(text);
    desk.service.react = (_, honest) => honest();
    const body = { name: 'Empty', classifierOptions: [] };
    await desk.service.write({ method: 'POST', path: '/classifiers', body }, 'classifier', {
      repeatable: false,
    });
    const { confirmed } = await confirming(desk, text, 'c1', 'classifier.a');
    expect(confirmed).toMatchObject({ kind: 'distrusted', distrust: { code: 'no-options' } });
  });

  const pendingSword = async (desk: Desk) => {
    await desk.apply('items: { other: { name: O, rollNumerator: 1, id: there } }');
    // The service has the record, and the state contains nothing of it.
    if (desk.state) desk.state = withoutStatus(desk.state, 'live');
    desk.record({ type: 'create-intent', address: 'item.sword', at: now, request: create });
  };

  test.each([
    ['has', 'resolving'],
    ['asked for', 'pending-too'],
  ])('refuses an ID that another resource %s, and sends nothing', async (_, why) => {
    const prepare = async (desk: Desk) => {
      if (why === 'pending-too') desk.service.react = unseen;
      await desk.apply('items: { other: { name: O, rollNumerator: 1, id: there } }');
      desk.record({ type: 'create-intent', address: 'item.sword', at: now, request: create });
    };
    const { confirmed, received } = await adopting(sword, prepare, 'there', 'item.sword');
    expect([confirmed, received]).toEqual([{ kind: 'held', why, holder: 'item.other' }, undefined]);
  });

  test('confirms it by an update with the documented fields of the create', async () => {
    const { confirmed, received, state } = await adopting(sword, pendingSword, 'there', 'item.sword');
    expect(confirmed.kind).toBe('answered');
    expect(received?.request).toMatchObject({
      method: 'PUT',
      path: '/items/there',
      body: {
        name: 'Sword',
        rollNumerator: 40,
        thumbnail: 'a.png',
        attributes: create.body.itemAttributes,
      },
    });
    expect(received?.request.body).not.toHaveProperty('itemAttributes');
    expect(recorded(state).pending).toEqual([]);
    expect(recorded(state).live['item.sword']).toMatchObject({ id: 'there', confidence: 'verified' });
  });

  test.each<[string, Partial<Pick<MemoryService, 'react' | 'teamId'>>, object]>([
    ['is refused', { react: () => refused(404) }, { kind: 'refused' }],
    [
      'returns another record',
      { react: (_, honest) => anotherId(honest, 'another') },
      { kind: 'distrusted', answer: { id: 'another' }, distrust: { code: 'other-id' } },
    ],
    [
      'returns another team',
      { teamId: 'team_8' },
      { kind: 'distrusted', answer: { id: 'there' }, distrust: { code: 'wrong-team' } },
    ],
  ])('leaves it pending if the update %s', async (_, changed, expected) => {
    const prepare = async (desk: Desk) => {
      await pendingSword(desk);
      Object.assign(desk.service, changed);
    };
    const { confirmed, state } = await adopting(sword, prepare, 'there', 'item.sword');
    expect(confirmed).toMatchObject(expected);
    // Any record in a response may be the one that the create made.
    if (confirmed.kind === 'distrusted')
      expect(recorded(state).pending[0]?.reason).toContain(`record ${confirmed.answer.id}`);
    expect([recorded(state).pending.length, recorded(state).live['item.sword']]).toEqual([1, undefined]);
  });
});

/** The service carries it out, and the response is lost. */
function lost(honest: () => unknown) {
  honest();
  return unseen();
}

function anotherId(honest: Parameters<React>[1], id: string) {
  return otherwise(honest(), () => ({ id }));
}

function unseenNaming(named: Partial<ServiceError>): ReturnType<typeof unseen> {
  const outcome = unseen();
  return outcome.kind === 'unseen' ? { ...outcome, error: { ...outcome.error, ...named } } : outcome;
}

/** What becomes of an ID that an operator gives for a pending create. */
async function confirming(desk: Desk, text: string, id: string, address: Address) {
  const inputs = await desk.inputs(text);
  if (!desk.state) throw new Error('nothing is recorded');
  const builder = new StateDraft(desk.state);
  const pending = builder.entries.find('pending', address);
  if (!pending) throw new Error('nothing is pending');
  const ports = {
    ...inputs,
    service: desk.service,
    recorder: recorderOf(builder),
    now: () => new Date(now),
    signal: desk.stop.signal,
    seenText,
  };
  const confirmed = await confirmPending(pending, id, ports);
  const [received] = desk.service.received as [Received?];
  desk.state = builder.snapshot();
  return { confirmed, received, state: desk.state, desk };
}
