import { describe, expect, test } from 'vitest';
import type { WireClassifier } from '../../src/contract/wire.ts';
import { call, designer, rival, testService } from '../rig/embedded-service.ts';

const sword = { id: 'sword', name: 'Sword', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };
const update = { name: 'Blade', rollNumerator: 2, attributes: [] };
const asRival = { authorization: rival };

describe('the ledger', () => {
  test('has every record with who wrote it how often', async () => {
    const service = await testService({ clock: () => 0 });
    const rarity = { name: 'Rarity', classifierOptions: [] };
    const { body } = await call<WireClassifier>(service, 'POST', '/classifiers', rarity);
    await call(service, 'POST', '/items', sword);
    await call(service, 'PUT', '/items/sword', update);
    await call(service, 'PUT', '/items/sword', update);
    await call(service, 'POST', '/items', { ...sword, id: 'axe', name: 'Axe' }, asRival);
    await call(service, 'GET', '/users/user_1/spaces');
    const at = '1970-01-01T00:00:00.000Z';
    const made = { createdAt: at, createdTimes: 1 };
    expect(service.ledger()).toEqual([
      {
        ...{ kind: 'classifier', id: body.id, name: 'Rarity', teamId: 'team_7' },
        ...{ ...made, createdBy: 'user_1', updatedAt: null, updatedTimes: 0 },
      },
      {
        ...{ kind: 'item', id: 'sword', name: 'Blade', teamId: 'team_7' },
        ...{ ...made, createdBy: 'user_1', updatedAt: at, updatedTimes: 2 },
      },
      {
        ...{ kind: 'item', id: 'axe', name: 'Axe', teamId: 'team_8' },
        ...{ ...made, createdBy: 'user_2', updatedAt: null, updatedTimes: 0 },
      },
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

describe('the log', () => {
  test('says what arrived and what became of it, and keeps no secret', async () => {
    const service = await testService({ clock: () => 42 });
    await call(service, 'POST', '/items', { ...sword, name: 'hunter2' });
    await call(service, 'PUT', '/nowhere?token=hunter2', { password: 'hunter2' });
    await call(service, 'GET', '/users/user_1/spaces', undefined, { authorization: 'Basic aHVudGVyMg==' });
    const entry = { at: 42, faults: [], outcome: 'answered' };
    expect(service.log.entries()).toEqual([
      { ...entry, number: 0, method: 'POST', path: '/api/items', operation: 'createItem', status: 200 },
      { ...entry, number: 1, method: 'PUT', path: '/api/nowhere', operation: undefined, status: 404 },
      {
        ...{ ...entry, number: 2, method: 'GET', path: '/api/users/user_1/spaces' },
        ...{ operation: 'listUserSpaces', status: 401 },
      },
    ]);
    expect(JSON.stringify(service.log.entries())).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  test('is bounded: it keeps the last 1000 and counts all', async () => {
    const service = await testService();
    for (let round = 0; round < 21; round++) {
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${service.url}/${'x'.repeat(5000)}`)));
    }
    const entries = service.log.entries();
    expect([service.log.total, entries.length, entries[0]?.number]).toEqual([1050, 1000, 50]);
    expect(new Set(entries.map(({ path }) => path.length))).toEqual(new Set([2500]));
  });
});
