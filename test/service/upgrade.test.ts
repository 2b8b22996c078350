import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { call, rival, testService } from '../rig/embedded-service.ts';

test('a database of format 1 is taken over whole, once, and its ids then belong to their teams', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trove-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = join(folder, 'service.db');
  const before = new Database(database);
  before.exec(await readFile(new URL('format-1.sql', import.meta.url), 'utf8'));
  before.close();

  const sword = { name: 'Sword', rollNumerator: 40 };
  const kept = [
    { attributeId: 'damage', min: 3, max: 7 },
    { attributeId: 'speed', min: -1, max: 1 },
  ];
  const option = (id: string, name: string, dropRateMultiplier: number, classifierId: string) => ({
    id,
    name,
    dropRateMultiplier,
    classifierId,
  });
  const common = option('common', 'Common', 1, 'rarity');
  const rare = option('rare', 'Rare', 0.25, 'rarity');

  for (const _start of ['upgrades', 'finds it upgraded']) {
    const service = await testService({ database });
    const item = await call(service, 'PUT', '/items/sword', { ...sword, attributes: kept });
    expect(item.body).toEqual({
      id: 'sword',
      ...sword,
      thumbnail: 'https://cdn.example/sword.png',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: expect.any(String),
      teamId: 'team_7',
      classifiers: [rare, common].map((one) => ({ classifierId: 'rarity', classifierOption: one })),
      attributes: kept.map((one, index) => ({ id: `record_${index + 1}`, itemId: 'sword', ...one })),
    });
    const rarity = await call(service, 'PUT', '/classifiers/rarity', { name: 'Rarity' });
    expect(rarity.body).toMatchObject({ classifierOptions: [common, rare] });
    await service.close();
  }

  const service = await testService({ database });
  const elixir = { name: 'Elixir', rollNumerator: 0.5, attributes: [] };
  const theirs = await call(service, 'PUT', '/items/elixir', elixir, { authorization: rival });
  const red = option('red', 'Red', 2, 'potion');
  expect(theirs.body).toMatchObject({
    createdAt: 'then',
    classifiers: [{ classifierId: 'potion', classifierOption: red }],
  });
  expect((await call(service, 'PUT', '/items/elixir', elixir)).status).toBe(404);
  const create = { ...sword, id: 'elixir', classifierOptionIds: [], itemAttributes: [] };
  expect((await call(service, 'POST', '/items', create)).status).toBe(200);
});
