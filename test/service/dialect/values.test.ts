import { describe, expect, test } from 'vitest';
import { type Dialect, type DialectPoint, dialectPoints } from '../../../src/service/dialect.ts';
import {
  type DialectClient,
  dialectClient,
  optionIds,
  plain,
  range,
  ranges,
  update,
} from './dialect-client.ts';

/**
 * What a client can see of one point: the same requests under each of its values, and what comes of them. No two
 * values look the same, so a value without effect fails.
 */
interface Seen<Point extends DialectPoint> {
  readonly look: (client: DialectClient) => Promise<unknown>;
  readonly sees: { readonly [Value in `${Dialect[Point]}`]: unknown };
}

/** With rarity (id_0: id_1, id_2), slot (id_3: id_4, id_5) and items sword, axe and bow that have the option id_1. */
async function armoury(client: DialectClient): Promise<void> {
  await client.createClassifier('Rarity', 'common', 'rare');
  await client.createClassifier('Slot', 'main', 'off');
  for (const id of ['sword', 'axe', 'bow']) {
    await client.createItem({ id, classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] });
  }
}

const statusOf = async (client: DialectClient, method: string, path: string, body: unknown) =>
  (await client.ask(method, path, body)).status;

const seen: { readonly [Point in DialectPoint]: Seen<Point> } = {
  'itemUpdate.classifierOptionIds': {
    async look(client) {
      await armoury(client);
      const shapes = [
        { id_3: ['id_4', 'id_5'], id_0: 'id_2' },
        { id_4: true, id_2: true },
        { 0: 'id_5', 1: 'id_2' },
      ];
      const results: unknown[] = [];
      for (const [index, id] of ['sword', 'axe', 'bow'].entries()) {
        const body = { ...update, classifierOptionIds: shapes[index] };
        const { status } = await client.ask('PUT', `/items/${id}`, body);
        results.push([status, optionIds(await client.updateItem(id))]);
      }
      return results;
    },
    sees: {
      'by-classifier': [
        [200, ['id_4', 'id_5', 'id_2']],
        [400, ['id_1']],
        [422, ['id_1']],
      ],
      'by-option': [
        [400, ['id_1']],
        [200, ['id_4', 'id_2']],
        [400, ['id_1']],
      ],
      'by-index': [
        [400, ['id_1']],
        [400, ['id_1']],
        [200, ['id_5', 'id_2']],
      ],
      ignored: [
        [200, ['id_1']],
        [200, ['id_1']],
        [200, ['id_1']],
      ],
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
    async look(client) {
      await client.createItem({ id: 'sword', thumbnail: 'before' });
      return (await client.updateItem('sword')).thumbnail;
    },
    sees: { kept: 'before', cleared: null },
  },
  'itemUpdate.nullThumbnail': {
    async look(client) {
      await client.createItem({ id: 'sword', thumbnail: 'before' });
      const status = await statusOf(client, 'PUT', '/items/sword', { ...update, thumbnail: null });
      return [status, (await client.updateItem('sword')).thumbnail];
    },
    sees: { rejected: [400, 'before'], clears: [200, null] },
  },
  'itemUpdate.emptyThumbnail': {
    async look(client) {
      await client.createItem({ id: 'sword', thumbnail: 'before' });
      await client.updateItem('sword', { thumbnail: '' });
      return (await client.updateItem('sword')).thumbnail;
    },
    sees: { stored: '', clears: null },
  },
  'itemCreate.clientId': {
    look: async (client) => (await client.createItem({ id: 'sword' })).id,
    sees: { honoured: 'sword', ignored: 'id_0' },
  },
  'itemCreate.existingId': {
    async look(client) {
      await client.createItem({ id: 'sword', thumbnail: 'first' });
      const status = await statusOf(client, 'POST', '/items', {
        ...plain,
        id: 'sword',
        thumbnail: 'second',
      });
      return [status, (await client.updateItem('sword')).thumbnail];
    },
    sees: { 409: [409, 'first'], 500: [500, 'first'], overwritten: [200, 'second'] },
  },
  'update.unknownId': {
    look: async (client) => [
      await statusOf(client, 'PUT', '/items/new', update),
      await statusOf(client, 'PUT', '/classifiers/new', { name: 'R' }),
      await statusOf(client, 'POST', '/items', { ...plain, id: 'new' }),
    ],
    sees: { 404: [404, 404, 200], 400: [400, 400, 200], created: [200, 200, 409] },
  },
  'classifierUpdate.options': {
    async look(client) {
      await client.createClassifier('Rarity', 'common', 'rare');
      const options = [
        { name: 'rare', dropRateMultiplier: 7 },
        { name: 'epic', dropRateMultiplier: 8 },
      ];
      const body = { name: 'Rarity', classifierOptions: options };
      const status = await statusOf(client, 'PUT', '/classifiers/id_0', body);
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
    look: (client) => statusOf(client, 'POST', '/items', { ...plain, colour: 'red' }),
    sees: { ignored: 200, rejected: 400 },
  },
  successStatus: {
    look: async (client) => [
      await statusOf(client, 'POST', '/items', { ...plain, id: 'sword' }),
      await statusOf(client, 'POST', '/classifiers', { name: 'R', classifierOptions: [] }),
      await statusOf(client, 'PUT', '/items/sword', update),
      await statusOf(client, 'GET', '/users/user_1/spaces', undefined),
    ],
    sees: { 200: [200, 200, 200, 200], '201-on-create': [201, 201, 200, 200] },
  },
  errorBody: {
    async look(client) {
      const { status, type, text } = await client.ask('PUT', '/items/none', update);
      return [status, type, text.slice(0, 15)];
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

  test.each([...dialectPoints[point]])('%s', async (value) => {
    expect(await look(await dialectClient({ [point]: value }))).toEqual(expected[value]);
  });

  test('has values that can be told apart, the first of them without a dialect', async () => {
    expect(new Set(Object.values(expected).map((each) => JSON.stringify(each))).size).toBe(
      dialectPoints[point].length,
    );
    expect(await look(await dialectClient({}))).toEqual(expected[dialectPoints[point][0]]);
  });
});
