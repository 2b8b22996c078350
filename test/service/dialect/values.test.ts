import { describe, expect, test } from 'vitest';
import { type Dialect, type DialectPoint, dialectPoints } from '../../../src/service/dialect.ts';
import {
  type Client,
  client as dialectClient,
  option,
  optionIds,
  plain,
  range,
  ranges,
  rarity,
  update,
} from '../client.ts';

/**
 * What a client can see of one point: the same requests under each of its values, and what comes of them. No two
 * values look the same, so a value without effect fails.
 */
interface Seen<Point extends DialectPoint> {
  readonly look: (client: Client) => Promise<unknown>;
  readonly sees: { readonly [Value in `${Dialect[Point]}`]: unknown };
}

/** With rarity (id_0: id_1, id_2), slot (id_3: id_4, id_5) and items sword, axe and bow that have the option id_1. */
async function armoury(client: Client): Promise<void> {
  await client.createClassifier('Rarity', 'common', 'rare');
  await client.createClassifier('Slot', 'main', 'off');
  for (const id of ['sword', 'axe', 'bow']) {
    await client.createItem({ id, classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] });
  }
}

async function thumbnailAfter(client: Client, fields: object): Promise<unknown> {
  await client.createItem({ id: 'sword', thumbnail: 'before' });
  const status = await client.status('PUT', '/items/sword', { ...update, ...fields });
  return [status, (await client.updateItem('sword')).thumbnail];
}

const seen: { readonly [Point in DialectPoint]: Seen<Point> } = {
  'itemUpdate.classifierOptionIds': {
    async look(client) {
      await armoury(client);
      const shapes = [
        { id_3: ['id_4', 'id_5'], id_0: 'id_2' },
        { id_4: true, id_2: true },
        { 0: 'id_5', 1: 'id_2' },
      ];
      const results: string[] = [];
      for (const [index, id] of ['sword', 'axe', 'bow'].entries()) {
        const body = { ...update, classifierOptionIds: shapes[index] };
        const status = await client.status('PUT', `/items/${id}`, body);
        results.push(`${status} ${optionIds(await client.updateItem(id))}`);
      }
      return results;
    },
    sees: {
      'by-classifier': ['200 id_4,id_5,id_2', '400 id_1', '422 id_1'],
      'by-option': ['400 id_1', '200 id_4,id_2', '400 id_1'],
      'by-index': ['400 id_1', '400 id_1', '200 id_5,id_2'],
      ignored: ['200 id_1', '200 id_1', '200 id_1'],
    },
  },
  'itemUpdate.assignments': {
    async look(client) {
      await armoury(client);
      await client.updateItem('sword', { classifierOptionIds: { id_3: 'id_5' } });
      return optionIds(await client.updateItem('sword'));
    },
    sees: { replace: ['id_5'], merge: ['id_1', 'id_5'] },
  },
  'itemUpdate.attributes': {
    async look(client) {
      await armoury(client);
      return ranges(await client.updateItem('sword', { attributes: [range('b', 3, 4)] }));
    },
    sees: { replace: ['b 3 4'], merge: ['a 1 2', 'b 3 4'] },
  },
  'itemUpdate.omittedThumbnail': {
    look: (client) => thumbnailAfter(client, {}),
    sees: { kept: [200, 'before'], cleared: [200, null] },
  },
  'itemUpdate.nullThumbnail': {
    look: (client) => thumbnailAfter(client, { thumbnail: null }),
    sees: { rejected: [400, 'before'], clears: [200, null] },
  },
  'itemUpdate.emptyThumbnail': {
    look: (client) => thumbnailAfter(client, { thumbnail: '' }),
    sees: { stored: [200, ''], clears: [200, null] },
  },
  'itemCreate.clientId': {
    look: async (client) => (await client.createItem({ id: 'sword' })).id,
    sees: { honoured: 'sword', ignored: 'id_0' },
  },
  'itemCreate.existingId': {
    async look(client) {
      await client.createItem({ id: 'sword', thumbnail: 'first' });
      const body = { ...plain, id: 'sword', thumbnail: 'second' };
      const status = await client.status('POST', '/items', body);
      return [status, (await client.updateItem('sword')).thumbnail];
    },
    sees: { 409: [409, 'first'], 500: [500, 'first'], overwritten: [200, 'second'] },
  },
  'update.unknownId': {
    look: async (client) => [
      await client.status('PUT', '/items/new', update),
      await client.status('PUT', '/classifiers/new', { name: 'R' }),
      await client.status('POST', '/items', { ...plain, id: 'new' }),
    ],
    sees: { 404: [404, 404, 200], 400: [400, 400, 200], created: [200, 200, 409] },
  },
  'classifierUpdate.options': {
    async look(client) {
      await client.createClassifier('Rarity', 'common', 'rare');
      const body = { name: 'Rarity', classifierOptions: [option('rare', 7), option('epic', 8)] };
      const status = await client.status('PUT', '/classifiers/id_0', body);
      const { classifierOptions } = await client.updateClassifier('id_0', { name: 'Rarity' });
      const shown = classifierOptions.map((one) => `${one.id} ${one.name} ${one.dropRateMultiplier}`);
      return [status, ...shown];
    },
    sees: {
      ignored: [200, 'id_1 common 0', 'id_2 rare 1'],
      replaced: [200, 'id_2 rare 7', 'id_3 epic 8'],
      'merged-by-name': [200, 'id_1 common 0', 'id_2 rare 7', 'id_3 epic 8'],
      rejected: [400, 'id_1 common 0', 'id_2 rare 1'],
    },
  },
  unknownFields: {
    look: (client) => client.status('POST', '/items', { ...plain, colour: 'red' }),
    sees: { ignored: 200, rejected: 400 },
  },
  successStatus: {
    look: async (client) => [
      await client.status('POST', '/items', { ...plain, id: 'sword' }),
      await client.status('POST', '/classifiers', rarity('R')),
      await client.status('PUT', '/items/sword', update),
      await client.status('GET', '/users/user_1/spaces', undefined),
    ],
    sees: { 200: [200, 200, 200, 200], '201-on-create': [201, 201, 200, 200] },
  },
  errorBody: {
    async look(client) {
      const { status, headers, text } = await client.ask('PUT', '/items/none', update);
      return [status, headers.get('content-type'), text.slice(0, 15)];
    },
    sees: {
      json: [404, 'application/json', '{"error":{"stat'],
      text: [404, 'text/plain; charset=utf-8', 'There is no ite'],
      empty: [404, null, ''],
      html: [404, 'text/html; charset=utf-8', '<!doctype html>'],
    },
  },
  timestamps: {
    look: async (client) => (await client.createItem()).createdAt,
    sees: { iso: '2026-09-01T12:00:00.000Z', sql: '2026-09-01 12:00:00' },
  },
  arrayOrder: {
    async look(client) {
      const names = Array.from({ length: 12 }, (_, index) => `option ${index}`);
      const { classifierOptions } = await client.createClassifier('Rarity', ...names);
      const shown = classifierOptions.map(({ name }) => name);
      return { inOrder: String(shown) === String(names), complete: new Set(shown).size === 12 };
    },
    sees: { stored: { inOrder: true, complete: true }, shuffled: { inOrder: false, complete: true } },
  },
  numbers: {
    look: async (client) => (await client.createItem({ rollNumerator: 1 / 3 })).rollNumerator,
    sees: { exact: 1 / 3, 'two-decimals': 0.33 },
  },
};

const points = Object.entries(seen) as [DialectPoint, Seen<DialectPoint>][];

describe.each(points)('%s', (point, { look, sees }) => {
  const expected: Readonly<Record<string, unknown>> = sees;

  test.each([...dialectPoints[point]])('has its own effect with %s', async (value) => {
    expect(await look(await dialectClient({ [point]: value }))).toEqual(expected[value]);
  });

  test('has distinguishable values, and the first is the default', async () => {
    const looks = new Set(Object.values(expected).map((each) => JSON.stringify(each)));
    expect(looks.size).toBe(dialectPoints[point].length);
    expect(await look(await dialectClient({}))).toEqual(expected[dialectPoints[point][0]]);
  });
});
