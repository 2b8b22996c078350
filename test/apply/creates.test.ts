import { describe, expect, test } from 'vitest';
import type { Outcome, ServiceError } from '../../src/api/outcome.ts';
import { confirmPending } from '../../src/apply/confirm-pending.ts';
import type { Address } from '../../src/catalog/model.ts';
import { uuid5 } from '../../src/environment/uuid5.ts';
import type { AnyAnswer } from '../../src/resources/registry.ts';
import { StateDraft } from '../../src/state/draft.ts';
import { changeOf, Desk, namespace, now, recorderOf } from '../rig/desk.ts';
import { type MemoryService, type Received, refused, unseen } from '../rig/memory-service.ts';
import { recorded, withoutStatus } from '../rig/recorded.ts';

const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
const swordId = uuid5(namespace, 'sword');
const honoured = { 'itemCreate.clientId': 'honoured' } as const;
const rarity = `classifiers: { rarity: { name: Rarity, options: { rare: { name: Rare, dropRateMultiplier: 1 } } } }`;

const sent = ({ service }: Desk) =>
  service.received.map(
    ({ request, repeatable }) => `${request.method} ${request.path}${repeatable ? '' : ' once'}`,
  );

describe('may a create be repeated', () => {
  test('an item, where ids are honoured', async () => {
    const desk = new Desk({ profile: honoured });
    await desk.apply(sword);
    expect(sent(desk)).toEqual(['POST /items']);
  });

  test('not the first item while nobody knows, but those after it once it was', async () => {
    const desk = new Desk();
    await desk.apply('items: { a: { name: A, rollNumerator: 1 }, b: { name: B, rollNumerator: 1 } }');
    expect(sent(desk)).toEqual(['POST /items once', 'POST /items']);
  });

  test('no item any more, once an id was ignored', async () => {
    const desk = new Desk();
    desk.service.react = (received, honest) => anotherId(honest, `made-up-${received.request.body.name}`);
    await desk.apply('items: { a: { name: A, rollNumerator: 1 }, b: { name: B, rollNumerator: 1 } }');
    expect(sent(desk)).toEqual(['POST /items once', 'POST /items once']);
  });

  test('never a classifier', async () => {
    const desk = new Desk({ profile: honoured });
    await desk.apply(rarity);
    expect(sent(desk)).toEqual(['POST /classifiers once']);
  });
});

describe('a create whose answer was not seen', () => {
  test('stays pending, with its intent, its time and the reason', async () => {
    const desk = new Desk();
    desk.service.react = unseen;
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ address: 'item.sword', result: 'unknown' }]);
    expect(recorded(desk.state).pending).toMatchObject([
      { address: 'item.sword', at: now, reason: 'timeout', request: { body: { id: swordId } } },
    ]);
  });

  test('is settled by an update of the same id where ids are honoured', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = ({ request }, honest) => (request.method === 'POST' ? lost(honest) : honest());
    const { report } = await desk.apply(sword);
    expect(sent(desk)).toEqual(['POST /items', `PUT /items/${swordId}`]);
    expect(report.results).toMatchObject([{ result: 'applied', remoteId: swordId }]);
    expect(recorded(desk.state).pending).toEqual([]);
    expect((await desk.plan(sword)).changes).toEqual([]);
  });

  test('is not settled by an update that is answered for another record', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = ({ request }, honest) =>
      request.method === 'POST' ? lost(honest) : anotherId(honest, 'another');
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'unknown' }]);
    expect(recorded(desk.state).pending).toHaveLength(1);
  });

  test('the next run: a refusal may mean that the record is there, and an update tells', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = (_, honest) => lost(honest);
    await desk.apply(sword);
    desk.service.react = ({ request }, honest) => (request.method === 'POST' ? refused(409) : honest());
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'applied', remoteId: swordId }]);
    expect(recorded(desk.state).pending).toEqual([]);
  });

  test('the next run: refused twice, it is still pending', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = unseen;
    await desk.apply(sword);
    desk.service.react = () => refused(422);
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'unknown', error: { status: 422 } }]);
    expect(recorded(desk.state).pending).toMatchObject([
      { reason: 'status 422', request: { body: { id: swordId } } },
    ]);
  });

  test('the next run: what the one before was answered is still told', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = () => unseenNaming({ answeredIds: ['deep-inside'] });
    await desk.apply(sword);
    desk.service.react = () => refused(422);
    await desk.apply(sword);
    await desk.apply(sword);
    expect(recorded(desk.state).pending).toMatchObject([
      { reason: 'status 422; it names the ID "deep-inside"' },
    ]);
  });

  test('the next run: it is there, and the update that would show it is not taken: still pending', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = (_, honest) => lost(honest);
    await desk.apply(sword);
    desk.service.react = ({ request }) => (request.method === 'POST' ? refused(409) : unseen());
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'unknown', settles: true }]);
    expect(recorded(desk.state).pending).toHaveLength(1);
  });

  test.each([
    [refused(409), refused(404)],
    [refused(400), refused(404)],
  ])(
    'the next run: where the id and its update are both refused for good, it settles nothing',
    async (post, put) => {
      const desk = new Desk({ profile: honoured });
      desk.service.react = unseen;
      await desk.apply(sword);
      desk.service.react = ({ request }) => (request.method === 'POST' ? post : put);
      const [result] = (await desk.apply(sword)).report.results;
      expect(result?.result).toBe('unknown');
      expect(result).not.toHaveProperty('settles');
      expect(recorded(desk.state).pending).toHaveLength(1);
    },
  );

  test('the next run: stopped before it is sent again, it is pending as it was', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = unseen;
    await desk.apply(sword);
    const before = recorded(desk.state).pending;
    desk.service.react = () => refused(0, { reason: 'interrupted', attempts: 0 });
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'not-started' }]);
    expect(recorded(desk.state).pending).toEqual(before);
  });

  test('the next run: not sent again when an earlier answer of that run shows that ids are ignored', async () => {
    const desk = new Desk();
    await desk.apply('items: { known: { name: Known, rollNumerator: 1 } }');
    desk.service.react = unseen;
    const known = 'known: { name: Known, rollNumerator: 1 }';
    await desk.apply(`items: { ${known}, sword: { name: Sword, rollNumerator: 40 } }`);
    expect(recorded(desk.state).pending).toHaveLength(1);
    // As if the record that showed it had been forgotten.
    if (desk.state) desk.state = withoutStatus(desk.state, 'live');
    desk.service.received.length = 0;
    desk.service.react = (_, honest) => anotherId(honest, 'made-up');
    const bow = 'items: { bow: { name: Bow, rollNumerator: 1 }, sword: { name: Sword, rollNumerator: 40 } }';
    await desk.apply(bow);
    const { report } = await desk.apply(bow);
    expect(desk.service.received.map(({ request }) => request.body.name)).toEqual(['Bow']);
    expect(report.results).toMatchObject([{ address: 'item.sword', result: 'unknown' }]);
    expect(recorded(desk.state).pending).toHaveLength(1);
  });
});

describe('a service that is known to honour ids answers a create with another one', () => {
  const two = 'items: { a: { name: A, rollNumerator: 1 }, b: { name: B, rollNumerator: 1 } }';
  const [idOfA, idOfB] = [uuid5(namespace, 'a'), uuid5(namespace, 'b')];

  test('its outcome is unknown, both ids are kept, and nothing more is sent', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = (_, honest) => anotherId(honest, 'made-up');
    const { report } = await desk.apply(two);
    expect(report).toMatchObject({
      results: [
        { address: 'item.a', result: 'unknown' },
        { address: 'item.b', result: 'not-started' },
      ],
      halt: { kind: 'other-id', asked: idOfA, answered: 'made-up' },
    });
    expect(recorded(desk.state).pending).toMatchObject([
      { address: 'item.a', request: { body: { id: idOfA } }, answer: { id: 'made-up' } },
    ]);
    expect(recorded(desk.state).live).toEqual({});
  });

  test('in an answer that is not usable: the same, and it waits for a person', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = () => unseenNaming({ answeredIds: ['made-up'], otherId: 'made-up' });
    const { report } = await desk.apply(two);
    expect(report).toMatchObject({
      results: [
        { address: 'item.a', result: 'unknown' },
        { address: 'item.b', result: 'not-started' },
      ],
      halt: { kind: 'other-id', asked: idOfA, answered: 'made-up' },
    });
    expect(report.results[0]).not.toHaveProperty('settles');
    expect(sent(desk)).toEqual(['POST /items']);
    expect(recorded(desk.state).pending).toMatchObject([
      { request: { body: { id: idOfA } }, otherId: 'made-up', reason: 'timeout; it names the ID "made-up"' },
    ]);
    expect(changeOf(await desk.plan(two), 'item.a')).toMatchObject({ action: 'unknown', requests: [] });
  });

  test('two answers that were swapped are believed for neither', async () => {
    const desk = new Desk({ profile: honoured });
    desk.parallel = 2;
    const answers: ReturnType<Parameters<typeof anotherId>[0]>[] = [];
    const both = deferred();
    desk.service.react = async ({ request }, honest) => {
      if (request.body.name === 'Canary') return honest();
      const own = answers.push(honest()) - 1;
      if (answers.length === 2) both.resolve();
      await both.promise;
      return answers[1 - own] ?? unseen();
    };
    const three = two.replace('{ a:', '{ "0": { name: Canary, rollNumerator: 1 }, a:');
    const { report } = await desk.apply(three);
    expect(report.results).toMatchObject([
      { address: 'item.0', result: 'applied' },
      { address: 'item.a', result: 'unknown', remoteId: idOfB },
      { address: 'item.b', result: 'unknown', remoteId: idOfA },
    ]);
    expect(recorded(desk.state).pending.map(({ address }) => address)).toEqual(['item.a', 'item.b']);
    expect(Object.keys(recorded(desk.state).live)).toEqual(['item.0']);
  });
});

describe('creates of which nobody chose the ids', () => {
  const named = (key: string, name: string, option: string) =>
    `${key}: { name: ${name}, options: { o: { name: ${option}, dropRateMultiplier: 1 } } }`;

  test.each([
    ['names', named('b', 'B', 'One'), named('c', 'C', 'One')],
    ['options', named('b', 'Tier', 'One'), named('c', 'Tier', 'Two')],
    ['multipliers', named('b', 'Tier', 'One'), named('c', 'Tier', 'One').replace(': 1 }', ': 2 }')],
    ['having options', named('b', 'Tier', 'One'), 'c: { name: Tier, options: {} }'],
  ])('two answers that were swapped are recognized by their %s, and both ids are kept', async (_, b, c) => {
    const classifiers = `classifiers: { ${named('a', 'A', 'One')}, ${b}, ${c} }`;
    const desk = new Desk();
    const held: { readonly answer: Outcome<AnyAnswer>; readonly resolve: () => void }[] = [];
    desk.service.react = async ({ request }, honest) => {
      if (request.body.name === 'A') return honest();
      const own = held.length;
      const { promise, resolve } = deferred();
      held.push({ answer: honest(), resolve });
      if (held.length === 2) for (const each of held) each.resolve();
      await promise;
      return held[1 - own]?.answer ?? unseen();
    };
    const { report } = await desk.apply(classifiers);
    expect(report.results).toMatchObject([
      { address: 'classifier.a', result: 'applied' },
      { address: 'classifier.b', result: 'unknown', remoteId: 'c3' },
      { address: 'classifier.c', result: 'unknown', remoteId: 'c2' },
    ]);
    expect(recorded(desk.state).pending).toMatchObject([
      { address: 'classifier.b', answer: { id: 'c3' } },
      { address: 'classifier.c', answer: { id: 'c2' } },
    ]);
  });

  test('of two items with one name, too', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'ignored' } });
    let first: { readonly answer: Outcome<AnyAnswer>; readonly resolve: (own: Outcome<AnyAnswer>) => void };
    desk.parallel = 2;
    desk.service.react = ({ request }, honest) => {
      const answer = honest();
      if (request.body.rollNumerator === 1) return answer;
      if (request.body.rollNumerator === 2)
        return new Promise((resolve) => {
          first = { answer, resolve };
        });
      first.resolve(answer);
      return first.answer;
    };
    const { report } = await desk.apply(
      'items: { a: { name: A, rollNumerator: 1 }, a2: { name: A2, rollNumerator: 1 }, b: { name: B, rollNumerator: 2 }, c: { name: B, rollNumerator: 3 } }',
    );
    expect(report.results.map(({ result }) => result)).toEqual(['applied', 'applied', 'unknown', 'unknown']);
  });

  test('an option ID that another classifier has is not believed', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) => {
      const outcome = honest();
      if (outcome.kind !== 'answered' || !('classifierOptions' in outcome.body)) return outcome;
      const classifierOptions = outcome.body.classifierOptions.map((option) => ({ ...option, id: 'one' }));
      return { ...outcome, body: { ...outcome.body, classifierOptions } };
    };
    const { report } = await desk.apply(
      `classifiers: { ${named('a', 'A', 'One')}, ${named('b', 'B', 'One')} }`,
    );
    expect(report.results.map(({ result }) => result)).toEqual(['applied', 'unknown']);
  });

  test('a name that the service puts in another form is diverged, as before', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) => renamed(honest, 'a');
    const { report } = await desk.apply(rarity);
    expect(report.results).toMatchObject([{ result: 'diverged' }]);
  });

  test('options of another classifier are not believed', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) => anotherId(honest, 'another');
    const { report } = await desk.apply(rarity);
    expect(report.results).toMatchObject([{ result: 'unknown', remoteId: 'another' }]);
  });
});

describe('an update after one whose outcome was not seen', () => {
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
  ])(
    '%s: the record is still in doubt, and written again though the catalog is as before',
    async (_, react, result) => {
      const desk = await doubtful();
      const before = recorded(desk.state).live['item.sword']?.unconfirmed;
      expect(before?.reason).toBe('timeout');
      desk.service.react = react;
      const { report } = await desk.apply(sword);
      expect(report.results).toMatchObject([{ result }]);
      expect(recorded(desk.state).live['item.sword']?.unconfirmed).toEqual(before);
      expect((await desk.plan(sword)).summary).toMatchObject({ reassert: 1 });
    },
  );
});

test('an update answered for another record is unknown, nothing of it is believed, and it is sent again', async () => {
  const desk = new Desk();
  await desk.apply(sword);
  desk.service.react = (_, honest) => anotherId(honest, 'another');
  const edited = sword.replace('40', '41');
  const { report } = await desk.apply(edited);
  expect(report.results).toMatchObject([{ result: 'unknown', remoteId: 'another' }]);
  expect(recorded(desk.state).live['item.sword']?.id).toBe(swordId);
  expect(recorded(desk.state).live['item.sword']?.unconfirmed?.reason).toContain('record another');
  expect(recorded(desk.state).pending).toEqual([]);
  expect((await desk.plan(edited)).summary).toMatchObject({ unknown: 0, update: 1 });
});

describe('a person says that a create happened', () => {
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
    };
    const confirmed = await confirmPending(pending, id, ports);
    const [received] = desk.service.received as [Received?];
    desk.state = builder.snapshot();
    return { confirmed, received, state: desk.state, desk };
  }

  const pendingSword = async (desk: Desk) => {
    await desk.apply('items: { other: { name: O, rollNumerator: 1, id: there } }');
    // The service has the record, and the state knows nothing of it.
    if (desk.state) desk.state = withoutStatus(desk.state, 'live');
    desk.record({ type: 'create-intent', address: 'item.sword', at: now, request: create });
  };

  test('the id of another resource is refused, and nothing is sent', async () => {
    const prepare = async (desk: Desk) => {
      await desk.apply('items: { other: { name: O, rollNumerator: 1, id: there } }');
      desk.record({ type: 'create-intent', address: 'item.sword', at: now, request: create });
    };
    const { confirmed, received } = await adopting(sword, prepare, 'there', 'item.sword');
    expect([confirmed, received]).toEqual([{ kind: 'held', holder: 'item.other' }, undefined]);
  });

  test('it is confirmed by an update of what was created, in documented fields', async () => {
    const { confirmed, received, state } = await adopting(sword, pendingSword, 'there', 'item.sword');
    expect(confirmed.kind).toBe('answered');
    expect(received?.request).toEqual({
      method: 'PUT',
      path: '/items/there',
      body: {
        name: 'Sword',
        rollNumerator: 40,
        thumbnail: 'a.png',
        attributes: create.body.itemAttributes,
      },
    });
    expect(recorded(state).pending).toEqual([]);
    expect(recorded(state).live['item.sword']).toMatchObject({ id: 'there', confidence: 'verified' });
  });

  test.each<[string, Partial<Pick<MemoryService, 'react' | 'teamId'>>, object]>([
    ['refused', { react: () => refused(404) }, { kind: 'refused' }],
    [
      'answered for another record',
      { react: (_, honest) => anotherId(honest, 'another') },
      { kind: 'distrusted', answer: { id: 'another' }, distrust: { code: 'other-id' } },
    ],
    [
      'answered for another team',
      { teamId: 'team_8' },
      { kind: 'distrusted', answer: { id: 'there' }, distrust: { code: 'wrong-team' } },
    ],
  ])('%s: it is still pending', async (_, changed, expected) => {
    const prepare = async (desk: Desk) => {
      await pendingSword(desk);
      Object.assign(desk.service, changed);
    };
    const { confirmed, state } = await adopting(sword, prepare, 'there', 'item.sword');
    expect(confirmed).toMatchObject(expected);
    expect([recorded(state).pending.length, recorded(state).live['item.sword']]).toEqual([1, undefined]);
  });
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The service has it, and nobody hears of it. */
function lost(honest: () => unknown) {
  honest();
  return unseen();
}

function anotherId(honest: Parameters<Desk['service']['react']>[1], id: string) {
  const outcome = honest();
  return outcome.kind === 'answered' ? { ...outcome, body: { ...outcome.body, id } } : outcome;
}

function unseenNaming(named: Partial<ServiceError>): ReturnType<typeof unseen> {
  const outcome = unseen();
  return outcome.kind === 'unseen' ? { ...outcome, error: { ...outcome.error, ...named } } : outcome;
}

function renamed(honest: Parameters<Desk['service']['react']>[1], name: string) {
  const outcome = honest();
  return outcome.kind === 'answered' ? { ...outcome, body: { ...outcome.body, name } } : outcome;
}
