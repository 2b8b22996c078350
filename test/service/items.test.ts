import { describe, expect, test } from 'vitest';
import type { WireClassifier, WireItem } from '../../src/contract/wire.ts';
import type { RunningService } from '../../src/service/server.ts';
import { call, problems, testService, world } from '../rig/embedded-service.ts';

const plain = { name: 'Iron Sword', rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };
const update = { name: 'Iron Sword', rollNumerator: 40, attributes: [] };

async function classifier(
  service: RunningService,
  name: string,
  ...options: string[]
): Promise<WireClassifier> {
  const classifierOptions = options.map((option, index) => ({ name: option, dropRateMultiplier: index / 8 }));
  return (await call<WireClassifier>(service, 'POST', '/classifiers', { name, classifierOptions })).body;
}

async function item(service: RunningService, fields: object = {}): Promise<WireItem> {
  return (await call<WireItem>(service, 'POST', '/items', { ...plain, ...fields })).body;
}

const optionIds = ({ classifiers }: WireItem) =>
  classifiers.map(({ classifierOption }) => classifierOption.id);

describe('create item', () => {
  test('keeps the order of lists and every number exactly', async () => {
    const service = await testService();
    const { classifierOptions } = await classifier(service, 'Slot', 'main', 'off', 'both');
    const ids = classifierOptions.map(({ id }) => id).reverse();
    const numbers = [0.1 + 0.2, 9007199254740991, 5e-324, 1.7976931348623157e308, -1.5];
    const itemAttributes = numbers.map((min, index) => ({ attributeId: `z${9 - index}`, min, max: -min }));
    const made = await item(service, { classifierOptionIds: ids, itemAttributes, rollNumerator: 1 / 3 });
    expect(optionIds(made)).toEqual(ids);
    expect(made.attributes.map(({ attributeId, min, max }) => ({ attributeId, min, max }))).toEqual(
      itemAttributes,
    );
    expect(made.rollNumerator).toBe(1 / 3);
    expect(new Set(made.attributes.map(({ itemId }) => itemId))).toEqual(new Set([made.id]));
  });

  test('makes an id where none is given, and takes the dates that are given', async () => {
    const service = await testService({ clock: () => Date.UTC(2026, 8, 1, 12) });
    const made = await item(service);
    expect(made).toMatchObject({
      id: 'id_1',
      createdAt: '2026-09-01T12:00:00.000Z',
      updatedAt: null,
      thumbnail: null,
    });
    const dated = await item(service, { createdAt: 'yesterday', updatedAt: 'today', thumbnail: null });
    expect(dated).toMatchObject({ createdAt: 'yesterday', updatedAt: 'today', thumbnail: null });
  });

  test('refuses what the schema forbids, naming every field', async () => {
    const service = await testService();
    const body = {
      name: 7,
      classifierOptionIds: ['a', 5],
      itemAttributes: [{ attributeId: 'x', min: '1' }, null],
      thumbnail: false,
      createdAt: null,
    };
    const answer = await call(service, 'POST', '/items', body);
    expect(answer.status).toBe(400);
    expect(problems(answer)).toEqual({
      name: 'must be a string',
      rollNumerator: 'is required',
      'classifierOptionIds[1]': 'must be a string',
      'itemAttributes[0].min': 'must be a number',
      'itemAttributes[0].max': 'is required',
      'itemAttributes[1]': 'must be an object',
      thumbnail: 'must be a string or null',
      createdAt: 'must be a string',
    });
  });

  test('refuses a number that JSON can write and a double can not hold', async () => {
    const answer = await call(
      await testService(),
      'POST',
      '/items',
      JSON.stringify(plain).replace('40', '1e999'),
    );
    expect(problems(answer)).toEqual({ rollNumerator: 'must be a number' });
  });

  test('refuses repetitions and unknown ids, naming the elements', async () => {
    const service = await testService();
    const range = { attributeId: 'a', min: 1, max: 2 };
    const repeated = {
      ...plain,
      classifierOptionIds: ['x', 'y', 'x'],
      itemAttributes: [range, range],
      id: '',
    };
    expect(problems(await call(service, 'POST', '/items', repeated))).toEqual({
      id: 'must not be empty',
      'classifierOptionIds[2]': 'repeats classifierOptionIds[0]',
      'itemAttributes[1].attributeId': 'repeats itemAttributes[0].attributeId',
    });
    const { classifierOptions } = await classifier(service, 'Rarity', 'common');
    const known = classifierOptions.map(({ id }) => id);
    const answer = await call(service, 'POST', '/items', { ...plain, classifierOptionIds: [...known, 'no'] });
    expect(answer.status).toBe(422);
    expect(problems(answer)).toEqual({
      'classifierOptionIds[1]': 'is not the id of an option of a classifier',
    });
  });

  test('takes any attribute until the team lists some', async () => {
    const attributes = [{ id: 'attr_01', name: 'damage', teamId: 'team_7' }];
    const service = await testService({ world: { ...world, attributes } });
    const body = (attributeId: string) => ({ ...plain, itemAttributes: [{ attributeId, min: 2, max: 1 }] });
    expect((await call(service, 'POST', '/items', body('attr_01'))).status).toBe(200);
    const answer = await call(service, 'POST', '/items', body('attr_02'));
    expect([answer.status, problems(answer)]).toEqual([
      422,
      { 'itemAttributes[0].attributeId': 'is not the id of an attribute' },
    ]);
  });

  test('an id that exists is refused and the item stays as it was', async () => {
    const service = await testService();
    const made = await item(service, { id: 'sword', thumbnail: 'before' });
    const again = await call(service, 'POST', '/items', { ...plain, id: 'sword', thumbnail: 'after' });
    expect(again.status).toBe(409);
    const after = await call(service, 'PUT', '/items/sword', update);
    expect(after.body).toMatchObject({ createdAt: made.createdAt, thumbnail: 'before' });
  });

  test('unknown fields are ignored, whatever their names', async () => {
    const service = await testService();
    const body = JSON.stringify(plain).replace(
      '{',
      '{"__proto__":{"id":"x"},"constructor":1,"teamId":"team_8",',
    );
    expect((await call(service, 'POST', '/items', body)).body).toMatchObject({
      id: 'id_1',
      teamId: 'team_7',
    });
  });
});

describe('update item', () => {
  test('keeps what is omitted, replaces the rest, and says when', async () => {
    let time = 0;
    const service = await testService({ clock: () => time });
    const { classifierOptions } = await classifier(service, 'Slot', 'main', 'off');
    const classifierOptionIds = classifierOptions.map(({ id }) => id);
    const itemAttributes = [
      { attributeId: 'a', min: 1, max: 2 },
      { attributeId: 'b', min: 3, max: 4 },
    ];
    const made = await item(service, { classifierOptionIds, itemAttributes, thumbnail: 't', id: 'sword' });
    time = 1000;
    const attributes = [
      { attributeId: 'c', min: 0, max: 0 },
      { attributeId: 'b', min: 5, max: 6 },
    ];
    const { body } = await call<WireItem>(service, 'PUT', '/items/sword', {
      name: 'New',
      rollNumerator: 1 / 3,
      attributes,
    });
    expect(body).toEqual({
      ...made,
      name: 'New',
      rollNumerator: 1 / 3,
      updatedAt: '1970-01-01T00:00:01.000Z',
      attributes: [
        { id: expect.any(String), itemId: 'sword', ...attributes[0] },
        { id: made.attributes[1]?.id, itemId: 'sword', ...attributes[1] },
      ],
    });
    expect(made.attributes.map(({ id }) => id)).not.toContain(body.attributes[0]?.id);
  });

  test('assignments given by classifier replace all', async () => {
    const service = await testService();
    const rarity = await classifier(service, 'Rarity', 'common', 'rare');
    const slot = await classifier(service, 'Slot', 'main', 'off');
    const [common = '', rare = ''] = rarity.classifierOptions.map(({ id }) => id);
    const [main = '', off = ''] = slot.classifierOptions.map(({ id }) => id);
    await item(service, { id: 'sword', classifierOptionIds: [common, main] });
    const put = async (classifierOptionIds: object) => {
      const { body } = await call<WireItem>(service, 'PUT', '/items/sword', {
        ...update,
        classifierOptionIds,
      });
      return optionIds(body);
    };
    expect(await put({ [slot.id]: [off, main], [rarity.id]: rare })).toEqual([off, main, rare]);
    expect(await put({ [rarity.id]: common })).toEqual([common]);
    expect(await put({ [rarity.id]: [] })).toEqual([]);
    expect(await put({})).toEqual([]);
  });

  test.each([
    [{ rarity: true }, 400, { 'classifierOptionIds.rarity': expect.stringContaining('must be the id') }],
    [
      { rarity: ['id_2', 7] },
      400,
      { 'classifierOptionIds.rarity': expect.stringContaining('must be the id') },
    ],
    [{ rarity: 'id_2' }, 422, { 'classifierOptionIds.rarity': 'is not the id of a classifier' }],
    [{ id_1: 'id_5' }, 422, { 'classifierOptionIds.id_1': 'is not the id of an option of this classifier' }],
    [
      { id_1: ['id_2', 'x'] },
      422,
      { 'classifierOptionIds.id_1[1]': 'is not the id of an option of this classifier' },
    ],
    [
      { id_1: ['id_2', 'id_2'] },
      400,
      { 'classifierOptionIds.id_1[1]': 'repeats classifierOptionIds.id_1[0]' },
    ],
    [['id_2'], 400, { classifierOptionIds: 'must be an object' }],
    [null, 400, { classifierOptionIds: 'must be an object' }],
  ])('refuses the assignments %j and changes nothing', async (classifierOptionIds, status, expected) => {
    const service = await testService();
    await classifier(service, 'Rarity', 'common', 'rare');
    await classifier(service, 'Slot', 'main');
    const made = await item(service, { id: 'sword', classifierOptionIds: ['id_2'] });
    const answer = await call(service, 'PUT', '/items/sword', {
      ...update,
      name: 'Other',
      classifierOptionIds,
    });
    expect([answer.status, problems(answer)]).toEqual([status, expected]);
    const after = await call<WireItem>(service, 'PUT', '/items/sword', update);
    expect([after.body.name, optionIds(after.body)]).toEqual([made.name, ['id_2']]);
  });

  test('an empty thumbnail is stored, null is refused', async () => {
    const service = await testService();
    await item(service, { id: 'sword', thumbnail: 'before' });
    const refused = await call(service, 'PUT', '/items/sword', { ...update, thumbnail: null });
    expect([refused.status, problems(refused)]).toEqual([400, { thumbnail: 'must be a string' }]);
    const cleared = await call(service, 'PUT', '/items/sword', { ...update, thumbnail: '' });
    expect(cleared.body).toMatchObject({ thumbnail: '' });
  });

  test('ids with any characters are found by their escaped path', async () => {
    const service = await testService();
    for (const id of ['a/b', 'ü ?#%', '%2F', '100%', '🗡️', ';x=1&y', '__proto__', 'a\\b']) {
      await item(service, { id });
      const { body } = await call(service, 'PUT', `/items/${encodeURIComponent(id)}`, update);
      expect(body).toMatchObject({ id });
    }
  });
});

describe('classifiers', () => {
  test('an update changes the name and ignores options', async () => {
    const service = await testService({ clock: () => 0 });
    const made = await classifier(service, 'Rarity', 'common', 'rare');
    const body = { name: 'Rareté', classifierOptions: [{ name: 'new', dropRateMultiplier: 9 }] };
    const answer = await call(service, 'PUT', `/classifiers/${made.id}`, body);
    expect(answer.body).toEqual({ ...made, name: 'Rareté', updatedAt: '1970-01-01T00:00:00.000Z' });
  });

  test('options are required and checked one by one', async () => {
    const service = await testService();
    const answer = await call(service, 'POST', '/classifiers', { name: 'R', classifierOptions: [{}, 'x'] });
    expect(problems(answer)).toEqual({
      'classifierOptions[0].name': 'is required',
      'classifierOptions[0].dropRateMultiplier': 'is required',
      'classifierOptions[1]': 'must be an object',
    });
    expect((await call(service, 'PUT', '/classifiers/none', { name: 'R' })).status).toBe(404);
  });
});
