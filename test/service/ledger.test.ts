import { describe, expect, test } from 'vitest';
import type { WireClassifier } from '../../src/contract/wire.ts';
import { call, designer, rival, testService } from '../rig/embedded-service.ts';
import { update as anUpdate, plain, rarity } from './client.ts';

const sword = { ...plain, id: 'sword', name: 'Sword' };
const update = { ...anUpdate, name: 'Blade' };
const asRival = { authorization: rival };

describe('the ledger', () => {
  test('has every record with who wrote it how often', async () => {
    const service = await testService({ clock: () => 0 });
    const { body } = await call<WireClassifier>(service, 'POST', '/classifiers', rarity('Rarity'));
    await call(service, 'POST', '/items', sword);
    await call(service, 'PUT', '/items/sword', update);
    await call(service, 'PUT', '/items/sword', update);
    await call(service, 'POST', '/items', { ...sword, id: 'axe', name: 'Axe' }, asRival);
    await call(service, 'GET', '/users/user_1/spaces');
    const createdAt = '1970-01-01T00:00:00.000Z';
    const never = { createdAt, updatedAt: null, updatedTimes: 0, createdTimes: 1 };
    const ours = { teamId: 'team_7', createdBy: 'user_1' };
    expect(service.ledger()).toEqual([
      { ...never, ...ours, kind: 'classifier', id: body.id, name: 'Rarity' },
      { ...never, ...ours, kind: 'item', id: 'sword', name: 'Blade', updatedAt: createdAt, updatedTimes: 2 },
      { ...never, kind: 'item', id: 'axe', name: 'Axe', teamId: 'team_8', createdBy: 'user_2' },
    ]);
  });

  test('does not count what was refused', async () => {
    const service = await testService();
    await call(service, 'POST', '/items', sword);
    const refused = [
      await call(service, 'POST', '/items', sword),
      await call(service, 'POST', '/items', { ...sword, id: 'axe', classifierOptionIds: ['nobody'] }),
      await call(service, 'PUT', '/items/sword', { ...update, attributes: 'none' }),
      await call(service, 'PUT', '/items/sword', update, asRival),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 422, 400, 404]);
    expect(service.ledger()).toMatchObject([{ id: 'sword', createdTimes: 1, updatedTimes: 0 }]);
  });

  test('counts a create that overwrote as a second one', async () => {
    const service = await testService({ dialect: { 'itemCreate.existingId': 'overwritten' } });
    await call(service, 'POST', '/items', sword);
    await call(service, 'POST', '/items', sword, { authorization: designer });
    expect(service.ledger()).toMatchObject([{ id: 'sword', createdBy: 'user_1', createdTimes: 2 }]);
  });
});
