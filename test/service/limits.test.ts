import { describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/service/server.ts';
import { call, problems, testService } from '../rig/embedded-service.ts';

const plain = { name: 'Iron Sword', rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };
const update = { name: 'Iron Sword', rollNumerator: 40, attributes: [] };

/** Section 8, and what follows for updates: each place where a text of 191 characters goes and one of 192 not. */
const places: Record<string, (service: RunningService, text: string) => ReturnType<typeof call>> = {
  'item id on create': (service, id) => call(service, 'POST', '/items', { ...plain, id }),
  'item name on create': (service, name) => call(service, 'POST', '/items', { ...plain, name }),
  'item thumbnail on create': (service, thumbnail) =>
    call(service, 'POST', '/items', { ...plain, thumbnail }),
  'item name on update': (service, name) => call(service, 'PUT', '/items/sword', { ...update, name }),
  'item thumbnail on update': (service, thumbnail) =>
    call(service, 'PUT', '/items/sword', { ...update, thumbnail }),
  'classifier name on create': (service, name) =>
    call(service, 'POST', '/classifiers', { name, classifierOptions: [] }),
  'classifier name on update': (service, name) => call(service, 'PUT', '/classifiers/id_1', { name }),
};

describe.each(['n', 'é', '🗡', '\u0301'])('text of %s', (character) => {
  test.each(Object.keys(places))('%s', async (place) => {
    const service = await testService();
    await call(service, 'POST', '/classifiers', { name: 'R', classifierOptions: [] });
    await call(service, 'POST', '/items', { ...plain, id: 'sword' });
    const send = async (length: number) => places[place]?.(service, character.repeat(length));
    const field = place.split(' ')[1] ?? '';
    const taken = await send(191);
    expect(taken).toMatchObject({ status: 200, body: { [field]: character.repeat(191) } });
    const refused = await send(192);
    expect(refused?.status).toBe(400);
    expect(refused && problems(refused)).toEqual({ [field]: 'must not have more than 191 characters' });
  });
});

test('a user id in the path has at most 191 characters', async () => {
  const service = await testService();
  const path = (length: number) => `/users/${encodeURIComponent('🗡'.repeat(length))}/spaces`;
  expect((await call(service, 'GET', path(191))).status).toBe(404);
  const refused = await call(service, 'GET', path(192));
  expect([refused.status, problems(refused)]).toEqual([
    400,
    { userId: 'must not have more than 191 characters' },
  ]);
});

test('an item or classifier id in the path that is too long is an id of nobody', async () => {
  const service = await testService();
  expect((await call(service, 'PUT', `/items/${'i'.repeat(192)}`, update)).status).toBe(404);
  expect((await call(service, 'PUT', `/classifiers/${'c'.repeat(192)}`, { name: 'R' })).status).toBe(404);
});

test('where the interface names no limit there is none', async () => {
  const service = await testService();
  const long = 'x'.repeat(10_000);
  const options = [{ name: long, dropRateMultiplier: -1e300 }];
  expect((await call(service, 'POST', '/classifiers', { name: '', classifierOptions: options })).status).toBe(
    200,
  );
  const itemAttributes = [{ attributeId: long, min: 5, max: -5 }];
  expect((await call(service, 'POST', '/items', { ...plain, itemAttributes, createdAt: long })).status).toBe(
    200,
  );
});

test('text that can not be kept exactly is refused, wherever it stands', async () => {
  const service = await testService();
  const body = {
    ...plain,
    name: 'a\ud800',
    id: 'x\0y',
    itemAttributes: [{ attributeId: '\udc00', min: 1, max: 2 }],
  };
  const answer = await call(service, 'POST', '/items', body);
  expect(answer.status).toBe(400);
  expect(Object.keys(problems(answer)).sort()).toEqual(['id', 'itemAttributes[0].attributeId', 'name']);
  expect(
    (await call(service, 'POST', '/items', JSON.stringify({ ...plain, name: '\u0001"\\\u2028' }))).body,
  ).toMatchObject({
    name: '\u0001"\\\u2028',
  });
});
