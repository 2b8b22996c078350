import { createConnection } from 'node:net';
import { expect, test } from 'vitest';
import { call, designer, testService } from '../../rig/embedded-service.ts';
import { rawExchange } from '../../rig/raw-exchange.ts';

const limits = {
  headersTimeout: 200,
  requestTimeout: 400,
  keepAliveTimeout: 200,
  connectionsCheckingInterval: 20,
};
const head = (framing: string) =>
  ['POST /api/items HTTP/1.1', 'Host: x', `Authorization: ${designer}`, framing, ''].join('\r\n');

/** Sends one byte after another for as long as the other side listens; gives all that it answered. */
function drip(port: number, first: string, byte: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = createConnection(port, '127.0.0.1');
    socket.write(first);
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
  ['a body with its length', `${head('Content-Type: application/json\r\nContent-Length: 5000')}\r\n`, ' '],
  [
    'a body in chunks',
    `${head('Content-Type: application/json\r\nTransfer-Encoding: chunked')}\r\n`,
    '1\r\n \r\n',
  ],
])('a client that drips %s is answered 408 and cut off', async (_, first, byte) => {
  const service = await testService({ limits });
  const answer = await drip(service.port, first, byte);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(service.ledger()).toEqual([]);
  expect((await call(service, 'GET', '/users/user_1/spaces')).status).toBe(200);
});

test('a client that says nothing is cut off', async () => {
  const service = await testService({ limits });
  expect((await rawExchange(service.port)).received).toMatch(/^(HTTP\/1.1 408 |$)/);
});

test('a client that keeps its connection and says nothing more is cut off without an answer', async () => {
  const service = await testService({ limits });
  const request = `GET /api/users/user_1/spaces HTTP/1.1\r\nHost: x\r\nAuthorization: ${designer}\r\n\r\n`;
  const { received } = await rawExchange(service.port, request);
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

test('a client that goes away in the middle of its body is no failure of the service', async () => {
  const service = await testService();
  await new Promise<void>((resolve) => {
    const socket = createConnection(service.port, '127.0.0.1', () => {
      socket.write(
        `${head('Content-Type: application/json\r\nContent-Length: 100')}Expect: 100-continue\r\n\r\n`,
      );
    });
    socket.on('data', () => socket.resetAndDestroy());
    socket.on('close', () => resolve());
  });
  await expect.poll(() => service.log.entries()[0]?.outcome, { timeout: 20_000 }).toBe('answered');
  expect(service.ledger()).toEqual([]);
});
