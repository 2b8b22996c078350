import { describe, expect, test } from 'vitest';
import { adopt } from '../../src/apply/adopt.ts';
import type { Address } from '../../src/catalog/model.ts';
import { uuid5 } from '../../src/environment/uuid5.ts';
import { StateBuilder } from '../../src/state/state-builder.ts';
import { Desk, namespace, now, recorderOf } from '../rig/desk.ts';
import { type MemoryService, type Received, refused, unseen } from '../rig/memory-service.ts';

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
    const desk = new Desk({ profile: honoured });
    desk.service.react = (received, honest) => anotherId(honest, `made-up-${received.request.body.name}`);
    await desk.apply('items: { a: { name: A, rollNumerator: 1 }, b: { name: B, rollNumerator: 1 } }');
    expect(sent(desk)).toEqual(['POST /items', 'POST /items once']);
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
    expect(desk.state?.pending).toMatchObject([
      { address: 'item.sword', at: now, reason: 'timeout', request: { body: { id: swordId } } },
    ]);
  });

  test('is settled by an update of the same id where ids are honoured', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = ({ request }, honest) => (request.method === 'POST' ? lost(honest) : honest());
    const { report } = await desk.apply(sword);
    expect(sent(desk)).toEqual(['POST /items', `PUT /items/${swordId}`]);
    expect(report.results).toMatchObject([{ result: 'applied', remoteId: swordId }]);
    expect(desk.state?.pending).toEqual([]);
    expect((await desk.plan(sword)).changes).toEqual([]);
  });

  test('is not settled by an update that is answered for another record', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = ({ request }, honest) =>
      request.method === 'POST' ? lost(honest) : anotherId(honest, 'another');
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'unknown' }]);
    expect(desk.state?.pending).toHaveLength(1);
  });

  test('the next run: a refusal may mean that the record is there, and an update tells', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = (_, honest) => lost(honest);
    await desk.apply(sword);
    desk.service.react = ({ request }, honest) => (request.method === 'POST' ? refused(409) : honest());
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'applied', remoteId: swordId }]);
    expect(desk.state?.pending).toEqual([]);
  });

  test('the next run: refused twice, it is still pending', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = unseen;
    await desk.apply(sword);
    desk.service.react = () => refused(422);
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'failed' }]);
    expect(desk.state?.pending).toMatchObject([{ reason: 'status 422', request: { body: { id: swordId } } }]);
  });

  test('the next run: not sent again when an earlier answer of that run shows that ids are ignored', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.react = unseen;
    await desk.apply(sword);
    desk.service.received.length = 0;
    desk.service.react = (_, honest) => anotherId(honest, 'made-up');
    const { report } = await desk.apply(
      sword.replace('{ sword', '{ bow: { name: Bow, rollNumerator: 1 }, sword'),
    );
    expect(desk.service.received.map(({ request }) => request.body.name)).toEqual(['Bow']);
    expect(report.results).toMatchObject([{ result: 'applied' }, { result: 'unknown' }]);
    expect(desk.state?.pending).toHaveLength(1);
  });
});

test('an update answered for another record is unknown, nothing of it is believed, and it is sent again', async () => {
  const desk = new Desk();
  await desk.apply(sword);
  desk.service.react = (_, honest) => anotherId(honest, 'another');
  const edited = sword.replace('40', '41');
  const { report } = await desk.apply(edited);
  expect(report.results).toMatchObject([{ result: 'unknown', remoteId: 'another' }]);
  expect(desk.state?.resources['item.sword']?.id).toBe(swordId);
  expect(desk.state?.resources['item.sword']?.unconfirmed?.reason).toContain('record another');
  expect(desk.state?.pending).toEqual([]);
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
    const builder = new StateBuilder(desk.state);
    const pending = builder.pendingAt(address);
    if (!pending) throw new Error('nothing is pending');
    const ports = {
      ...inputs,
      service: desk.service,
      recorder: recorderOf(builder),
      now: () => new Date(now),
    };
    const adoption = await adopt(pending, id, ports);
    const [received] = desk.service.received as [Received?];
    desk.state = builder.snapshot();
    return { adoption, received, state: desk.state, desk };
  }

  const pendingSword = async (desk: Desk) => {
    await desk.apply('items: { other: { name: O, rollNumerator: 1, id: there } }');
    // The service has the record, and the state knows nothing of it.
    if (desk.state) desk.state = { ...desk.state, resources: {} };
    desk.record({ type: 'intent', address: 'item.sword', at: now, request: create });
  };

  test('the id of another resource is refused, and nothing is sent', async () => {
    const prepare = async (desk: Desk) => {
      await desk.apply('items: { other: { name: O, rollNumerator: 1, id: there } }');
      desk.record({ type: 'intent', address: 'item.sword', at: now, request: create });
    };
    const { adoption, received } = await adopting(sword, prepare, 'there', 'item.sword');
    expect([adoption, received]).toEqual([{ kind: 'held', holder: 'item.other' }, undefined]);
  });

  test('it is confirmed by an update of what was created, in documented fields', async () => {
    const { adoption, received, state } = await adopting(sword, pendingSword, 'there', 'item.sword');
    expect(adoption).toEqual({ kind: 'adopted' });
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
    expect(state.pending).toEqual([]);
    expect(state.resources['item.sword']).toMatchObject({ id: 'there', confidence: 'verified' });
  });

  test.each<[string, Partial<Pick<MemoryService, 'react' | 'teamId'>>, object]>([
    ['refused', { react: () => refused(404) }, { kind: 'failed' }],
    [
      'answered for another record',
      { react: (_, honest) => anotherId(honest, 'another') },
      { kind: 'another', id: 'another', teamId: 'team_7' },
    ],
    ['answered for another team', { teamId: 'team_8' }, { kind: 'another', id: 'there', teamId: 'team_8' }],
  ])('%s: it is still pending', async (_, changed, expected) => {
    const prepare = async (desk: Desk) => {
      await pendingSword(desk);
      Object.assign(desk.service, changed);
    };
    const { adoption, state } = await adopting(sword, prepare, 'there', 'item.sword');
    expect(adoption).toMatchObject(expected);
    expect([state.pending.length, state.resources['item.sword']]).toEqual([1, undefined]);
  });
});

/** The service has it, and nobody hears of it. */
function lost(honest: () => unknown) {
  honest();
  return unseen();
}

function anotherId(honest: Parameters<Desk['service']['react']>[1], id: string) {
  const outcome = honest();
  return outcome.kind === 'answered' ? { ...outcome, body: { ...outcome.body, id } } : outcome;
}
