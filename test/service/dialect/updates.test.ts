import { describe, expect, test } from 'vitest';
import { client, option, optionIds, plain, range, ranges, rarity, update } from '../client.ts';

test.each(['', null])('a thumbnail %j on create is stored as it is in every dialect', async (thumbnail) => {
  const dialect = { 'itemUpdate.emptyThumbnail': 'clears', 'itemUpdate.nullThumbnail': 'rejected' } as const;
  expect((await (await client(dialect)).createItem({ thumbnail })).thumbnail).toBe(thumbnail);
});

test('an ignored client ID may be any text, even repeated', async () => {
  const service = await client({ 'itemCreate.clientId': 'ignored' });
  const made = [await service.createItem({ id: '' }), await service.createItem({ id: '' })];
  expect(made.map(({ id }) => id)).toEqual(['id_0', 'id_1']);
  expect(await service.status('POST', '/items', { ...plain, id: 7 })).toBe(400);
});

describe('a create with an existing ID', () => {
  test('that gets 500 changes nothing and is no failure of the service', async () => {
    const service = await client({ 'itemCreate.existingId': 500 });
    await service.createClassifier('Rarity', 'common');
    const fields = { id: 'sword', classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] };
    const made = await service.createItem({ ...fields, thumbnail: 'first' });
    expect(await service.status('POST', '/items', { ...plain, id: 'sword', name: 'Other' })).toBe(500);
    const after = await service.updateItem('sword', { attributes: [range('a', 1, 2)] });
    expect(after).toEqual({ ...made, updatedAt: after.updatedAt });
  });

  test('that overwrites leaves nothing of the old record, unless it is refused', async () => {
    const service = await client({ 'itemCreate.existingId': 'overwritten' });
    await service.createClassifier('Rarity', 'common');
    await service.createItem({
      ...{ id: 'sword', thumbnail: 'first', createdAt: 'long ago', updatedAt: 'yesterday' },
      ...{ classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] },
    });
    const body = { ...plain, id: 'sword', classifierOptionIds: ['none'] };
    expect(await service.status('POST', '/items', body)).toBe(422);
    expect((await service.updateItem('sword')).thumbnail).toBe('first');
    expect(await service.createItem({ id: 'sword', name: 'Second' })).toMatchObject({
      ...{ name: 'Second', thumbnail: null, classifiers: [], attributes: [] },
      ...{ createdAt: '2026-09-01T12:00:00.000Z', updatedAt: null },
    });
  });
});

describe('an update of an unknown ID', () => {
  const created = { 'update.unknownId': 'created' } as const;

  test('creates an item with all its fields, which exists from then on', async () => {
    const service = await client(created);
    await service.createClassifier('Rarity', 'common');
    const attributes = [range('a', 1, 2)];
    const fields = { attributes, thumbnail: 't', classifierOptionIds: { id_0: 'id_1' } };
    const made = await service.updateItem('a/b ü', fields);
    const [createdAt, updatedAt] = Array(2).fill('2026-09-01T12:00:00.000Z');
    expect(made).toMatchObject({ id: 'a/b ü', teamId: 'team_7', thumbnail: 't', createdAt, updatedAt });
    expect([optionIds(made), ranges(made)]).toEqual([['id_1'], ['a 1 2']]);
    expect(await service.updateItem('a/b ü', { attributes })).toEqual(made);
  });

  test('creates a classifier without options, unless the dialect accepts them', async () => {
    const body = { name: 'Rarity', classifierOptions: [option('common', 1)] };
    const made = await (await client(created)).updateClassifier('mine', body);
    expect(made).toMatchObject({ id: 'mine', teamId: 'team_7', name: 'Rarity', classifierOptions: [] });
    const service = await client({ ...created, 'classifierUpdate.options': 'merged-by-name' });
    const { classifierOptions } = await service.updateClassifier('mine', body);
    expect(classifierOptions).toEqual([{ id: 'id_0', ...option('common', 1), classifierId: 'mine' }]);
  });

  test('is refused for an invalid ID or body, and stores nothing', async () => {
    const service = await client(created);
    const wrong = { ...update, classifierOptionIds: { none: [] } };
    expect(await service.status('PUT', `/items/${'x'.repeat(192)}`, update)).toBe(400);
    expect(await service.status('PUT', `/classifiers/${'x'.repeat(192)}`, { name: 'R' })).toBe(400);
    expect(await service.status('PUT', '/items/%00', update)).toBe(400);
    expect(await service.status('PUT', '/items/new', wrong)).toBe(422);
    expect(await service.status('POST', '/items', { ...plain, id: 'new' })).toBe(200);
    expect((await service.updateItem('x'.repeat(191))).id).toHaveLength(191);
    // Users can't be created.
    expect(await service.status('GET', '/users/nobody/spaces')).toBe(404);
  });
});

describe('the options of a classifier update', () => {
  const taking = ['replaced', 'merged-by-name'] as const;

  test.each(taking)('are kept if omitted, and matched and checked one by one (%s)', async (value) => {
    const service = await client({ 'classifierUpdate.options': value });
    const made = await service.createClassifier('Rarity', 'twin', 'twin');
    const renamed = await service.updateClassifier('id_0', { name: 'Other' });
    expect(renamed).toEqual({ ...made, name: 'Other', updatedAt: renamed.updatedAt });
    const classifierOptions = [option('twin', 5), option('twin', 6), option('twin', 7)];
    const after = await service.updateClassifier('id_0', { name: 'Rarity', classifierOptions });
    const shown = after.classifierOptions.map((one) => `${one.id} ${one.dropRateMultiplier}`);
    expect(shown).toEqual(['id_1 5', 'id_2 6', 'id_3 7']);
    const misshapen = { name: 'Rarity', classifierOptions: [{ name: 7 }, 'x'] };
    expect((await service.refusal('PUT', '/classifiers/id_0', misshapen))[1]).toEqual({
      'classifierOptions[0].name': 'must be string',
      'classifierOptions[0].dropRateMultiplier': 'is required',
      'classifierOptions[1]': 'must be object',
    });
  });

  test('replace the old ones in order, and removed ones lose their assignments', async () => {
    const service = await client({ 'classifierUpdate.options': 'replaced' });
    await service.createClassifier('Rarity', 'common', 'rare', 'epic');
    await service.createItem({ id: 'sword', classifierOptionIds: ['id_1', 'id_3'] });
    const classifierOptions = [option('epic', 9), option('new', 8), option('rare', 1)];
    const after = await service.updateClassifier('id_0', { name: 'Rarity', classifierOptions });
    const shown = after.classifierOptions.map((one) => `${one.id} ${one.name} ${one.dropRateMultiplier}`);
    expect(shown).toEqual(['id_3 epic 9', 'id_4 new 8', 'id_2 rare 1']);
    expect(optionIds(await service.updateItem('sword'))).toEqual(['id_3']);
    expect(await service.status('POST', '/items', { ...plain, classifierOptionIds: ['id_1'] })).toBe(422);
    const none = await service.updateClassifier('id_0', rarity('Rarity'));
    expect([none.classifierOptions, optionIds(await service.updateItem('sword'))]).toEqual([[], []]);
  });

  test('may have any shape if ignored, even if unknown fields are rejected', async () => {
    const service = await client({ unknownFields: 'rejected' });
    await service.createClassifier('Rarity', 'common');
    const body = { name: 'Rarity', classifierOptions: [{ name: 7 }, 'x'] };
    expect((await service.updateClassifier('id_0', body)).classifierOptions).toHaveLength(1);
  });
});

describe('rejected unknown fields', () => {
  test('are all named, even in the objects of lists', async () => {
    const service = await client({ unknownFields: 'rejected', 'classifierUpdate.options': 'replaced' });
    await service.createClassifier('R', 'common');
    const deep = [{ ...range('a', 1, 2), unit: 'm' }];
    const classifierOptions = [{ id: 'x', ...option('c', 1) }];
    const cases: readonly [method: string, path: string, body: unknown, fields: readonly string[]][] = [
      ['POST', '/items', { ...plain, itemAttributes: deep, ID: 1 }, ['ID', 'itemAttributes[0].unit']],
      ['POST', '/items', '{"__proto__":1,"constructor":2}', ['__proto__', 'constructor']],
      ['PUT', '/items/sword', { ...update, attributes: deep, id: 'x' }, ['attributes[0].unit', 'id']],
      ['POST', '/classifiers', { name: 'R', classifierOptions }, ['classifierOptions[0].id']],
      ['PUT', '/classifiers/id_0', { name: 'R', classifierOptions }, ['classifierOptions[0].id']],
      ['PUT', '/classifiers/id_0', { name: 'R', teamId: 'team_7' }, ['teamId']],
    ];
    for (const [method, path, body, fields] of cases) {
      const [status, problems] = await service.refusal(method, path, body);
      const named = Object.keys(problems).filter(
        (field) => problems[field] === 'is not a field of this request',
      );
      expect([status, named.sort()]).toEqual([400, fields]);
    }
  });
});

test('numbers keep two decimals wherever they can be given', async () => {
  const service = await client({ numbers: 'two-decimals', 'classifierUpdate.options': 'replaced' });
  const rounded: readonly [given: number, kept: number][] = [
    [1.005, 1],
    [2.675, 2.67],
    [-0.005, -0.01],
    [0.004, 0],
    [12.345678, 12.35],
    [1e21 + 0.5, 1e21],
    [1.7976931348623157e308, 1.7976931348623157e308],
    [5e-324, 0],
  ];
  for (const [index, [given, kept]] of rounded.entries()) {
    const id = `sword-${index}`;
    const classifier = { name: 'R', classifierOptions: [option('c', given)] };
    const made = (await service.ask('POST', '/classifiers', classifier)).body as { readonly id: string };
    const classifierAfter = await service.updateClassifier(made.id, classifier);
    const item = { rollNumerator: given, attributes: [range('a', given, given)] };
    const keeps = { rollNumerator: kept, attributes: [range('a', kept, kept)] };
    expect(made).toMatchObject({ classifierOptions: [{ dropRateMultiplier: kept }] });
    expect(classifierAfter).toMatchObject({ classifierOptions: [{ dropRateMultiplier: kept }] });
    expect(await service.createItem({ ...item, id, itemAttributes: item.attributes })).toMatchObject(keeps);
    expect(await service.updateItem(id, item)).toMatchObject(keeps);
  }
});
