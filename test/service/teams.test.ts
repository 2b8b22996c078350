import { expect, test } from 'vitest';
import type { WireClassifier, WireItem } from '../../src/contract/wire.ts';
import { call, rival, testService, world } from '../rig/embedded-service.ts';

const plain = { name: 'Iron Sword', rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };
const update = { name: 'Iron Sword', rollNumerator: 40, attributes: [] };
const asRival = { authorization: rival };

test("another team's ids are answered exactly like ids of nobody", async () => {
  const attributes = [
    { id: 'ours', name: 'damage', teamId: 'team_7' },
    { id: 'theirs', name: 'damage', teamId: 'team_8' },
  ];
  const service = await testService({ world: { ...world, attributes } });
  const options = [{ name: 'common', dropRateMultiplier: 1 }];
  const rarity = { name: 'Rarity', classifierOptions: options };
  const { body: ours } = await call<WireClassifier>(service, 'POST', '/classifiers', rarity);
  await call(service, 'POST', '/items', { ...plain, id: 'sword' });
  await call(service, 'POST', '/items', { ...plain, id: 'axe' }, asRival);
  const option = ours.classifierOptions[0]?.id ?? '';
  const range = (attributeId: string) => [{ attributeId, min: 1, max: 2 }];

  const requests: [method: string, path: string, body: (id: string) => object | undefined, id: string][] = [
    ['PUT', '/items/ID', () => update, 'sword'],
    ['PUT', '/classifiers/ID', () => ({ name: 'R' }), ours.id],
    ['GET', '/users/ID/spaces', () => undefined, 'user_1'],
    ['POST', '/items', (id) => ({ ...plain, classifierOptionIds: [id] }), option],
    ['POST', '/items', (id) => ({ ...plain, itemAttributes: range(id) }), 'ours'],
    ['PUT', '/items/axe', (id) => ({ ...update, attributes: range(id) }), 'ours'],
    ['PUT', '/items/axe', (id) => ({ ...update, classifierOptionIds: { [id]: [] } }), ours.id],
    ['PUT', '/items/axe', (id) => ({ ...update, classifierOptionIds: { [ours.id]: id } }), option],
  ];
  for (const [method, path, body, id] of requests) {
    const ask = async (asked: string) => {
      const answer = await call(service, method, path.replace('ID', asked), body(asked), asRival);
      return [answer.status, JSON.stringify(answer.body).replaceAll(asked, '*')];
    };
    const [status, text] = await ask(id);
    expect([status, text]).toEqual(await ask('of-nobody'));
    expect(status).toBeGreaterThanOrEqual(400);
  }
  const after = await call<WireItem>(service, 'PUT', '/items/sword', update);
  expect(after.body.teamId).toBe('team_7');
});

test('an item id is taken within its team alone', async () => {
  const service = await testService();
  await call(service, 'POST', '/items', { ...plain, id: 'sword', thumbnail: 'ours' });
  expect((await call(service, 'POST', '/items', { ...plain, id: 'sword' })).status).toBe(409);
  expect((await call(service, 'POST', '/items', { ...plain, id: 'sword' }, asRival)).status).toBe(200);
  expect((await call(service, 'PUT', '/items/sword', update)).body).toMatchObject({ thumbnail: 'ours' });
});

test('each record belongs to the team of who made it', async () => {
  const service = await testService();
  expect((await call(service, 'POST', '/items', plain, asRival)).body).toMatchObject({ teamId: 'team_8' });
  expect((await call(service, 'POST', '/items', plain)).body).toMatchObject({ teamId: 'team_7' });
  expect((await call(service, 'GET', '/users/user_3/spaces')).body).toEqual([]);
});
