import { expect, test } from 'vitest';
import type { WireClassifier, WireItem } from '../../../src/contract/api.ts';
import { type Dialect, dialectPoints } from '../../../src/service/dialect.ts';
import { world } from '../../rig/embedded-service.ts';
import fc from '../../rig/property.ts';
import { type Client, client, type Heard } from '../client.ts';

/** One user: hashing more passwords would take longer than the requests. */
const alone = { ...world, spaces: [], users: (world.users ?? []).slice(0, 1) };

/** Any dialect: every point at any of its values. */
const dialects = fc.record(
  Object.fromEntries(
    Object.entries(dialectPoints).map(([point, values]) => [point, fc.constantFrom(...values)]),
  ),
) as unknown as fc.Arbitrary<Dialect>;

/** One of the values, and one time in twenty the first, which is refused. */
function rarely<T>(odd: T, ...values: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(odd) },
    { weight: 19, arbitrary: fc.constantFrom(...values) },
  );
}

/** Few names, so that they meet: of ids that exist, of ids that do not, and of ids that are too long. */
const ids = rarely('x'.repeat(192), 'sword', 'a/b ü', 'id_0', 'id_3');
const optionId = rarely('none', 'id_1', 'id_2', 'id_4', 'id_5');
const number = fc.constantFrom(0, 1, -0.005, 1 / 3, 12.345, 1e300);
const text = rarely('x'.repeat(192), '', 'Iron Sword', '2026-03-01T12:00:00Z', '🗡️');
const thumbnail = fc.constantFrom(undefined, undefined, null, '', 'https://cdn.example/a.png');
const range = fc.record({ attributeId: fc.constantFrom('a', 'b', 'c'), min: number, max: number });
const ranges = fc.uniqueArray(range, { maxLength: 2, selector: ({ attributeId }) => attributeId });
const option = fc.record({ name: fc.constantFrom('common', 'rare', 'epic'), dropRateMultiplier: number });
const shapes = fc.oneof(
  fc.dictionary(
    fc.constantFrom('id_0', 'id_3', 'none'),
    fc.oneof(optionId, fc.uniqueArray(optionId, { maxLength: 3 })),
    { maxKeys: 2 },
  ),
  fc.dictionary(optionId, fc.constant(true), { maxKeys: 3 }),
  fc.uniqueArray(optionId, { maxLength: 3 }).map((list) => ({ ...list })),
);
const oddity = rarely({ colour: 'red' }, {});

/** A request at one of the ids where the path has none of its own, with fields that are there or not. */
function request(method: string, path: string, fields: Record<string, fc.Arbitrary<unknown>>) {
  return fc.tuple(ids, fc.record(fields), oddity).map(([id, body, odd]) => ({
    ...{ method, path: path.replace('ID', encodeURIComponent(id)) },
    body: { ...body, ...odd },
  }));
}

const maybe = (given: fc.Arbitrary<unknown>) => fc.option(given, { nil: undefined });
const values = { name: text, rollNumerator: number, thumbnail };
const options = fc.array(option, { maxLength: 3 });
const requests = fc.oneof(
  request('POST', '/items', {
    ...{ ...values, id: maybe(ids), itemAttributes: ranges },
    createdAt: fc.constantFrom(undefined, '2026-03-01T12:00:00Z', 'then'),
    classifierOptionIds: fc.uniqueArray(optionId, { maxLength: 2 }),
  }),
  request('PUT', '/items/ID', { ...values, classifierOptionIds: maybe(shapes), attributes: ranges }),
  request('POST', '/classifiers', { name: text, classifierOptions: options }),
  request('PUT', '/classifiers/ID', { name: text, classifierOptions: maybe(options) }),
);

test('responses in every dialect fit the document and match what is stored', {
  timeout: 400_000,
}, async () => {
  const seen = new Set<string>();
  const property = async (dialect: Dialect, list: readonly Asked[]) => {
    const service = await client(dialect, { world: alone });
    await service.createClassifier('Rarity', 'common', 'rare');
    await service.createClassifier('Slot', 'main', 'off');
    try {
      for (const { method, path, body } of list) {
        // `ask` holds every success to the document.
        const heard = await service.ask(method, path, body);
        seen.add(`${method} ${path.split('/')[1]} ${heard.status}`);
        expect([200, 201, 400, 404, 409, 422, 500]).toContain(heard.status);
        if (heard.status < 300) await expectStored(service, path, heard, dialect);
      }
    } finally {
      await service.service.close();
    }
  };
  await fc.assert(fc.asyncProperty(dialects, fc.array(requests, { minLength: 5, maxLength: 12 }), property), {
    numRuns: 40,
    seed: 20_261_121,
  });
  // The requests are not so odd that all are refused.
  const posts = ['POST items 200', 'POST items 201', 'POST items 409'];
  const usual = [...posts, 'PUT items 200', 'PUT classifiers 200'];
  expect([...seen]).toEqual(expect.arrayContaining(usual));
});

/** There is no read: an update with what was answered must change nothing, and shows what is there. */
async function expectStored(service: Client, path: string, { body }: Heard, dialect: Dialect): Promise<void> {
  if (path.startsWith('/classifiers')) {
    const answered = body as WireClassifier;
    const again = await service.updateClassifier(answered.id, { name: answered.name });
    return expect(unordered(again)).toEqual(unordered({ ...answered, updatedAt: again.updatedAt }));
  }
  const answered = body as WireItem;
  const { name, rollNumerator, thumbnail } = answered;
  const attributes = answered.attributes.map(({ attributeId, min, max }) => ({ attributeId, min, max }));
  const again = await service.updateItem(answered.id, {
    name,
    rollNumerator,
    attributes,
    ...(thumbnail !== null && { thumbnail }),
  });
  // Only a create can store "" in a dialect in which an update clears by it.
  const kept = thumbnail === '' && dialect['itemUpdate.emptyThumbnail'] === 'clears' ? null : thumbnail;
  expect(unordered(again)).toEqual(unordered({ ...answered, thumbnail: kept, updatedAt: again.updatedAt }));
}

/** Arrays by their text, since a dialect may shuffle them. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .map(unordered)
      .map((one) => JSON.stringify(one))
      .sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, unordered(inside)]));
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}
