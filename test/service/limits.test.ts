import { expect, test } from 'vitest';
import { client, option, plain, range, update } from './client.ts';

/** Section 8, and what follows for updates: each place where a text of 191 characters goes and one of 192 not. */
const places: readonly [method: string, path: string, body: object, field: string][] = [
  ['POST', '/items', plain, 'id'],
  ['POST', '/items', plain, 'name'],
  ['POST', '/items', plain, 'thumbnail'],
  ['PUT', '/items/sword', update, 'name'],
  ['PUT', '/items/sword', update, 'thumbnail'],
  ['POST', '/classifiers', { classifierOptions: [] }, 'name'],
  ['PUT', '/classifiers/id_0', {}, 'name'],
];

const tooLong = 'must not have more than 191 characters';

test.each(['n', 'é', '🗡', '\u0301'])(
  'every limited field accepts %s 191 times and no more',
  async (character) => {
    const service = await client();
    await service.createClassifier('R');
    await service.createItem({ id: 'sword' });
    for (const [method, path, body, field] of places) {
      const text = character.repeat(191);
      const taken = await service.ask(method, path, { ...body, [field]: text });
      expect(taken).toMatchObject({ status: 200, body: { [field]: text } });
      const refused = await service.refusal(method, path, { ...body, [field]: text + character });
      expect(refused).toEqual([400, { [field]: tooLong }]);
    }
  },
);

test('a user ID in a path has a limit, and longer item or classifier IDs are unknown', async () => {
  const service = await client();
  const path = (length: number) => `/users/${encodeURIComponent('🗡'.repeat(length))}/spaces`;
  expect(await service.status('GET', path(191))).toBe(404);
  expect(await service.refusal('GET', path(192))).toEqual([400, { userId: tooLong }]);
  expect(await service.status('PUT', `/items/${'i'.repeat(192)}`, update)).toBe(404);
  expect(await service.status('PUT', `/classifiers/${'c'.repeat(192)}`, { name: 'R' })).toBe(404);
});

test('a field without a documented limit accepts any length', async () => {
  const service = await client();
  const long = 'x'.repeat(10_000);
  const classifier = { name: '', classifierOptions: [option(long, -1e300)] };
  expect(await service.status('POST', '/classifiers', classifier)).toBe(200);
  await service.createItem({ itemAttributes: [range(long, 5, -5)], createdAt: long });
});

test("text that can't be stored exactly is refused in every field", async () => {
  const service = await client();
  for (const [field, value] of Object.entries({ name: 'a\ud800', id: 'x\0y', thumbnail: '\udc00' })) {
    const message = 'must be text without U+0000 and without half a surrogate pair';
    expect(await service.refusal('POST', '/items', { ...plain, [field]: value })).toEqual([
      400,
      { [field]: message },
    ]);
  }
  const name = '\u0001"\\\u2028';
  expect(await service.createItem({ name })).toMatchObject({ name });
});
