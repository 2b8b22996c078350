import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structureProblems } from '../../../src/contract/json-structure.ts';
import type { RunningService } from '../../../src/service/server.ts';
import { call, problems, testService } from '../../rig/embedded-service.ts';

const plain = '"rollNumerator":1,"classifierOptionIds":[],"itemAttributes":[]';
const create = (service: RunningService, body: string) => call(service, 'POST', '/items', body);

describe('a key that is given twice', () => {
  test.each([
    [`{"name":"a","name":"b",${plain}}`, 'name'],
    [`{"name":"a","name":"a",${plain}}`, 'name'],
    [`{"name":"a","n\\u0061me":"b",${plain}}`, 'name'],
    [`{"name":"a",${plain},"other":[{},{"x":{"y":1,"z":2,"y":3}}]}`, 'other[1].x.y'],
    [`{"":1,"":2,"name":"a",${plain}}`, ''],
    [`{"__proto__":1,"__proto__":2,"name":"a",${plain}}`, '__proto__'],
    [`{"constructor":1,"name":"a","constructor":2,${plain}}`, 'constructor'],
  ])('%s is refused and named: %s', async (body, field) => {
    const service = await testService();
    const answer = await create(service, body);
    expect([answer.status, problems(answer)]).toEqual([400, { [field]: 'is given twice' }]);
    expect(service.ledger()).toEqual([]);
  });

  test('is found in each object by itself, whatever stands in the strings', async () => {
    const body = `{"name":"{\\"name\\":1,\\"name\\":2}\\\\",${plain},"x":[{"a":1},{"a":"]}"}],"a":{"a":{"a":","}}}`;
    expect((await create(await testService(), body)).body).toMatchObject({ name: '{"name":1,"name":2}\\' });
  });

  test('is never seen where JSON.stringify wrote the body', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        expect(structureProblems(JSON.stringify(value, undefined, indent))).toEqual([]);
      }),
    );
  });

  test('is always seen where it was put', () => {
    const members = fc.array(fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1 });
    fc.assert(
      fc.property(members, fc.nat(), (given, at) => {
        const again = given[at % given.length] ?? ['', null];
        const text = [...given, again].map(
          ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
        );
        const found = structureProblems(`[0,{${text.join(',')}}]`);
        expect(found.map(({ field }) => field)).toContain(`[1].${again[0].slice(0, 100)}`);
      }),
    );
  });

  test('is told ten times at most, and not at full length', () => {
    const key = 'k'.repeat(50_000);
    const found = structureProblems(`{${Array(20).fill(`"${key}":1`).join(',')}}`);
    expect(found).toHaveLength(10);
    expect(found[0]?.field).toBe('k'.repeat(100));
  });
});

describe('nesting', () => {
  const nested = (levels: number) => `{"name":"a",${plain},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  test('of 32 levels is read, of 33 refused', async () => {
    const service = await testService();
    expect((await create(service, nested(31))).status).toBe(200);
    const refused = await create(service, nested(32));
    expect([refused.status, problems(refused)]).toEqual([400, { '': 'is nested over 32 levels deep' }]);
  });

  test('of half a million levels is refused as well, in lists and in objects', async () => {
    const service = await testService();
    expect((await create(service, nested(500_000))).status).toBe(400);
    const objects = `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`;
    expect((await create(service, objects)).status).toBe(400);
  });
});

describe('keys that mean something to the language', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s is one more unknown field',
    async (key) => {
      const service = await testService();
      const body = `{"${key}":{"name":"polluted","thumbnail":"polluted","constructor":{"prototype":{"name":1}}},`;
      const missing = await create(service, `${body}${plain}}`);
      expect([missing.status, problems(missing)]).toEqual([400, { name: 'is required' }]);
      const made = await create(service, `${body}"name":"a",${plain}}`);
      expect(made.body).toMatchObject({ name: 'a', thumbnail: null });
      expect(({} as Record<string, unknown>).name).toBeUndefined();
    },
  );

  test.each(['__proto__', 'constructor', 'toString'])(
    '%s as the id of a classifier, an option, an attribute or an item is an id like any other',
    async (id) => {
      const service = await testService();
      const item = { name: 'a', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };
      const range = [{ attributeId: id, min: 1, max: 2 }];
      const made = await call(service, 'POST', '/items', { ...item, id, itemAttributes: range });
      expect(made.body).toMatchObject({ id, attributes: [{ attributeId: id }] });
      const update = `{"name":"b","rollNumerator":1,"attributes":[],"classifierOptionIds":{"${id}":["x"]}}`;
      const answer = await call(service, 'PUT', `/items/${id}`, update);
      expect([answer.status, problems(answer)]).toEqual([
        422,
        { [`classifierOptionIds.${id}`]: 'is not the id of a classifier' },
      ]);
    },
  );
});
