import { createConnection } from 'node:net';
import { expect, test } from 'vitest';
import { call, designer, sendBytes, testService } from '../rig/embedded-service.ts';

const plain = { name: 'Iron Sword', rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };

test.each([
  ['GET', '/items', 'POST'],
  ['DELETE', '/items/x', 'PUT'],
  ['GET', '/classifiers', 'POST'],
  ['POST', '/classifiers/x', 'PUT'],
  ['PATCH', '/users/user_1/spaces', 'GET'],
  ['OPTIONS', '/items', 'POST'],
])('%s %s is answered 405 with what is allowed', async (method, path, allowed) => {
  const answer = await call(await testService(), method, path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
});

test.each(['/', '/nothing', '/items/', '/items/a/b', '/users/user_1', '/users//spaces', '/v1/items'])(
  '%s is answered 404',
  async (path) => expect((await call(await testService(), 'PUT', path, {})).status).toBe(404),
);

test.each(['/items/%', '/items/%zz', '/items/%ff', '/items/%e2%82'])(
  '%s is answered 400: its escape is no text',
  async (path) => {
    const answer = await call(await testService(), 'PUT', path, { ...plain, attributes: [] });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('escape') } },
    });
  },
);

test.each([
  ['text/plain', 415],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ['application/json; charset=latin1', 415],
  ['application/jsonp', 415],
])('the content type %s is answered %i', async (type, status) => {
  const answer = await call(await testService(), 'POST', '/items', plain, { 'content-type': type });
  expect(answer.status).toBe(status);
});

test('a compressed body is refused', async () => {
  const answer = await call(await testService(), 'POST', '/items', plain, { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(415);
});

test.each([
  ['', 'not JSON'],
  ['{"name": "x",}', 'not JSON'],
  ['{"a":1} {"b":2}', 'not JSON'],
  ['null', 'not valid'],
  ['[]', 'not valid'],
  ['['.repeat(100_000), 'not JSON'],
])('the body %j is answered 400', async (body, reason) => {
  const answer = await call(await testService(), 'POST', '/classifiers', body.slice(0));
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(reason) } });
});

test('a body that is not UTF-8 is answered 400', async () => {
  const { port } = await testService();
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  const answer = await sendBytes(
    port,
    Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]),
  );
  expect(answer).toContain('HTTP/1.1 400 ');
  expect(answer).toContain('UTF-8');
});

test('a body of 1 MiB is read and one byte more is answered 413, with and without its length', async () => {
  const service = await testService();
  const sized = (size: number): string => {
    const empty = JSON.stringify({ ...plain, createdAt: '' });
    return JSON.stringify({ ...plain, createdAt: 'x'.repeat(size - empty.length) });
  };
  expect((await call(service, 'POST', '/items', sized(1024 * 1024))).status).toBe(200);
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunked = (size: number) => `${head('Transfer-Encoding: chunked')}${chunk(sized(size))}0\r\n\r\n`;
  expect(await sendBytes(service.port, chunked(1024 * 1024))).toContain('HTTP/1.1 200 ');
  expect(await sendBytes(service.port, head(`Content-Length: ${1024 * 1024 + 1}`))).toContain(
    'HTTP/1.1 413 ',
  );
  expect(await sendBytes(service.port, chunked(1024 * 1024 + 1))).toContain('HTTP/1.1 413 ');
});

test('a failure of the service itself is reported to its owner and not to the caller', async () => {
  const failures: unknown[] = [];
  const service = await testService({
    ids: () => {
      if (failures.length === 0) return 'id';
      throw new Error('secret detail');
    },
    onError: (error) => failures.push(error),
  });
  failures.push('armed');
  const answer = await call(service, 'POST', '/items', plain);
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain('secret');
  expect(failures).toEqual(['armed', new Error('secret detail')]);
});

test('close answers what is under way, then takes nothing more', async () => {
  const service = await testService();
  const body = JSON.stringify(plain);
  const bytes = head(`Content-Length: ${body.length}`);
  const socket = createConnection(service.port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  // Half of the body: the request has begun once the service asks for the rest with 100.
  socket.write(bytes.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
  expect(await answer).toContain('100 Continue');
  const rest = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  const closing = service.close();
  socket.write(body);
  expect(await rest).toContain('HTTP/1.1 200 ');
  await closing;
  await expect(fetch(service.url)).rejects.toThrow();
  await service.close();
});

test('a taken port is a reason that is told', async () => {
  const { port } = await testService();
  await expect(testService({ port })).rejects.toThrow(`127.0.0.1:${port}`);
});

function head(framing: string): string {
  const lines = ['POST /api/items HTTP/1.1', 'Host: localhost', `Authorization: ${designer}`];
  return [...lines, 'Content-Type: application/json', framing, '', ''].join('\r\n');
}
