import { describe, expect, test } from 'vitest';
import { type Dialect, type DialectPoint, dialectPoints } from '../../../src/service/dialect.ts';
import { optionIds, plain, range, ranges, type Speaker, speaker, update } from './speaker.ts';

/**
 * What a client can see of one point: the same requests under each of its values, and what comes of them. No two
 * values look the same, so a value without effect fails.
 */
interface Seen<Point extends DialectPoint> {
  readonly look: (speaker: Speaker) => Promise<unknown>;
  readonly sees: { readonly [Value in `${Dialect[Point]}`]: unknown };
}

/** With rarity (id_0: id_1, id_2), slot (id_3: id_4, id_5) and items sword, axe and bow that have the option id_1. */
async function armoury(speaker: Speaker): Promise<void> {
  await speaker.createClassifier('Rarity', 'common', 'rare');
  await speaker.createClassifier('Slot', 'main', 'off');
  for (const id of ['sword', 'axe', 'bow']) {
    await speaker.createItem({ id, classifierOptionIds: ['id_1'], itemAttributes: [range('a', 1, 2)] });
  }
}

const statusOf = async (speaker: Speaker, method: string, path: string, body: unknown) =>
  (await speaker.ask(method, path, body)).status;

const seen: { readonly [Point in DialectPoint]: Seen<Point> } = {
  'itemUpdate.classifierOptionIds': {
    async look(speaker) {
      await armoury(speaker);
      const shapes = [
        { id_3: ['id_4', 'id_5'], id_0: 'id_2' },
        { id_4: true, id_2: true },
        { 0: 'id_5', 1: 'id_2' },
      ];
      const results: unknown[] = [];
      for (const [index, id] of ['sword', 'axe', 'bow'].entries()) {
        const body = { ...update, classifierOptionIds: shapes[index] };
        const { status } = await speaker.ask('PUT', `/items/${id}`, body);
        results.push([status, optionIds(await speaker.updateItem(id))]);
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
    async look(speaker) {
      await armoury(speaker);
      await speaker.updateItem('sword', { classifierOptionIds: { id_3: 'id_5' } });
      return optionIds(await speaker.updateItem('sword'));
    },
    sees: { replace: ['id_5'], merge: ['id_1', 'id_5'] },
  },
  'itemUpdate.attributes': {
    async look(speaker) {
      await armoury(speaker);
      return ranges(await speaker.updateItem('sword', { attributes: [range('b', 3, 4)] }));
    },
    sees: { replace: ['b 3 4'], merge: ['a 1 2', 'b 3 4'] },
  },
  'itemUpdate.omittedThumbnail': {
    async look(speaker) {
      await speaker.createItem({ id: 'sword', thumbnail: 'before' });
      return (await speaker.updateItem('sword')).thumbnail;
    },
    sees: { kept: 'before', cleared: null },
  },
  'itemUpdate.nullThumbnail': {
    async look(speaker) {
      await speaker.createItem({ id: 'sword', thumbnail: 'before' });
      const status = await statusOf(speaker, 'PUT', '/items/sword', { ...update, thumbnail: null });
      return [status, (await speaker.updateItem('sword')).thumbnail];
    },
    sees: { rejected: [400, 'before'], clears: [200, null] },
  },
  'itemUpdate.emptyThumbnail': {
    async look(speaker) {
      await speaker.createItem({ id: 'sword', thumbnail: 'before' });
      await speaker.updateItem('sword', { thumbnail: '' });
      return (await speaker.updateItem('sword')).thumbnail;
    },
    sees: { stored: '', clears: null },
  },
  'itemCreate.clientId': {
    look: async (speaker) => (await speaker.createItem({ id: 'sword' })).id,
    sees: { honoured: 'sword', ignored: 'id_0' },
  },
  'itemCreate.existingId': {
    async look(speaker) {
      await speaker.createItem({ id: 'sword', thumbnail: 'first' });
      const status = await statusOf(speaker, 'POST', '/items', {
        ...plain,
        id: 'sword',
        thumbnail: 'second',
      });
      return [status, (await speaker.updateItem('sword')).thumbnail];
    },
    sees: { 409: [409, 'first'], 500: [500, 'first'], overwritten: [200, 'second'] },
  },
  'update.unknownId': {
    look: async (speaker) => [
      await statusOf(speaker, 'PUT', '/items/new', update),
      await statusOf(speaker, 'PUT', '/classifiers/new', { name: 'R' }),
      await statusOf(speaker, 'POST', '/items', { ...plain, id: 'new' }),
    ],
    sees: { 404: [404, 404, 200], 400: [400, 400, 200], created: [200, 200, 409] },
  },
  'classifierUpdate.options': {
    async look(speaker) {
      await speaker.createClassifier('Rarity', 'common', 'rare');
      const options = [
        { name: 'rare', dropRateMultiplier: 7 },
        { name: 'epic', dropRateMultiplier: 8 },
      ];
      const body = { name: 'Rarity', classifierOptions: options };
      const status = await statusOf(speaker, 'PUT', '/classifiers/id_0', body);
      const { classifierOptions } = await speaker.updateClassifier('id_0', { name: 'Rarity' });
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
    look: (speaker) => statusOf(speaker, 'POST', '/items', { ...plain, colour: 'red' }),
    sees: { ignored: 200, rejected: 400 },
  },
  successStatus: {
    look: async (speaker) => [
      await statusOf(speaker, 'POST', '/items', { ...plain, id: 'sword' }),
      await statusOf(speaker, 'POST', '/classifiers', { name: 'R', classifierOptions: [] }),
      await statusOf(speaker, 'PUT', '/items/sword', update),
      await statusOf(speaker, 'GET', '/users/user_1/spaces', undefined),
    ],
    sees: { 200: [200, 200, 200, 200], '201-on-create': [201, 201, 200, 200] },
  },
  errorBody: {
    async look(speaker) {
      const { status, type, text } = await speaker.ask('PUT', '/items/none', update);
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
    look: async (speaker) => (await speaker.createItem()).createdAt,
    sees: { iso: '2026-09-01T12:00:00.000Z', sql: '2026-09-01 12:00:00' },
  },
  arrayOrder: {
    async look(speaker) {
      const names = Array.from({ length: 12 }, (_, index) => `option ${index}`);
      const { classifierOptions } = await speaker.createClassifier('Rarity', ...names);
      const shown = classifierOptions.map(({ name }) => name);
      return { inOrder: String(shown) === String(names), complete: new Set(shown).size === 12 };
    },
    sees: { stored: { inOrder: true, complete: true }, shuffled: { inOrder: false, complete: true } },
  },
  numbers: {
    look: async (speaker) => (await speaker.createItem({ rollNumerator: 1 / 3 })).rollNumerator,
    sees: { exact: 1 / 3, 'two-decimals': 0.33 },
  },
};

const points = Object.entries(seen) as [DialectPoint, Seen<DialectPoint>][];

describe.each(points)('%s', (point, { look, sees }) => {
  const expected: Readonly<Record<string, unknown>> = sees;

  test.each([...dialectPoints[point]])('%s', async (value) => {
    expect(await look(await speaker({ [point]: value }))).toEqual(expected[value]);
  });

  test('has values that can be told apart, the first of them without a dialect', async () => {
    expect(new Set(Object.values(expected).map((each) => JSON.stringify(each))).size).toBe(
      dialectPoints[point].length,
    );
    expect(await look(await speaker({}))).toEqual(expected[dialectPoints[point][0]]);
  });
});
