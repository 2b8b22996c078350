import { expect, test } from 'vitest';
import type { WireClassifier } from '../../src/contract/api.ts';
import { call, rival, testService } from '../rig/embedded-service.ts';
import { update as anUpdate, plain, rarity } from './client.ts';

const sword = { ...plain, id: 'sword', name: 'Sword' };
const update = { ...anUpdate, name: 'Blade' };
const asRival = { authorization: rival };

test('the ledger has the creator and the successful writes of every record', async () => {
  const dialect = { 'itemCreate.existingId': 'overwritten' } as const;
  const service = await testService({ clock: () => 0, dialect });
  const { body } = await call<WireClassifier>(service, 'POST', '/classifiers', rarity('Rarity'));
  const answers = [
    await call(service, 'POST', '/items', sword),
    await call(service, 'POST', '/items', sword),
    await call(service, 'PUT', '/items/sword', update),
    await call(service, 'PUT', '/items/sword', update),
    await call(service, 'POST', '/items', { ...sword, id: 'axe', name: 'Axe' }, asRival),
    await call(service, 'GET', '/users/user_1/spaces'),
    await call(service, 'POST', '/items', { ...sword, classifierOptionIds: ['nobody'] }),
    await call(service, 'PUT', '/items/sword', { ...update, attributes: 'none' }),
    await call(service, 'PUT', '/items/sword', update, asRival),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 422, 400, 404]);
  const createdAt = '1970-01-01T00:00:00.000Z';
  const never = { createdAt, updatedAt: null, updatedTimes: 0, createdTimes: 1 };
  const ours = { teamId: 'team_7', createdBy: 'user_1' };
  const blade = { name: 'Blade', updatedAt: createdAt, createdTimes: 2, updatedTimes: 2 };
  expect(service.ledger()).toEqual([
    { ...never, ...ours, kind: 'classifier', id: body.id, name: 'Rarity' },
    { ...never, ...ours, kind: 'item', id: 'sword', ...blade },
    { ...never, kind: 'item', id: 'axe', name: 'Axe', teamId: 'team_8', createdBy: 'user_2' },
  ]);
});
