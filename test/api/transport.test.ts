import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import type { Reply } from '../../src/api/outcome.ts';
import { createTransport, defaultTimeouts, ExchangeHandler, readProxies } from '../../src/api/transport.ts';
import { answer, type Play, startRawServer } from './raw-server.ts';
import { createTestClient } from './test-client.ts';

const origin = 'http://game.example';

test('the proxy settings come from the usual variables', () => {
  const settings = readProxies(origin, { HTTP_PROXY: 'a:1', http_proxy: 'http://b:2', NO_PROXY: 'x' });
  expect(settings).toEqual({ httpProxy: 'http://b:2', httpsProxy: '', noProxy: 'x' });
});

test.each([
  ['a client without an environment', origin, undefined],
  ['an empty variable', origin, { HTTP_PROXY: '' }],
  ['127.0.0.1', 'http://127.0.0.1:1', { HTTP_PROXY: 'http://p:1' }],
  ['localhost', 'https://LOCALHOST', { HTTPS_PROXY: 'http://p:1' }],
  ['::1', 'http://[::1]:80', { HTTP_PROXY: 'http://p:1' }],
])('no proxy is used for %s', (_, at, environment) => {
  expect(readProxies(at, environment)).toEqual({ httpProxy: '', httpsProxy: '', noProxy: '' });
});

test('a host name that only starts like a loopback address uses the proxy', () => {
  const settings = readProxies('http://127.0.0.1.example', { HTTP_PROXY: 'http://p:1' });
  expect(settings).toMatchObject({ httpProxy: 'http://p:1' });
});

test.each([
  ['ftp://p'],
  // undici can't decode it.
  ['http://user:50%@p:1'],
])('an unusable proxy variable (%s) refuses every request with its name', async (HTTPS_PROXY) => {
  await using rig = createTestClient('https://game.example/api', { proxyFromEnvironment: { HTTPS_PROXY } });
  const outcome = await rig.create();
  const error = { reason: 'proxy', code: 'INVALID_HTTPS_PROXY', attempts: 1 };
  expect(outcome).toMatchObject({ kind: 'refused', error });
});

test('credentials that a proxy repeats are redacted', async () => {
  const password = 'Pr0xy/SecretWord77';
  const basic = Buffer.from(`corp:${password}`).toString('base64');
  const tunnel: Play = 'HTTP/1.1 200 Connection established\r\n\r\n';
  const place = [`Location: http://login.corp/?u=${encodeURIComponent(`corp:${password}`)}`];
  await using proxy = await startRawServer(
    tunnel,
    answer(407, `denied: corp:${password}, Basic ${basic}`, place),
  );
  const HTTP_PROXY = `http://corp:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`;
  await using rig = createTestClient('http://game.example/api', { proxyFromEnvironment: { HTTP_PROXY } });
  const outcome = await rig.create();
  expect(proxy.requests[0]?.headers).toMatchObject({ 'proxy-authorization': `Basic ${basic}` });
  const text = JSON.stringify(outcome);
  expect(text).toContain('denied: corp:[redacted]');
  expect([text.includes('SecretWord'), text.includes(basic)]).toEqual([false, false]);
});

test('requests go through the proxy', async () => {
  const tunnel: Play = 'HTTP/1.1 200 Connection established\r\n\r\n';
  await using proxy = await startRawServer(tunnel, answer(401, 'no'));
  await using rig = createTestClient('http://game.example/api', {
    proxyFromEnvironment: { HTTP_PROXY: `127.0.0.1:${proxy.port}` },
  });
  const outcome = await rig.create();
  expect(outcome).toMatchObject({ kind: 'refused', error: { status: 401 } });
  const [connect, create] = proxy.requests;
  expect(connect?.line).toBe('CONNECT game.example:80 HTTP/1.1');
  expect(connect?.headers).not.toHaveProperty('authorization');
  expect(create?.line).toBe('POST /api/classifiers HTTP/1.1');
});

test.each([true, false])(
  'after a long wait for a connection, a call asks whether it may go on: %s',
  async (may) => {
    await using proxy = await startRawServer(
      (socket) => {
        rig.clock.now += 2000;
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      },
      answer(401, 'no'),
    );
    await using rig = createTestClient('http://game.example/api', {
      proxyFromEnvironment: { HTTP_PROXY: `127.0.0.1:${proxy.port}` },
    });
    const outcome = await rig.create({ mayGoOn: async () => may });
    expect(outcome).toMatchObject({
      kind: 'refused',
      error: may ? { status: 401 } : { reason: 'interrupted', notTaken: true },
    });
    const [, create] = proxy.requests;
    expect(create?.headers['content-length']).toBe(may ? '40' : undefined);
  },
);

test('a proxy that closes the connection is asked once for each attempt', async () => {
  await using proxy = await startRawServer((socket) => socket.end());
  await using rig = createTestClient('http://game.example/api', {
    proxyFromEnvironment: { HTTP_PROXY: `127.0.0.1:${proxy.port}` },
    retry: { maxAttempts: 2 },
  });
  const outcome = await rig.create();
  expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'unreachable', notTaken: true } });
  expect(proxy.requests).toHaveLength(2);
});

test('nothing is sent if the proxy opens no connection', async () => {
  await using proxy = await startRawServer(answer(403, ''));
  await using rig = createTestClient('https://game.example/api', {
    proxyFromEnvironment: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
    retry: { maxAttempts: 1 },
  });
  const outcome = await rig.create();
  expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'unreachable', notTaken: true } });
});

test('the transport does not read the environment of this process', async () => {
  await using proxy = await startRawServer(answer(500, ''));
  const before = process.env.HTTP_PROXY;
  process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
  try {
    const proxyFromEnvironment = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'no-such-host.invalid' };
    const transport = createTransport({
      origin: 'http://no-such-host.invalid',
      connections: 1,
      timeouts: defaultTimeouts,
      proxyFromEnvironment,
    });
    const request = { method: 'GET', path: '/', headers: {}, body: null, fresh: true } as const;
    expect(await transport.send({ ...request, signal: undefined })).toMatchObject({ sent: false });
    expect(proxy.requests).toHaveLength(0);
    await transport.close();
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
  }
});

/** A handler, what it replied, and connections on which undici starts it. */
function createExchange() {
  const replies: Reply[] = [];
  const handler = new ExchangeHandler((reply) => replies.push(reply));
  const start = () => {
    const aborts: Error[] = [];
    const state = { aborted: false, paused: false, reason: null, pause: () => {}, resume: () => {} };
    const abort = (reason: Error) => aborts.push(reason);
    const controller: Dispatcher.DispatchController = { ...state, abort };
    handler.onRequestStart(controller);
    return { aborts, controller };
  };
  return { handler, replies, start };
}

test('a request that is abandoned while it connects is not sent', () => {
  const { handler, replies, start } = createExchange();
  handler.stop(new Error('given up'));
  const { aborts } = start();
  expect(replies).toMatchObject([{ sent: false }]);
  expect(aborts).toHaveLength(1);
});

test('a request that undici starts on a second connection is stopped there', () => {
  const { handler, replies, start } = createExchange();
  const [first, second] = [start(), start()];
  expect([first.aborts.length, second.aborts.length]).toEqual([0, 1]);
  handler.onResponseError(second.controller, new Error('stopped'));
  expect(replies).toMatchObject([{ sent: true }]);
});

test('a response that arrives before its request is sent does not count', async () => {
  const { handler, replies, start } = createExchange();
  handler.hold('{}', async () => true);
  const { aborts, controller } = start();
  handler.onResponseStart(controller, 200, {});
  expect(replies).toMatchObject([{ sent: false, error: { code: 'UND_ERR_SOCKET' } }]);
  expect(aborts).toHaveLength(1);
});

test('an informational response does not count as the response', () => {
  const { handler, replies, start } = createExchange();
  const { controller } = start();
  handler.onResponseStart(controller, 103, {});
  handler.onResponseError(controller, new Error('gone'));
  handler.onResponseError(controller, new Error('gone again'));
  expect(replies).toMatchObject([{ sent: true }]);
  expect(replies[0]?.status).toBeUndefined();
  expect(replies).toHaveLength(1);
});
