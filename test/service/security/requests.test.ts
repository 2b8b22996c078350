import { describe, expect, test } from 'vitest';
import { call, designer, rival, testService } from '../../rig/embedded-service.ts';
import { rawExchange, rawRequest } from '../../rig/raw-exchange.ts';

const sword = { id: 'sword', name: 'Sword', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };
const update = { name: 'Blade', rollNumerator: 2, attributes: [] };
const secret = 'c2VjcmV0OnNlY3JldA';

describe('what is no HTTP', () => {
  test.each([
    ['garbage', `\x16\x03\x01 ${secret}\r\n\r\n`, 400],
    ['a method that does not exist', `STEAL /${secret} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ['another version', `GET /${secret} HTTP/9.9\r\nHost: x\r\n\r\n`, 400],
    ['no host', `GET /${secret} HTTP/1.1\r\n\r\n`, 400],
    ['a header with a space in its name', `GET / HTTP/1.1\r\nHost: x\r\n${secret} y: z\r\n\r\n`, 400],
    ['a NUL in a header', `GET / HTTP/1.1\r\nHost: x\r\nA: ${secret}\0\r\n\r\n`, 400],
    ['a length that is none', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${secret}\r\n\r\n`, 400],
    [
      'two lengths',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n${secret}`,
      400,
    ],
    [
      'a length beside chunks',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${secret}`,
      400,
    ],
    ['headers of 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${secret.repeat(1000)}\r\n\r\n`, 431],
    ['a path of 16 KiB', `GET /api/items/${secret.repeat(1000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('%s is answered without detail and closed', async (_, bytes, status) => {
    const service = await testService();
    const { received } = await rawExchange(service.port, bytes);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received).toMatch(/^connection: close$/im);
    expect(received).not.toContain(secret);
    // Nothing, or the end mark of a body in chunks.
    expect(received.split('\r\n\r\n')[1]).toMatch(/^0?$/);
    expect((await call(service, 'GET', '/users/user_1/spaces')).status).toBe(200);
  });

  test('the size of headers is a setting', async () => {
    const service = await testService({ limits: { maxHeaderSize: 600 } });
    const request = (size: number) =>
      rawRequest('POST', '/api/items', JSON.stringify(sword), {
        Authorization: designer,
        X: 'x'.repeat(size),
      });
    expect((await rawExchange(service.port, request(10))).received).toMatch(/^HTTP\/1.1 200 /);
    expect((await rawExchange(service.port, request(600))).received).toMatch(/^HTTP\/1.1 431 /);
  });

  test('a body in broken chunks stores nothing', async () => {
    const service = await testService();
    const body = JSON.stringify(sword);
    const head = `POST /api/items HTTP/1.1\r\nHost: x\r\nAuthorization: ${designer}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { received } = await rawExchange(
      service.port,
      `${head}${body.length.toString(16)}\r\n${body}\r\nZZ\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1.1 400 /);
    expect(service.ledger()).toEqual([]);
  });

  test.each(['*', 'http://[/api/items', 'x', '//', 'http://elsewhere.example/api/items', '/api\\items'])(
    'the target %s harms nobody',
    async (target) => {
      const service = await testService();
      const request = rawRequest('OPTIONS', target, '', { Authorization: designer });
      expect((await rawExchange(service.port, request)).received).toMatch(/^HTTP\/1.1 40[045] /);
    },
  );
});

describe('an id in a path', () => {
  test.each([
    ['%00', 400],
    ['sword%00', 400],
    ['sword%00x', 400],
    ['%ff', 400],
    ['sword%', 400],
    ['%C0%AE', 400],
    ['%ED%A0%80', 400],
    ['sword%2F..%2Fsword', 404],
    ['sword%20', 404],
    ['%73word', 200],
    ['SWORD', 404],
    ['s%F0%9F%97%A1', 404],
    ['x'.repeat(191), 404],
    ['x'.repeat(10_000), 404],
    ["'%20OR%201=1--", 404],
    ['%25', 404],
  ])('%s is answered %i', async (id, status) => {
    const service = await testService();
    await call(service, 'POST', '/items', sword);
    expect((await call(service, 'PUT', `/items/${id}`, update)).status).toBe(status);
    const updated = status === 200 ? 1 : 0;
    expect(service.ledger()).toMatchObject([{ id: 'sword', updatedTimes: updated }]);
  });
});

describe("another team's ids", () => {
  /** Status, headers but for their date, and body. */
  async function whole(url: string, method: string, path: string, body?: object) {
    const headers = { authorization: rival, 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const seen = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers: seen, body: await response.text() };
  }

  test.each([
    ['PUT', '/items/ID', update, 'sword'],
    ['PUT', '/classifiers/ID', { name: 'R' }, undefined],
    ['GET', '/users/ID/spaces', undefined, 'user_1'],
  ])('%s %s: the whole answer is that for an id of nobody', async (method, path, body, id) => {
    const service = await testService();
    await call(service, 'POST', '/items', sword);
    await call(service, 'POST', '/classifiers', { name: 'R', classifierOptions: [] });
    const theirs = service.ledger().find(({ kind }) => kind === 'classifier')?.id ?? '';
    const asked = id ?? theirs;
    const nobody = 'n'.repeat(asked.length);
    const foreign = await whole(service.url, method, path.replace('ID', asked), body);
    const unknown = await whole(service.url, method, path.replace('ID', nobody), body);
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(unknown);
  });
});

test('a failure of the service names nothing of the request, neither to its caller nor in its trace', async () => {
  const failures: unknown[] = [];
  let failing = false;
  const ids = () => {
    if (failing) throw new Error('no more ids');
    return 'id';
  };
  const service = await testService({ ids, onError: (error) => failures.push(error) });
  failing = true;
  const answer = await call(service, 'POST', '/classifiers', { name: secret, classifierOptions: [] });
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain('no more');
  const told = failures.map((failure) => (failure as Error).stack).join('\n');
  expect(told).toContain('no more ids');
  for (const part of [secret, designer, 'correct horse']) expect(told).not.toContain(part);
});
