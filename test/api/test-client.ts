import { type ClientOptions, createClient } from '../../src/api/client.ts';
import type { CallOptions } from '../../src/api/outcome.ts';
import { pathOf, type WireClassifier } from '../../src/contract/api.ts';
import { type Play, startRawServer } from './raw-server.ts';

export const password = 'correct horse';

/** A client whose clock only moves while it sleeps, so that no test waits for a delay. */
export function createTestClient(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z'), slept: [] as number[] };
  const client = createClient({
    baseUrl,
    credentials: { username: 'designer', password },
    userAgent: 'trove/0.0.0',
    random: () => 0.5,
    now: () => clock.now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      clock.now += ms;
      clock.slept.push(ms);
    },
    ...options,
  });
  const repeatable = { repeatable: true };
  return {
    client,
    clock,
    /** A create that can't be repeated. */
    create: (options: CallOptions = {}) =>
      client.write({ method: 'POST', path: '/classifiers', body: classifierBody }, 'classifier', {
        repeatable: false,
        ...options,
      }),
    /** One that can. */
    createItem: (id?: string, options: CallOptions = {}) =>
      client.write({ method: 'POST', path: '/items', body: { ...itemBody, ...(id && { id }) } }, 'item', {
        ...repeatable,
        ...options,
      }),
    update: (id = 'id_1', options: CallOptions = {}) =>
      client.write(
        { method: 'PUT', path: pathOf('updateClassifier', id), body: { name: 'Rarity' } },
        'classifier',
        { ...repeatable, ...options },
      ),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export const classifier: WireClassifier = {
  id: 'id_1',
  name: 'Rarity',
  teamId: 'team_7',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: null,
  classifierOptions: [],
};
export const classifierBody = { name: 'Rarity', classifierOptions: [] };
const itemBody = { name: 'Sword', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };

/** A client of a server that plays the given responses in turn. */
export async function playing(plays: readonly [Play, ...Play[]], options: Partial<ClientOptions> = {}) {
  const { close, requests, baseUrl } = await startRawServer(...plays);
  const rig = createTestClient(baseUrl, options);
  return {
    ...rig,
    requests,
    baseUrl,
    async [Symbol.asyncDispose]() {
      await rig.client.close();
      await close();
    },
  };
}
