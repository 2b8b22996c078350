import { describe, expect, test } from 'vitest';
import { type Dialect, dialectPoints } from '../../src/service/dialect.ts';
import { world } from '../rig/embedded-service.ts';
import { client, optionIds, plain, range, ranges, update } from './client.ts';

describe('create item', () => {
  test('keeps the order of lists and every number exactly', async () => {
    const { createClassifier, createItem } = await client();
    const { classifierOptions } = await createClassifier('Slot', 'main', 'off', 'both');
    const ids = classifierOptions.map(({ id }) => id).reverse();
    const numbers = [0.1 + 0.2, 9007199254740991, 5e-324, 1.7976931348623157e308, -1.5];
    const itemAttributes = numbers.map((min, index) => range(`z${9 - index}`, min, -min));
    const made = await createItem({ classifierOptionIds: ids, itemAttributes, rollNumerator: 1 / 3 });
    expect([optionIds(made), made.rollNumerator]).toEqual([ids, 1 / 3]);
    expect(made.attributes).toEqual(
      itemAttributes.map((each) => ({ ...each, id: expect.any(String), itemId: made.id })),
    );
  });

  test('generates an ID if none is given, and stores given dates', async () => {
    const { createItem } = await client();
    const defaults = { createdAt: '2026-09-01T12:00:00.000Z', updatedAt: null, thumbnail: null };
    expect(await createItem()).toMatchObject({ id: 'id_0', ...defaults });
    const dated = { createdAt: 'yesterday', updatedAt: 'today', thumbnail: null };
    expect(await createItem(dated)).toMatchObject(dated);
  });

  test('accepts any attribute until the team lists some', async () => {
    const attributes = [{ id: 'attr_01', name: 'damage', teamId: 'team_7' }];
    const { createItem, refusal } = await client({}, { world: { ...world, attributes } });
    await createItem({ itemAttributes: [range('attr_01', 2, 1)] });
    expect(await refusal('POST', '/items', { ...plain, itemAttributes: [range('attr_02', 2, 1)] })).toEqual([
      422,
      { 'itemAttributes[0].attributeId': 'is not the id of an attribute' },
    ]);
  });
});

test('a refusal names every field that is malformed, repeated or refers to nothing', async () => {
  const { createClassifier, refusal, service } = await client();
  await createClassifier('Rarity', 'common');
  const misshapen = {
    name: 7,
    classifierOptionIds: ['a', 5],
    itemAttributes: [{ attributeId: 'x', min: '1' }, null],
    thumbnail: false,
    createdAt: null,
  };
  const repeated = {
    classifierOptionIds: ['x', 'y', 'x'],
    itemAttributes: [range('a', 1, 2), range('a', 1, 2)],
    id: '',
  };
  const cases: readonly [path: string, body: unknown, status: number, problems: object][] = [
    [
      '/items',
      misshapen,
      400,
      {
        name: 'must be string',
        rollNumerator: 'is required',
        'classifierOptionIds[1]': 'must be string',
        'itemAttributes[0].min': 'must be number',
        'itemAttributes[0].max': 'is required',
        'itemAttributes[1]': 'must be object',
        thumbnail: 'must be string or null',
        createdAt: 'must be string',
      },
    ],
    // A number that JSON can write and a double can't hold.
    ['/items', JSON.stringify(plain).replace('40', '1e999'), 400, { rollNumerator: 'must be number' }],
    [
      '/items',
      { ...plain, ...repeated },
      400,
      {
        id: 'must not be empty',
        'classifierOptionIds[2]': 'repeats classifierOptionIds[0]',
        'itemAttributes[1].attributeId': 'repeats itemAttributes[0].attributeId',
      },
    ],
    [
      '/items',
      { ...plain, classifierOptionIds: ['id_1', 'no'] },
      422,
      { 'classifierOptionIds[1]': 'is not the id of an option of a classifier' },
    ],
    [
      '/classifiers',
      { name: 'R', classifierOptions: [{}, 'x'] },
      400,
      {
        'classifierOptions[0].name': 'is required',
        'classifierOptions[0].dropRateMultiplier': 'is required',
        'classifierOptions[1]': 'must be object',
      },
    ],
  ];
  for (const [path, body, ...expected] of cases) expect(await refusal('POST', path, body)).toEqual(expected);
  expect(service.ledger()).toMatchObject([{ kind: 'classifier', createdTimes: 1 }]);
});

describe('update item', () => {
  test('keeps what is omitted, replaces the rest and sets the time', async () => {
    let time = 0;
    const { createClassifier, createItem, updateItem } = await client({}, { clock: () => time });
    await createClassifier('Slot', 'main', 'off');
    const itemAttributes = [range('a', 1, 2), range('b', 3, 4)];
    const lists = { classifierOptionIds: ['id_1', 'id_2'], itemAttributes };
    const made = await createItem({ ...lists, thumbnail: 't', id: 'sword' });
    time = 1000;
    const attributes = [range('c', 0, 0), range('b', 5, 6)];
    const fields = { name: 'New', rollNumerator: 1 / 3 };
    const after = await updateItem('sword', { ...fields, attributes });
    expect(after).toEqual({
      ...{ ...made, ...fields, updatedAt: '1970-01-01T00:00:01.000Z' },
      attributes: [
        { id: expect.any(String), itemId: 'sword', ...attributes[0] },
        { id: made.attributes[1]?.id, itemId: 'sword', ...attributes[1] },
      ],
    });
    expect(made.attributes.map(({ id }) => id)).not.toContain(after.attributes[0]?.id);
  });

  test('replaces all assignments if they are given by classifier', async () => {
    const { createClassifier, createItem, updateItem } = await client();
    await createClassifier('Rarity', 'common', 'rare');
    await createClassifier('Slot', 'main', 'off');
    await createItem({ id: 'sword', classifierOptionIds: ['id_1', 'id_4'] });
    const put = async (given: object) => optionIds(await updateItem('sword', { classifierOptionIds: given }));
    expect(await put({ id_3: ['id_5', 'id_4'], id_0: 'id_2' })).toEqual(['id_5', 'id_4', 'id_2']);
    expect(await put({ id_0: 'id_1' })).toEqual(['id_1']);
    expect(await put({ id_0: [] })).toEqual([]);
  });

  const notAnId = 'must be the id of an option of this classifier or a list of them';
  const notAnIndex = 'must be an index: "0", "1" and so on';
  const notOfThis = 'is not the id of an option of this classifier';
  const noOption = 'must be the id of an option';
  const shapes: readonly [
    shape: Dialect['itemUpdate.classifierOptionIds'],
    given: unknown,
    status: number,
    ...problem: [field: string, message: string],
  ][] = [
    ['by-classifier', { rarity: true }, 400, '.rarity', notAnId],
    ['by-classifier', { rarity: ['id_2', 7] }, 400, '.rarity', notAnId],
    ['by-classifier', { rarity: 'id_2' }, 422, '.rarity', 'is not the id of a classifier'],
    ['by-classifier', { id_0: 'id_4' }, 422, '.id_0', notOfThis],
    ['by-classifier', { id_0: ['id_2', 'x'] }, 422, '.id_0[1]', notOfThis],
    ['by-classifier', { id_0: ['id_2', 'id_2'] }, 400, '.id_0[1]', 'repeats classifierOptionIds.id_0[0]'],
    ['by-classifier', ['id_2'], 400, '', 'must be object'],
    ['by-classifier', null, 400, '', 'must be object'],
    ['by-option', { id_1: false }, 400, '.id_1', 'must be true'],
    ['by-option', { id_1: 'id_1' }, 400, '.id_1', 'must be true'],
    ['by-index', { 1: 'id_1' }, 400, '.1', notAnIndex],
    ['by-index', { '00': 'id_1' }, 400, '.00', notAnIndex],
    ['by-index', { '-0': 'id_1' }, 400, '.-0', notAnIndex],
    ['by-index', { 0: ['id_1'] }, 400, '.0', noOption],
    ['by-index', { 0: 'id_1', 1: 'id_1' }, 400, '.1', 'repeats classifierOptionIds.0'],
    ['ignored', ['id_1'], 400, '', 'must be object'],
  ];
  test.each(shapes)(
    'in dialect %s refuses the assignments %j with %i',
    async (shape, given, status, field, message) => {
      const service = await client({ 'itemUpdate.classifierOptionIds': shape });
      await service.createClassifier('Rarity', 'common', 'rare');
      await service.createClassifier('Slot', 'main');
      await service.createItem({ id: 'sword', classifierOptionIds: ['id_2'] });
      const body = { ...update, name: 'Other', classifierOptionIds: given };
      const problems = { [`classifierOptionIds${field}`]: message };
      expect(await service.refusal('PUT', '/items/sword', body)).toEqual([status, problems]);
      expect(service.service.ledger()).toMatchObject([{}, {}, { name: 'Iron Sword', updatedTimes: 0 }]);
      expect(optionIds(await service.updateItem('sword'))).toEqual(['id_2']);
    },
  );

  test.each(dialectPoints['itemUpdate.classifierOptionIds'])(
    'in dialect %s treats an empty object as no assignments unless it ignores them',
    async (shape) => {
      const service = await client({ 'itemUpdate.classifierOptionIds': shape });
      await service.createClassifier('Rarity', 'common');
      await service.createItem({ id: 'sword', classifierOptionIds: ['id_1'] });
      const after = optionIds(await service.updateItem('sword', { classifierOptionIds: {} }));
      expect(after).toEqual(shape === 'ignored' ? ['id_1'] : []);
    },
  );

  test('finds IDs with any characters by their escaped path', async () => {
    const { createItem, updateItem } = await client();
    for (const id of ['a/b', 'ü ?#%', '%2F', '100%', '🗡️', ';x=1&y', '__proto__', 'a\\b']) {
      await createItem({ id });
      expect(await updateItem(id)).toMatchObject({ id });
    }
  });
});

describe('merging', () => {
  test('keeps assignments in their order and appends new ones', async () => {
    const service = await client({ 'itemUpdate.assignments': 'merge' });
    await service.createClassifier('Slot', 'main', 'off', 'both');
    await service.createItem({ id: 'sword', classifierOptionIds: ['id_3', 'id_1'] });
    for (const classifierOptionIds of [{ id_0: ['id_2', 'id_1'] }, { id_0: [] }, {}]) {
      const after = await service.updateItem('sword', { classifierOptionIds });
      expect(optionIds(after)).toEqual(['id_3', 'id_1', 'id_2']);
    }
  });

  test('changes a range in its place and keeps the ID of its record', async () => {
    const service = await client({ 'itemUpdate.attributes': 'merge' });
    const itemAttributes = [range('a', 1, 2), range('b', 3, 4)];
    const made = await service.createItem({ id: 'sword', itemAttributes });
    const after = await service.updateItem('sword', { attributes: [range('c', 7, 8), range('a', 5, 6)] });
    expect(ranges(after)).toEqual(['a 5 6', 'b 3 4', 'c 7 8']);
    expect(after.attributes.slice(0, 2).map(({ id }) => id)).toEqual(made.attributes.map(({ id }) => id));
    expect(ranges(await service.updateItem('sword'))).toEqual(['a 5 6', 'b 3 4', 'c 7 8']);
  });
});
