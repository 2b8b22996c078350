import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test.each(names)('the service returns the literal response of the exchange %s', async (name) => {
  const { port } = await testService();
  for (const earlier of before[name] ?? []) await sendBytes(port, exchange(earlier).request.bytes);
  const { request, response } = exchange(name);

  const answer = await sendBytes(port, request.bytes);

  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine, ...headerLines] = head.split('\r\n');
  expect(statusLine).toContain(`HTTP/1.1 ${response.status} `);
  const headers = new Headers(headerLines.map((line) => line.split(/:(.*)/).slice(0, 2) as [string, string]));
  for (const [header, value] of Object.entries(response.headers)) expect(headers.get(header)).toBe(value);
  expect(differences(JSON.parse(response.body), JSON.parse(body))).toEqual([]);
});
