import { describe, expect, test } from 'vitest';
import { structureProblems } from '../../src/contract/json-structure.ts';
import { designer, sendBytes } from '../rig/embedded-service.ts';
import fc from '../rig/property.ts';
import { client, range } from './client.ts';

const fields = '"rollNumerator":1,"classifierOptionIds":[],"itemAttributes":[]';
const item = `{"name":"a",${fields}}`;

function head(framing: string): string {
  const lines = ['POST /api/items HTTP/1.1', 'Host: localhost', `Authorization: ${designer}`];
  return [...lines, 'Content-Type: application/json', framing, '', ''].join('\r\n');
}

test('a body needs headers that declare JSON', async () => {
  const { ask } = await client();
  for (const [status, ...headers] of [
    [415, 'content-type', 'text/plain'],
    [200, 'content-type', 'application/json; charset=utf-8'],
    [200, 'content-type', 'Application/JSON;charset="UTF-8"'],
    [415, 'content-type', 'application/json; charset=latin1'],
    [415, 'content-type', 'application/jsonp'],
    [415, 'content-encoding', 'gzip'],
  ] as const)
    expect((await ask('POST', '/items', item, designer, Object.fromEntries([headers]))).status).toBe(status);
});

test('a body must be JSON in UTF-8', async () => {
  const { ask, service } = await client();
  for (const [body, reason] of [
    ['', 'not JSON'],
    ['{"name": "x",}', 'not JSON'],
    ['{"a":1} {"b":2}', 'not JSON'],
    ['null', 'not valid'],
    ['[]', 'not valid'],
    ['['.repeat(100_000), 'not JSON'],
  ] as const) {
    const { status, text } = await ask('POST', '/classifiers', body);
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  }
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  const framed = Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]);
  expect(await sendBytes(service.port, framed)).toMatch(/^HTTP\/1.1 400 .*UTF-8/s);
});

test('a body may have 1 MiB, and one byte more gets 413, with or without its length', async () => {
  const { status, service } = await client();
  const limit = 1024 * 1024;
  const sized = (size: number) =>
    item.replace('"a"', `"a","createdAt":"${'x'.repeat(size - item.length - 15)}"`);
  const chunked = (size: number) =>
    `${head('Transfer-Encoding: chunked')}${size.toString(16)}\r\n${sized(size)}\r\n0\r\n\r\n`;
  expect(await status('POST', '/items', sized(limit))).toBe(200);
  expect(await sendBytes(service.port, chunked(limit))).toContain('HTTP/1.1 200 ');
  expect(await sendBytes(service.port, head(`Content-Length: ${limit + 1}`))).toContain('HTTP/1.1 413 ');
  expect(await sendBytes(service.port, chunked(limit + 1))).toContain('HTTP/1.1 413 ');
});

describe('a repeated key', () => {
  test('is refused and named in each object, whatever the strings contain', async () => {
    const { createItem, refusal, service } = await client();
    for (const [body, field] of [
      [`{"name":"a","name":"b",${fields}}`, 'name'],
      [`{"name":"a","name":"a",${fields}}`, 'name'],
      [`{"name":"a","n\\u0061me":"b",${fields}}`, 'name'],
      [`{"name":"a",${fields},"other":[{},{"x":{"y":1,"z":2,"y":3}}]}`, 'other[1].x.y'],
      [`{"":1,"":2,"name":"a",${fields}}`, ''],
      [`{"__proto__":1,"__proto__":2,"name":"a",${fields}}`, '__proto__'],
      [`{"constructor":1,"name":"a","constructor":2,${fields}}`, 'constructor'],
    ] as const)
      expect(await refusal('POST', '/items', body)).toEqual([400, { [field]: 'is given twice' }]);
    expect(service.ledger()).toEqual([]);
    const name = '{"name":1,"name":2}\\';
    const other = { x: [{ a: 1 }, { a: ']}' }], a: { a: { a: ',' } } };
    expect(await createItem({ name, ...other })).toMatchObject({ name });
  });

  test('is never found in a body that JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        expect(structureProblems(JSON.stringify(value, undefined, indent))).toEqual([]);
      }),
    );
  });

  test('is always found where it was inserted', () => {
    const members = fc.array(fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1 });
    fc.assert(
      fc.property(members, fc.nat(), (given, at) => {
        const again = given[at % given.length] ?? ['', null];
        const text = [...given, again].map((member) => member.map((each) => JSON.stringify(each)).join(':'));
        const found = structureProblems(`[0,{${text.join(',')}}]`);
        expect(found.map(({ field }) => field)).toContain(`[1].${again[0].slice(0, 100)}`);
      }),
    );
  });
});

test('a body may nest lists and objects 32 levels deep, and no deeper', async () => {
  const { refusal, status } = await client();
  const nested = (levels: number) => item.replace('{', `{"x":${'['.repeat(levels)}${']'.repeat(levels)},`);
  expect(await status('POST', '/items', nested(31))).toBe(200);
  expect(await refusal('POST', '/items', nested(32))).toEqual([400, { '': 'is nested over 32 levels deep' }]);
  expect(await status('POST', '/items', nested(500_000))).toBe(400);
  expect(await status('POST', '/items', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`)).toBe(400);
});

test('keys such as __proto__ or teamId are unknown fields or IDs like any other', async () => {
  const { ask, createItem, refusal } = await client();
  for (const id of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const pollution = `{"${id}":{"name":"polluted","thumbnail":"polluted","constructor":{"prototype":{"name":1}}},`;
    expect(await refusal('POST', '/items', `${pollution}${fields}}`)).toEqual([400, { name: 'is required' }]);
    const { body } = await ask('POST', '/items', `${pollution}"teamId":"team_8","name":"a",${fields}}`);
    expect(body).toMatchObject({ name: 'a', thumbnail: null, teamId: 'team_7' });
    expect(({} as Record<string, unknown>).name).toBeUndefined();
    const made = await createItem({ id, itemAttributes: [range(id, 1, 2)] });
    expect(made).toMatchObject({ id, attributes: [{ attributeId: id }] });
    const assigning = `{"name":"b","rollNumerator":1,"attributes":[],"classifierOptionIds":{"${id}":["x"]}}`;
    const problems = { [`classifierOptionIds.${id}`]: 'is not the id of a classifier' };
    expect(await refusal('PUT', `/items/${id}`, assigning)).toEqual([422, problems]);
  }
});
