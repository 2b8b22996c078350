import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WireClassifier } from '../../../src/contract/api.ts';
import { dialectPoints } from '../../../src/service/dialect.ts';
import { basic, designer, sendBytes, testService, world } from '../../rig/embedded-service.ts';
import { client, optionIds, plain, range, ranges, update } from '../client.ts';

describe('error bodies', () => {
  const wrong = { ...update, attributes: [range('a', 1, 2), range('a', 1, 2)] };
  const requests: readonly [method: string, path: string, body: unknown, as: string, status: number][] = [
    ['PUT', '/items/sword', update, basic('designer', 'wrong'), 401],
    ['PUT', '/items/%zz', update, designer, 400],
    ['DELETE', '/items/sword', undefined, designer, 405],
    ['PUT', '/nothing', update, designer, 404],
    ['PUT', '/items/sword', 'no JSON', designer, 400],
    ['PUT', '/items/sword', wrong, designer, 400],
    ['PUT', '/items/sword', update, designer, 404],
    ['POST', '/items', { ...plain, classifierOptionIds: ['none'] }, designer, 422],
  ];

  test.each([...dialectPoints.errorBody])(
    'are %s for every error, with the same status',
    async (errorBody) => {
      const service = await client({ errorBody });
      const types = { json: 'application/json', text: 'text/plain', html: 'text/html', empty: undefined };
      for (const [method, path, body, as, status] of requests) {
        const heard = await service.ask(method, path, body, as);
        const type = heard.headers.get('content-type')?.split(';')[0];
        expect([heard.status, type]).toEqual([status, types[errorBody]]);
        expect(heard.text === '').toBe(errorBody === 'empty');
      }
    },
  );

  test('have the same words in text and HTML, without markup from the request', async () => {
    const body = { ...plain, '<script>&"\'': 1 };
    const dialect = { unknownFields: 'rejected' } as const;
    const text = await (await client({ ...dialect, errorBody: 'text' })).ask('POST', '/items', body);
    expect(text.text).toBe('The request body is not valid.\n<script>&"\' is not a field of this request\n');
    const html = await (await client({ ...dialect, errorBody: 'html' })).ask('POST', '/items', body);
    expect(html.text).not.toContain('<script>');
    expect(html.text).toContain('<li>&#60;script&#62;&#38;&#34;&#39; is not a field of this request</li>');
  });

  test('have the same form for a malformed request', async () => {
    const { port } = await testService({ dialect: { errorBody: 'text' } });
    const answer = await sendBytes(port, 'GET /api/items HTTP/1.1\r\nHost: a b\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 400 ');
    expect(answer).toContain("\r\n\r\nThe request can't be read.\n");
  });
});

describe('a shuffled order', () => {
  const names = Array.from({ length: 8 }, (_, index) => `option ${index}`);

  /** The options of a classifier in the order of three responses, the last two without a change between. */
  async function orders(seed?: number): Promise<string[]> {
    const service = await client({ arrayOrder: 'shuffled' }, seed === undefined ? {} : { seed });
    const made = await service.createClassifier('Rarity', ...names);
    const again = () => service.updateClassifier('id_0', { name: 'Rarity' });
    const shown = ({ classifierOptions }: WireClassifier) => classifierOptions.map(({ name }) => name).join();
    return [shown(made), shown(await again()), shown(await again())];
  }

  test('differs between responses and seeds, and repeats for the same seed', async () => {
    const first = await orders(7);
    expect(new Set(first).size).toBe(3);
    expect(await orders(7)).toEqual(first);
    expect(await orders(8)).not.toEqual(first);
    expect(await orders()).toEqual(await orders(0));
  });

  test('is not stored, so the next run shows the original order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trove-dialect-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const database = join(folder, 'service.db');
    const shuffling = await client({ arrayOrder: 'shuffled' }, { database });
    await shuffling.createClassifier('Rarity', ...names);
    const ids = names.map((_, index) => `id_${index + 1}`);
    const itemAttributes = names.map((name, index) => range(name, index, index));
    await shuffling.createItem({ id: 'sword', classifierOptionIds: ids, itemAttributes });
    await shuffling.updateClassifier('id_0', { name: 'Rarity' });
    await shuffling.service.close();
    const plainly = await client({ 'itemUpdate.attributes': 'merge' }, { database });
    const sword = await plainly.updateItem('sword');
    expect(optionIds(sword)).toEqual(ids);
    expect(ranges(sword)).toEqual(names.map((name, index) => `${name} ${index} ${index}`));
    const { classifierOptions } = await plainly.updateClassifier('id_0', { name: 'Rarity' });
    expect(classifierOptions.map(({ name }) => name)).toEqual(names);
    await plainly.service.close();
  });

  test('applies to every array: assignments, ranges and links', async () => {
    const space = { cols: 1, rows: 1, teamId: 'team_7', users: ['user_1'] };
    const spaces = names.map((name) => ({ ...space, id: name, name }));
    const service = await client({ arrayOrder: 'shuffled' }, { world: { ...world, spaces } });
    const rarity = await service.createClassifier('Rarity', ...names);
    const ids = rarity.classifierOptions.map(({ id }) => id).sort();
    const itemAttributes = names.map((name) => range(name, 1, 1));
    const item = await service.createItem({ classifierOptionIds: ids, itemAttributes });
    const { body } = await service.ask('GET', '/users/user_1/spaces');
    const lists = [
      [optionIds(item), ids],
      [item.attributes.map(({ attributeId }) => attributeId), names],
      [(body as { spaceId: string }[]).map(({ spaceId }) => spaceId), names],
    ];
    for (const [shown = [], given = []] of lists) {
      expect(shown).not.toEqual(given);
      expect([...shown].sort()).toEqual([...given].sort());
    }
  });
});

describe('SQL timestamps', () => {
  test('replace ISO 8601 times from a client, and no other text', async () => {
    const [sql, iso] = [await client({ timestamps: 'sql' }), await client()];
    for (const [createdAt, shown] of [
      ['2026-03-01T12:00:00.999Z', '2026-03-01 12:00:00'],
      ['2026-03-01T01:00:00+02:00', '2026-02-28 23:00:00'],
      ['2026-03-01T12:00Z', '2026-03-01 12:00:00'],
      ['2026-03-01 12:00:00', '2026-03-01 12:00:00'],
      ['2026-03-01', '2026-03-01'],
      ['yesterday', 'yesterday'],
      ['2026-13-01T12:00:00Z', '2026-13-01T12:00:00Z'],
      ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59-01:00'],
      ['', ''],
    ]) {
      expect((await sql.createItem({ createdAt })).createdAt).toBe(shown);
      expect((await iso.createItem({ createdAt })).createdAt).toBe(createdAt);
    }
  });

  test('are in every record, and leave text in other fields alone', async () => {
    const service = await client({ timestamps: 'sql' }, { world });
    const time = '2026-09-01 12:00:00';
    const name = '2026-09-01T12:00:00.000Z';
    const rarity = await service.createClassifier(name, 'common');
    expect(rarity).toMatchObject({ name, createdAt: time, updatedAt: null });
    expect(await service.updateClassifier(rarity.id, { name })).toMatchObject({ name, updatedAt: time });
    await service.createItem({ id: 'sword', thumbnail: name });
    const sword = await service.updateItem('sword');
    expect(sword).toMatchObject({ thumbnail: name, createdAt: time, updatedAt: time });
    const links = await service.ask('GET', '/users/user_1/spaces');
    expect(links.body).toMatchObject([
      { createdAt: time, updatedAt: null, space: { createdAt: time, updatedAt: time } },
    ]);
  });
});
