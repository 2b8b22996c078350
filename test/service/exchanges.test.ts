import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sendBytes, testService } from '../rig/embedded-service.ts';
import { differences, readExchange } from '../rig/exchange.ts';

const folder = new URL('../exchanges/', import.meta.url);
const names = readdirSync(folder).map((file) => file.replace('.http', ''));
const exchange = (name: string) => readExchange(new URL(`${name}.http`, folder));

/** What must have happened before, oldest first. */
const before: Readonly<Record<string, readonly string[]>> = {
  'update-classifier': ['create-classifier'],
  'create-item': ['create-classifier'],
  'update-item': ['create-classifier', 'create-item'],
  'create-existing-item': ['create-classifier', 'create-item'],
};

describe('the literal exchanges', () => {
  test.each(names)('%s', async (name) => {
    const { port } = await testService();
    for (const earlier of before[name] ?? []) await sendBytes(port, exchange(earlier).request.bytes);
    const { request, response } = exchange(name);

    const answer = await sendBytes(port, request.bytes);

    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const [statusLine, ...headerLines] = head.split('\r\n');
    expect(statusLine).toContain(`HTTP/1.1 ${response.status} `);
    const headers = new Headers(
      headerLines.map((line) => line.split(/:(.*)/).slice(0, 2) as [string, string]),
    );
    for (const [header, value] of Object.entries(response.headers)) expect(headers.get(header)).toBe(value);
    expect(differences(JSON.parse(response.body), JSON.parse(body))).toEqual([]);
  });
});

describe('the comparison with an exchange', () => {
  test('takes any string for a placeholder, and the same one for the same name', () => {
    const expected = { id: '{{id}}', owner: '{{id}}', at: '{{at}}' };
    expect(differences(expected, { id: 'a', owner: 'a', at: 'b' })).toEqual([]);
    expect(differences(expected, { id: 'a', owner: 'c', at: 'b' })).toEqual(['/owner: {{id}} was a, then c']);
    expect(differences(expected, { id: 7, owner: 'a', at: 'b' })).toHaveLength(1);
  });

  test('sees fields and elements that are missing or too many', () => {
    expect(differences({ a: [1, null] }, { a: [1, null, 2], b: 3 })).toEqual([
      '/a/2: expected nothing, got 2',
      '/b: expected nothing, got 3',
    ]);
    expect(differences([], {})).toHaveLength(1);
    expect(differences({ a: null }, {})).toEqual(['/a: expected null, got nothing']);
  });
});
