import { createConnection } from 'node:net';
import { describe, expect, test } from 'vitest';
import { designer, rawExchange, rawRequest, rival, testService, world } from '../rig/embedded-service.ts';
import { client, plain, rarity, update } from './client.ts';

const sword = { ...plain, id: 'sword' };
const secret = 'c2VjcmV0OnNlY3JldA';
const start = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\n`;
const post = `${start('POST /api/items')}Authorization: ${designer}\r\nContent-Type: application/json\r\n`;

test('an unsupported method gets 405 with the allowed ones', async () => {
  const { ask } = await client();
  for (const [method, path, allowed] of [
    ['GET', '/items', 'POST'],
    ['DELETE', '/items/x', 'PUT'],
    ['GET', '/classifiers', 'POST'],
    ['POST', '/classifiers/x', 'PUT'],
    ['PATCH', '/users/user_1/spaces', 'GET'],
    ['OPTIONS', '/items', 'POST'],
  ] as const) {
    const { status, headers } = await ask(method, path);
    expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allowed]);
  }
});

test('a path must be one of the five, with an ID that exists', async () => {
  const { createItem, service, status } = await client();
  await createItem({ id: 'sword' });
  const unknown = ['/', '/nothing', '/items/', '/items/a/b', '/users/user_1', '/users//spaces', '/v1/items'];
  for (const path of unknown) expect(await status('PUT', path, {}), path).toBe(404);
  const notText = '% %zz %00 sword%00 sword%00x %ff sword% %C0%AE %ED%A0%80 %e2%82'.split(' ');
  for (const id of notText) expect(await status('PUT', `/items/${id}`, update), id).toBe(400);
  const nobody = ['sword%2F..%2Fsword', 'sword%20', 'SWORD', 's%F0%9F%97%A1', "'%20OR%201=1--", '%25'];
  for (const id of [...nobody, 'x'.repeat(191), 'x'.repeat(10_000)])
    expect(await status('PUT', `/items/${id}`, update), id).toBe(404);
  expect(service.ledger()).toMatchObject([{ id: 'sword', updatedTimes: 0 }]);
  expect(await status('PUT', '/items/%73word', update)).toBe(200);
});

test.each([
  ['PUT', '/items/ID', update, 'sword'],
  ['PUT', '/classifiers/ID', { name: 'R' }, 'id_0'],
  ['GET', '/users/ID/spaces', undefined, 'user_1'],
])(
  "%s %s returns the same response for another team's ID as for an unknown one",
  async (method, path, body, id) => {
    const service = await client();
    await service.createClassifier('R');
    await service.createItem({ id: 'sword' });
    const answers = [id, 'n'.repeat(id.length)].map(async (asked) => {
      const { status, headers, text } = await service.ask(method, path.replace('ID', asked), body, rival);
      return { status, text, headers: [...headers].filter(([name]) => name !== 'date') };
    });
    const [foreign, unknown] = await Promise.all(answers);
    expect(foreign).toMatchObject({ status: 404 });
    expect(foreign).toEqual(unknown);
  },
);

test('a failure of the service reveals nothing of the request in its response or trace', async () => {
  const failures: Error[] = [];
  const ids = () => {
    throw new Error('no more ids');
  };
  const onError = (error: unknown) => void failures.push(error as Error);
  const { ask } = await client({}, { ids, onError });
  const answer = await ask('POST', '/classifiers', rarity(secret));
  expect([answer.status, failures.length]).toEqual([500, 1]);
  expect(answer.text).not.toContain('no more');
  const told = failures[0]?.stack ?? '';
  expect(told).toContain('no more ids');
  for (const part of [secret, designer, 'correct horse']) expect(told).not.toContain(part);
});

describe('a malformed request', () => {
  const head = start(`GET /${secret}`);
  test('gets a response without details, and its connection is closed', async () => {
    const service = await client();
    for (const [bytes, status] of [
      [`\x16\x03\x01 ${secret}\r\n\r\n`, 400],
      [`STEAL /${secret} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
      [`GET /${secret} HTTP/9.9\r\nHost: x\r\n\r\n`, 400],
      [`GET /${secret} HTTP/1.1\r\n\r\n`, 400],
      [`${head}${secret} y: z\r\n\r\n`, 400],
      [`${head}A: ${secret}\0\r\n\r\n`, 400],
      [`${start('POST /')}Content-Length: ${secret}\r\n\r\n`, 400],
      [`${start('POST /')}Content-Length: 1\r\nContent-Length: 2\r\n\r\n${secret}`, 400],
      [`${start('POST /')}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${secret}`, 400],
      [`${head}A: ${secret.repeat(1000)}\r\n\r\n`, 431],
      [`${start(`GET /api/items/${secret.repeat(1000)}`)}\r\n`, 431],
    ] as const) {
      const { received } = await rawExchange(service.service.port, bytes);
      expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*^connection: close$`, 'im'));
      expect(received).not.toContain(secret);
      // Nothing, or the end mark of a body in chunks.
      expect(received.split('\r\n\r\n')[1]).toMatch(/^0?$/);
      expect(await service.status('GET', '/users/user_1/spaces')).toBe(200);
    }
  });

  test('with broken chunks or a strange target stores nothing', async () => {
    const { port, ledger } = await testService();
    const body = JSON.stringify(sword);
    const chunks = `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\nZZ\r\n`;
    expect((await rawExchange(port, chunks)).received).toMatch(/^HTTP\/1.1 400 /);
    const targets = '* http://[/api/items x // http://elsewhere.example/api/items /api\\items'.split(' ');
    for (const target of targets) {
      const request = rawRequest('OPTIONS', target, '', { Authorization: designer });
      expect((await rawExchange(port, request)).received).toMatch(/^HTTP\/1.1 40[045] /);
    }
    expect(ledger()).toEqual([]);
  });
});

describe('a slow client', () => {
  const timeouts = { headersTimeout: 200, requestTimeout: 400, keepAliveTimeout: 200 };
  const limits = { ...timeouts, connectionsCheckingInterval: 20 };

  /** Sends one byte after another for as long as the other side listens; gives all that it answered. */
  function drip(port: number, first: string, byte: string): Promise<string> {
    return new Promise((resolve) => {
      let received = '';
      const socket = createConnection(port, '127.0.0.1', () => socket.write(first));
      const timer = setInterval(() => socket.write(byte), 5);
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        resolve(received);
      });
    });
  }

  test.each([
    ['headers', 'POST /api/items HTTP/1.1\r\nX-Slow: ', 'a'],
    ['a body with its length', `${post}Content-Length: 5000\r\n\r\n`, ' '],
    ['a body in chunks', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ])('that sends %s byte by byte gets 408 and is cut off', async (_, first, byte) => {
    const service = await client({}, { limits });
    // The time may end in the middle of a chunk, which Node answers with 400.
    expect(await drip(service.service.port, first, byte)).toMatch(/^HTTP\/1.1 40[08] /);
    expect(service.service.ledger()).toEqual([]);
    expect(await service.status('GET', '/users/user_1/spaces')).toBe(200);
  });

  test('that sends nothing, or nothing more, is cut off', async () => {
    const { port } = await testService({ limits });
    expect((await rawExchange(port)).received).toMatch(/^(HTTP\/1.1 408 |$)/);
    const request = `${start('GET /api/users/user_1/spaces')}Authorization: ${designer}\r\n\r\n`;
    const { received } = await rawExchange(port, request);
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  test('that disconnects in the middle of its body causes no failure', async () => {
    const service = await client();
    const { port, ledger } = service.service;
    await new Promise<void>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => {
        socket.write(`${post}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`);
      });
      socket.on('data', () => socket.resetAndDestroy());
      socket.on('close', () => resolve());
    });
    expect(await service.status('GET', '/users/user_1/spaces')).toBe(200);
    expect(ledger()).toEqual([]);
  });
});

test('close answers requests in progress and accepts no others', async () => {
  const service = await testService({ world });
  const body = JSON.stringify(plain);
  const socket = createConnection(service.port, '127.0.0.1');
  const next = () => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  const answer = next();
  // Half of the request: it has begun once the service asks for the rest with 100.
  socket.write(`${post}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`);
  expect(await answer).toContain('100 Continue');
  const rest = next();
  const closing = service.close();
  socket.write(body);
  expect(await rest).toContain('HTTP/1.1 200 ');
  await closing;
  await expect(fetch(service.url)).rejects.toThrow();
  await service.close();
});
