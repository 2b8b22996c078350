import { describe, expect, test } from 'vitest';
import { type Dialect, type DialectPoint, dialectPoints } from '../../../src/service/dialect.ts';
import { world } from '../../rig/embedded-service.ts';
import { asRival, dialectClient, plain, range, rarity, update } from './dialect-client.ts';

const attributes = [
  { id: 'ours', name: 'damage', teamId: 'team_7' },
  { id: 'theirs', name: 'damage', teamId: 'team_8' },
];

const everyValue = Object.entries(dialectPoints).flatMap(([point, values]) =>
  values.map((value): [DialectPoint, string | number] => [point as DialectPoint, value]),
);

/** What a rival asks: first for an axe of its own, then for what team_7 has or has not. */
const requests: readonly [method: string, path: string, body: object | undefined][] = [
  ['POST', '/items', { ...plain, id: 'axe' }],
  ['PUT', '/items/sword', update],
  ['POST', '/items', { ...plain, id: 'sword' }],
  ['PUT', '/classifiers/id_0', { name: 'R', classifierOptions: [] }],
  ['GET', '/users/user_1/spaces', undefined],
  ['POST', '/items', { ...plain, classifierOptionIds: ['id_1'] }],
  ['POST', '/items', { ...plain, itemAttributes: [range('ours', 1, 2)] }],
  ['PUT', '/items/axe', { ...update, attributes: [range('ours', 1, 2)] }],
  ['PUT', '/items/axe', { ...update, classifierOptionIds: { id_0: [] } }],
  ['PUT', '/items/axe', { ...update, classifierOptionIds: { id_0: 'id_1' } }],
  ['PUT', '/items/axe', { ...update, classifierOptionIds: { id_1: true } }],
  ['PUT', '/items/axe', { ...update, classifierOptionIds: { 0: 'id_1' } }],
];

/** All that the rival hears, in a service where team_7 has records or has none. */
async function heardByRival(dialect: Partial<Dialect>, hasRecords: boolean): Promise<string[]> {
  let next = 100;
  const ids = hasRecords ? ['id_0', 'id_1'] : [];
  const service = await dialectClient(dialect, {
    world: { ...world, spaces: [], attributes, users: hasRecords ? users : others },
    ids: () => ids.shift() ?? `id_${next++}`,
  });
  if (hasRecords) await service.createClassifier('Rarity', 'common');
  const sword = hasRecords ? await service.createItem({ id: 'sword' }) : undefined;
  // Its own ids are the same in both services, whatever was made before.
  next = 200;
  const heard: string[] = [];
  for (const [method, path, body] of [
    ['POST', '/items', { ...plain, id: 'axe' }],
    ...requests,
  ] as typeof requests) {
    const { status, text } = await service.ask(method, path, body, asRival);
    heard.push(`${method} ${path} ${status} ${text}`);
  }
  if (sword) expect(await service.updateItem(sword.id)).toEqual({ ...sword, updatedAt: expect.any(String) });
  return heard;
}

const users = world.users ?? [];
const others = users.filter(({ teamId }) => teamId === 'team_8');

describe('another team hears the same whether a record exists or not', () => {
  test.each(everyValue)('%s: %s', async (point, value) => {
    const dialect = { [point]: value };
    expect(await heardByRival(dialect, true)).toEqual(await heardByRival(dialect, false));
  });
});

test('two teams have records of one id side by side', async () => {
  const service = await dialectClient({ 'update.unknownId': 'created' });
  await service.updateItem('sword', { thumbnail: 'ours' });
  await service.updateClassifier('rarity', { name: 'Ours' });
  const item = await service.ask('PUT', '/items/sword', { ...update, thumbnail: 'theirs' }, asRival);
  const classifier = await service.ask('PUT', '/classifiers/rarity', { name: 'Theirs' }, asRival);
  expect([item.body, classifier.body]).toEqual([
    expect.objectContaining({ id: 'sword', teamId: 'team_8', thumbnail: 'theirs' }),
    expect.objectContaining({ id: 'rarity', teamId: 'team_8', name: 'Theirs' }),
  ]);
  expect(await service.updateItem('sword')).toMatchObject({ teamId: 'team_7', thumbnail: 'ours' });
});

test('overwriting and replacing stay within the team', async () => {
  const service = await dialectClient({
    'itemCreate.existingId': 'overwritten',
    'update.unknownId': 'created',
    'classifierUpdate.options': 'replaced',
  });
  const options = rarity('Rarity', 'common');
  await service.updateClassifier('rarity', options);
  await service.createItem({ id: 'sword', classifierOptionIds: ['id_0'] });
  await service.ask('POST', '/items', { ...plain, id: 'sword', name: 'Theirs' }, asRival);
  await service.ask('POST', '/items', { ...plain, id: 'sword', name: 'Theirs' }, asRival);
  await service.ask('PUT', '/classifiers/rarity', { name: 'Theirs', classifierOptions: [] }, asRival);
  const { classifiers } = await service.updateItem('sword');
  expect(classifiers.map(({ classifierOption }) => classifierOption.id)).toEqual(['id_0']);
});

test('each record belongs to the team of who made it', async () => {
  const service = await dialectClient({});
  expect((await service.ask('POST', '/items', plain, asRival)).body).toMatchObject({ teamId: 'team_8' });
  expect(await service.createItem()).toMatchObject({ teamId: 'team_7' });
  expect((await service.ask('GET', '/users/user_3/spaces')).body).toEqual([]);
});
