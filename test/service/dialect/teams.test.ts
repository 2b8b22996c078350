import { expect, test } from 'vitest';
import { type Dialect, dialectPoints } from '../../../src/service/dialect.ts';
import { rival, world } from '../../rig/embedded-service.ts';
import { client, optionIds, plain, range, rarity, update } from '../client.ts';

const attributes = [
  { id: 'ours', name: 'damage', teamId: 'team_7' },
  { id: 'theirs', name: 'damage', teamId: 'team_8' },
];

const everyValue = Object.entries(dialectPoints).flatMap(([point, values]) =>
  values.map((value) => [point, value] as const),
);

/** What a rival asks: twice for an axe of its own, then for what team_7 has or has not. */
const requests: readonly [method: string, path: string, body: object | undefined][] = [
  ['POST', '/items', { ...plain, id: 'axe' }],
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

/** All responses to the rival, in a service in which team_7 has records or none. */
async function heardByRival(dialect: Partial<Dialect>, hasRecords: boolean): Promise<string[]> {
  let next = 100;
  const ids = hasRecords ? ['id_0', 'id_1'] : [];
  const users = (world.users ?? []).filter(({ teamId }) => hasRecords || teamId === 'team_8');
  const service = await client(dialect, {
    world: { ...world, spaces: [], attributes, users },
    ids: () => ids.shift() ?? `id_${next++}`,
  });
  if (hasRecords) await service.createClassifier('Rarity', 'common');
  const sword = hasRecords ? await service.createItem({ id: 'sword' }) : undefined;
  // Its own IDs are the same in both services, whatever was created before.
  next = 200;
  const heard: string[] = [];
  for (const [method, path, body] of requests) {
    const { status, text } = await service.ask(method, path, body, rival);
    heard.push(`${method} ${path} ${status} ${text}`);
  }
  if (sword) expect(await service.updateItem(sword.id)).toEqual({ ...sword, updatedAt: expect.any(String) });
  return heard;
}

test.each(everyValue)(
  '%s %s returns the same to another team whether a record exists or not',
  async (point, value) => {
    const dialect = { [point]: value };
    expect(await heardByRival(dialect, true)).toEqual(await heardByRival(dialect, false));
  },
);

test('two teams can have records with one ID, even if one overwrites its own', async () => {
  const service = await client({
    'itemCreate.existingId': 'overwritten',
    'update.unknownId': 'created',
    'classifierUpdate.options': 'replaced',
  });
  await service.updateClassifier('rarity', rarity('Ours', 'common'));
  await service.createItem({ id: 'sword', classifierOptionIds: ['id_0'] });
  const theirs = { ...plain, id: 'sword', name: 'Theirs' };
  const answers = [
    await service.ask('PUT', '/items/sword', { ...update, name: 'Theirs' }, rival),
    await service.ask('POST', '/items', theirs, rival),
    await service.ask('PUT', '/classifiers/rarity', { name: 'Theirs', classifierOptions: [] }, rival),
  ];
  for (const { body } of answers) expect(body).toMatchObject({ name: 'Theirs', teamId: 'team_8' });
  const sword = await service.updateItem('sword');
  expect([sword.teamId, optionIds(sword)]).toEqual(['team_7', ['id_0']]);
  expect(await service.updateClassifier('rarity', { name: 'Ours' })).toMatchObject({ teamId: 'team_7' });
  expect((await service.ask('GET', '/users/user_3/spaces')).body).toEqual([]);
});
