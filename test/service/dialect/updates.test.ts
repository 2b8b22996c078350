import { describe, expect, test } from 'vitest';
import type { WireItem } from '../../../src/contract/wire.ts';
import { problems } from '../../rig/embedded-service.ts';
import { dialectClient, optionIds, plain, range, ranges, update } from './dialect-client.ts';

describe('the shape of classifierOptionIds', () => {
  test.each([
    ['by-option', { id_1: false }, { 'classifierOptionIds.id_1': 'must be true' }],
    ['by-option', { id_1: 'id_1' }, { 'classifierOptionIds.id_1': 'must be true' }],
    ['by-index', { 1: 'id_1' }, { 'classifierOptionIds.1': expect.stringContaining('must be an index') }],
    ['by-index', { '00': 'id_1' }, { 'classifierOptionIds.00': expect.stringContaining('must be an index') }],
    ['by-index', { '-0': 'id_1' }, { 'classifierOptionIds.-0': expect.stringContaining('must be an index') }],
    ['by-index', { 0: ['id_1'] }, { 'classifierOptionIds.0': 'must be the id of an option' }],
    ['by-index', { 0: 'id_1', 1: 'id_1' }, { 'classifierOptionIds.1': 'repeats classifierOptionIds.0' }],
  ] as const)('%s refuses %j', async (shape, classifierOptionIds, expected) => {
    const service = await dialectClient({ 'itemUpdate.classifierOptionIds': shape });
    await service.createClassifier('Rarity', 'common', 'rare');
    await service.createItem({ id: 'sword', classifierOptionIds: ['id_2'] });
    const heard = await service.ask('PUT', '/items/sword', { ...update, classifierOptionIds });
    expect([heard.status, problems(heard)]).toEqual([400, expected]);
    expect(optionIds(await service.updateItem('sword'))).toEqual(['id_2']);
  });

  test.each(['by-option', 'by-index'] as const)('%s: an empty object takes all away', async (shape) => {
    const service = await dialectClient({ 'itemUpdate.classifierOptionIds': shape });
    await service.createClassifier('Rarity', 'common');
    await service.createItem({ id: 'sword', classifierOptionIds: ['id_1'] });
    expect(optionIds(await service.updateItem('sword', { classifierOptionIds: {} }))).toEqual([]);
  });

  test('ignored still takes nothing but an object', async () => {
    const service = await dialectClient({ 'itemUpdate.classifierOptionIds': 'ignored' });
    await service.createItem({ id: 'sword' });
    await service.updateItem('sword', { classifierOptionIds: { anything: [{ deep: 7 }] } });
    const body = { ...update, classifierOptionIds: ['id_1'] };
    expect((await service.ask('PUT', '/items/sword', body)).status).toBe(400);
  });
});

describe('merging', () => {
  test('keeps assignments in their order and adds what is new behind', async () => {
    const service = await dialectClient({ 'itemUpdate.assignments': 'merge' });
    await service.createClassifier('Slot', 'main', 'off', 'both');
    await service.createItem({ id: 'sword', classifierOptionIds: ['id_3', 'id_1'] });
    const put = async (given: object) =>
      optionIds(await service.updateItem('sword', { classifierOptionIds: given }));
    expect(await put({ id_0: ['id_2', 'id_1'] })).toEqual(['id_3', 'id_1', 'id_2']);
    expect(await put({ id_0: [] })).toEqual(['id_3', 'id_1', 'id_2']);
    expect(await put({})).toEqual(['id_3', 'id_1', 'id_2']);
  });

  test('changes a range in its place and keeps the id of its record', async () => {
    const service = await dialectClient({ 'itemUpdate.attributes': 'merge' });
    const itemAttributes = [range('a', 1, 2), range('b', 3, 4)];
    const made = await service.createItem({ id: 'sword', itemAttributes });
    const after = await service.updateItem('sword', { attributes: [range('c', 7, 8), range('a', 5, 6)] });
    expect(ranges(after)).toEqual(['a 5 6', 'b 3 4', 'c 7 8']);
    expect(after.attributes.slice(0, 2).map(({ id }) => id)).toEqual(made.attributes.map(({ id }) => id));
    expect(ranges(await service.updateItem('sword'))).toEqual(['a 5 6', 'b 3 4', 'c 7 8']);
  });
});

describe('a thumbnail on create', () => {
  test.each(['', null])('%j is stored as it is in every dialect', async (thumbnail) => {
    const service = await dialectClient({
      'itemUpdate.emptyThumbnail': 'clears',
      'itemUpdate.nullThumbnail': 'rejected',
    });
    expect((await service.createItem({ thumbnail })).thumbnail).toBe(thumbnail);
  });
});

describe("a client's id", () => {
  test('that is ignored may be anything, and twice', async () => {
    const service = await dialectClient({ 'itemCreate.clientId': 'ignored' });
    const made = [await service.createItem({ id: '' }), await service.createItem({ id: '' })];
    expect(made.map(({ id }) => id)).toEqual(['id_0', 'id_1']);
    expect((await service.ask('POST', '/items', { ...plain, id: 7 })).status).toBe(400);
  });
});

describe('an id that exists', () => {
  test('answered 500 changes nothing, and the service itself did not fail', async () => {
    const service = await dialectClient({ 'itemCreate.existingId': 500 });
    await service.createClassifier('Rarity', 'common');
    const fields = { id: 'sword', classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] };
    const made = await service.createItem({ ...fields, thumbnail: 'first' });
    const again = await service.ask('POST', '/items', { ...plain, id: 'sword', name: 'Other' });
    expect(again.status).toBe(500);
    const after = await service.updateItem('sword', { attributes: [range('a', 1, 2)] });
    expect(after).toEqual({ ...made, updatedAt: after.updatedAt });
  });

  test('overwritten leaves nothing of what was there', async () => {
    const service = await dialectClient({ 'itemCreate.existingId': 'overwritten' });
    await service.createClassifier('Rarity', 'common');
    await service.createItem({
      id: 'sword',
      thumbnail: 'first',
      createdAt: 'long ago',
      updatedAt: 'yesterday',
      classifierOptionIds: ['id_1'],
      itemAttributes: [range('a', 1, 2)],
    });
    const made = await service.createItem({ id: 'sword', name: 'Second' });
    expect(made).toMatchObject({ name: 'Second', thumbnail: null, updatedAt: null, attributes: [] });
    expect([made.createdAt, made.classifiers]).toEqual(['2026-09-01T12:00:00.000Z', []]);
  });

  test('overwritten with what is refused stays as it was', async () => {
    const service = await dialectClient({ 'itemCreate.existingId': 'overwritten' });
    await service.createItem({ id: 'sword', thumbnail: 'first' });
    const body = { ...plain, id: 'sword', classifierOptionIds: ['none'] };
    expect((await service.ask('POST', '/items', body)).status).toBe(422);
    expect((await service.updateItem('sword')).thumbnail).toBe('first');
  });
});

describe('an unknown id that is created', () => {
  test('is an item with all that the update says, and is there from then on', async () => {
    const service = await dialectClient({ 'update.unknownId': 'created' });
    await service.createClassifier('Rarity', 'common');
    const attributes = [range('a', 1, 2)];
    const made = await service.updateItem('a/b ü', {
      attributes,
      thumbnail: 't',
      classifierOptionIds: { id_0: 'id_1' },
    });
    expect(made).toMatchObject({ id: 'a/b ü', teamId: 'team_7', thumbnail: 't' });
    expect([optionIds(made), ranges(made)]).toEqual([['id_1'], ['a 1 2']]);
    expect([made.createdAt, made.updatedAt]).toEqual(Array(2).fill('2026-09-01T12:00:00.000Z'));
    expect(await service.updateItem('a/b ü', { attributes })).toEqual(made);
  });

  test('is a classifier without options, unless the dialect takes those of an update', async () => {
    const body = { name: 'Rarity', classifierOptions: [{ name: 'common', dropRateMultiplier: 1 }] };
    const created = { 'update.unknownId': 'created' } as const;
    const made = await (await dialectClient(created)).updateClassifier('mine', body);
    expect(made).toMatchObject({ id: 'mine', teamId: 'team_7', name: 'Rarity', classifierOptions: [] });
    const service = await dialectClient({ ...created, 'classifierUpdate.options': 'merged-by-name' });
    const { classifierOptions } = await service.updateClassifier('mine', body);
    expect(classifierOptions).toEqual([
      { id: 'id_0', name: 'common', dropRateMultiplier: 1, classifierId: 'mine' },
    ]);
  });

  test('is refused where no answer could show it, and leaves nothing when the body is refused', async () => {
    const service = await dialectClient({ 'update.unknownId': 'created' });
    expect((await service.ask('PUT', `/items/${'x'.repeat(192)}`, update)).status).toBe(400);
    expect((await service.ask('PUT', `/classifiers/${'x'.repeat(192)}`, { name: 'R' })).status).toBe(400);
    expect((await service.ask('PUT', '/items/%00', update)).status).toBe(400);
    const wrong = { ...update, classifierOptionIds: { none: [] } };
    expect((await service.ask('PUT', '/items/new', wrong)).status).toBe(422);
    expect((await service.ask('POST', '/items', { ...plain, id: 'new' })).status).toBe(200);
    expect((await service.updateItem('x'.repeat(191))).id).toHaveLength(191);
  });

  test('is still 404 for the spaces of a user', async () => {
    const service = await dialectClient({ 'update.unknownId': 'created' });
    expect((await service.ask('GET', '/users/nobody/spaces')).status).toBe(404);
  });
});

describe('the options of a classifier', () => {
  const option = (name: string, dropRateMultiplier: number) => ({ name, dropRateMultiplier });
  const shown = (options: readonly { id: string; name: string }[]) =>
    options.map(({ id, name }) => `${id} ${name}`);

  test.each(['replaced', 'merged-by-name'] as const)(
    '%s: without options in the body they stay',
    async (value) => {
      const service = await dialectClient({ 'classifierUpdate.options': value });
      const made = await service.createClassifier('Rarity', 'common', 'rare');
      const after = await service.updateClassifier(made.id, { name: 'Other' });
      expect(after).toEqual({ ...made, name: 'Other', updatedAt: after.updatedAt });
    },
  );

  test('replaced take the order given, and those that go take their assignments along', async () => {
    const service = await dialectClient({ 'classifierUpdate.options': 'replaced' });
    await service.createClassifier('Rarity', 'common', 'rare', 'epic');
    await service.createItem({ id: 'sword', classifierOptionIds: ['id_1', 'id_3'] });
    const classifierOptions = [option('epic', 9), option('new', 8), option('rare', 1)];
    const after = await service.updateClassifier('id_0', { name: 'Rarity', classifierOptions });
    expect(shown(after.classifierOptions)).toEqual(['id_3 epic', 'id_4 new', 'id_2 rare']);
    expect(after.classifierOptions.map((one) => one.dropRateMultiplier)).toEqual([9, 8, 1]);
    expect(optionIds(await service.updateItem('sword'))).toEqual(['id_3']);
    const gone = { ...plain, classifierOptionIds: ['id_1'] };
    expect((await service.ask('POST', '/items', gone)).status).toBe(422);
    const none = await service.updateClassifier('id_0', { name: 'Rarity', classifierOptions: [] });
    expect([none.classifierOptions, optionIds(await service.updateItem('sword'))]).toEqual([[], []]);
  });

  test('of one name are matched one by one', async () => {
    for (const value of ['replaced', 'merged-by-name'] as const) {
      const service = await dialectClient({ 'classifierUpdate.options': value });
      await service.createClassifier('Rarity', 'twin', 'twin');
      const classifierOptions = [option('twin', 5), option('twin', 6), option('twin', 7)];
      const after = await service.updateClassifier('id_0', { name: 'Rarity', classifierOptions });
      expect(after.classifierOptions.map((one) => `${one.id} ${one.dropRateMultiplier}`)).toEqual([
        'id_1 5',
        'id_2 6',
        'id_3 7',
      ]);
    }
  });

  test('that have an effect are checked as in a create', async () => {
    const body = { name: 'Rarity', classifierOptions: [{ name: 7 }, 'x'] };
    for (const value of ['replaced', 'merged-by-name'] as const) {
      const service = await dialectClient({ 'classifierUpdate.options': value });
      await service.createClassifier('Rarity', 'common');
      expect(problems(await service.ask('PUT', '/classifiers/id_0', body))).toEqual({
        'classifierOptions[0].name': 'must be a string',
        'classifierOptions[0].dropRateMultiplier': 'is required',
        'classifierOptions[1]': 'must be an object',
      });
    }
    const service = await dialectClient({ 'classifierUpdate.options': 'ignored', unknownFields: 'rejected' });
    await service.createClassifier('Rarity', 'common');
    expect((await service.updateClassifier('id_0', body)).classifierOptions).toHaveLength(1);
  });
});

describe('unknown fields', () => {
  const deep = [{ ...range('a', 1, 2), unit: 'm' }];

  test.each([
    ['POST', '/items', { ...plain, itemAttributes: deep, ID: 1 }, ['itemAttributes[0].unit', 'ID']],
    ['POST', '/items', '{"__proto__":1,"constructor":2}', ['__proto__', 'constructor']],
    ['PUT', '/items/sword', { ...update, attributes: deep, id: 'x' }, ['attributes[0].unit', 'id']],
    [
      'POST',
      '/classifiers',
      { name: 'R', classifierOptions: [{ id: 'x', name: 'c', dropRateMultiplier: 1 }] },
      ['classifierOptions[0].id'],
    ],
    ['PUT', '/classifiers/id_0', { name: 'R', teamId: 'team_7' }, ['teamId']],
  ])('rejected: %s %s with %j', async (method, path, body, expected) => {
    const service = await dialectClient({ unknownFields: 'rejected' });
    const heard = await service.ask(method, path, body);
    const named = Object.entries(problems(heard)).filter(([, message]) => message.includes('not a field'));
    expect([heard.status, named.map(([field]) => field).sort()]).toEqual([400, [...expected].sort()]);
  });

  test('rejected: all that section 4 lists is taken', async () => {
    const service = await dialectClient({ unknownFields: 'rejected' });
    await service.createClassifier('Rarity', 'common');
    const listed = { classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] };
    const dates = { createdAt: 'then', updatedAt: null };
    await service.createItem({ ...listed, ...dates, id: 'sword', thumbnail: null });
    const attributes = [range('b', 1, 2)];
    await service.updateItem('sword', { attributes, thumbnail: 't', classifierOptionIds: { id_0: 'id_1' } });
    await service.updateClassifier('id_0', { name: 'Other' });
  });

  test('rejected: with options replaced, an option has a name and a multiplier only', async () => {
    const service = await dialectClient({
      unknownFields: 'rejected',
      'classifierUpdate.options': 'replaced',
    });
    await service.createClassifier('Rarity', 'common');
    const classifierOptions = [{ id: 'id_1', name: 'common', dropRateMultiplier: 1 }];
    const heard = await service.ask('PUT', '/classifiers/id_0', { name: 'Rarity', classifierOptions });
    expect(Object.keys(problems(heard))).toEqual(['classifierOptions[0].id']);
  });
});

describe('numbers with two decimals', () => {
  test.each([
    [1.005, 1],
    [2.675, 2.67],
    [-0.005, -0.01],
    [0.004, 0],
    [12.345678, 12.35],
    [1e21 + 0.5, 1e21],
    [1.7976931348623157e308, 1.7976931348623157e308],
    [5e-324, 0],
  ])('%d is %d wherever a number can be given', async (given, kept) => {
    const service = await dialectClient({ numbers: 'two-decimals', 'classifierUpdate.options': 'replaced' });
    const options = { classifierOptions: [{ name: 'c', dropRateMultiplier: given }] };
    const multiplier = ({ classifierOptions }: { classifierOptions: readonly object[] }) => classifierOptions;
    const expected = [expect.objectContaining({ dropRateMultiplier: kept })];
    const classifiers = await service.ask('POST', '/classifiers', { name: 'R', ...options });
    expect(multiplier(classifiers.body as { classifierOptions: object[] })).toEqual(expected);
    expect(multiplier(await service.updateClassifier('id_0', { name: 'R', ...options }))).toEqual(expected);
    const numbersOf = ({ rollNumerator, attributes }: WireItem) => [
      rollNumerator,
      ...attributes.flatMap(({ min, max }) => [min, max]),
    ];
    const itemAttributes = [range('a', given, given)];
    const item = await service.createItem({ id: 'sword', rollNumerator: given, itemAttributes });
    expect(numbersOf(item)).toEqual([kept, kept, kept]);
    const fields = { rollNumerator: given, attributes: itemAttributes };
    expect(numbersOf(await service.updateItem('sword', fields))).toEqual([kept, kept, kept]);
  });
});
