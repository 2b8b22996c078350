import { onTestFinished } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { createAuthenticator } from '../../src/service/credentials.ts';
import { defaultDialect } from '../../src/service/dialect.ts';
import { closeDatabase, openDatabase } from '../../src/service/store/database.ts';
import { openStore } from '../../src/service/store/store.ts';
import { applyWorld, type World } from '../../src/service/world.ts';
import { designer, rival, world } from './embedded-service.ts';

/** The embedded service as a function from request to response, on a database in memory, without a socket. */
export async function pageApp(given: World = world) {
  const db = openDatabase(':memory:');
  onTestFinished(() => closeDatabase(db));
  let next = 0;
  const making = { makeId: () => `id_${next++}`, now: () => '2026-03-02T08:00:00.000Z' };
  await applyWorld(db, given, making);
  const store = openStore(db);
  const app = createApp({
    authenticate: createAuthenticator(store.findUser),
    context: { store, dialect: defaultDialect, ...making },
    onError: (error) => {
      throw error;
    },
    random: () => 0,
  });
  const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
    app.request(path, { headers: { authorization: designer }, ...init });
  return {
    store,
    request,
    /** The body of a GET. */
    read: async (path: string, authorization = designer) =>
      (await request(path, { headers: { authorization } })).text(),
    /** One create operation of the interface. */
    async create(path: string, body: object, authorization = designer) {
      const headers = { authorization, 'content-type': 'application/json' };
      const response = await request(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { readonly id: string };
    },
  };
}

export type PageApp = Awaited<ReturnType<typeof pageApp>>;

const plain = { rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };
const attributes = [
  { id: 'attr_1', name: 'Damage', teamId: 'team_7' },
  { id: 'attr_2', name: 'Poison', teamId: 'team_8' },
];

/** The world, and a classifier of two options and a sword of ours, and a classifier and a potion of the other team. */
export async function smallCatalog(): Promise<PageApp> {
  const app = await pageApp({ ...world, attributes });
  const options = [
    { name: 'Common', dropRateMultiplier: 1 },
    { name: 'Rare', dropRateMultiplier: 0.25 },
  ];
  const rarity = await app.create('/classifiers', { name: 'Rarity', classifierOptions: options });
  const option = app.store.classifiers.find('team_7', rarity.id)?.classifierOptions[1];
  await app.create('/items', {
    ...plain,
    name: 'Iron Sword',
    id: 'sword',
    thumbnail: 'https://cdn.example/sword.png',
    classifierOptionIds: [option?.id],
    itemAttributes: [{ attributeId: 'attr_1', min: 3, max: 7.5 }],
  });
  await app.create('/items', { ...plain, name: 'Élixir', id: 'elixir' });
  await app.create('/classifiers', { name: 'Potency', classifierOptions: options }, rival);
  await app.create('/items', { ...plain, name: 'Healing Potion', id: 'potion' }, rival);
  return app;
}

/** So many items that differ in name (`Item 00000` and so on) and id, written past HTTP in one transaction. */
export async function addItems({ store }: PageApp, count: number): Promise<void> {
  await store.transact(() => {
    for (let index = 0; index < count; index += 1) {
      const name = `Item ${String(index).padStart(5, '0')}`;
      const empty = { thumbnail: null, updatedAt: null, optionIds: [], attributes: [] };
      const createdAt = '2026-03-02T08:00:00.000Z';
      store.items.put({
        id: `item-${index}`,
        teamId: 'team_7',
        name,
        rollNumerator: index,
        createdAt,
        ...empty,
      });
    }
  });
}
