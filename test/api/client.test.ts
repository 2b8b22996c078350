import { expect, test } from 'vitest';
import { answer, startRawServer } from './raw-server.ts';
import { classifier, classifierBody, createTestClient, password, playing } from './test-client.ts';

const good = answer(200, JSON.stringify(classifier));
const refused = answer(404, '');

test('the client sends a planned request unchanged, whatever its kind', async () => {
  await using rig = await playing([good, good, refused]);
  const options = { repeatable: false };
  const create = { method: 'POST', path: '/classifiers', body: classifierBody } as const;
  const update = { method: 'PUT', path: '/classifiers/a%2Fb', body: { name: 'Rarity' } } as const;
  const item = { method: 'PUT', path: '/items/a', body: {} } as const;
  const answered = { kind: 'answered', status: 200, body: classifier };
  expect(await rig.client.write(create, 'classifier', options)).toEqual(answered);
  expect(await rig.client.write(update, 'classifier', options)).toEqual(answered);
  const error = { operation: 'updateItem', method: 'PUT', path: '/items/a', baseUrl: rig.baseUrl };
  expect(await rig.client.write(item, 'item', options)).toMatchObject({ kind: 'refused', error });
  expect(rig.requests.map(({ line, body }) => [line, body])).toEqual([
    ['POST /api/classifiers HTTP/1.1', JSON.stringify(create.body)],
    ['PUT /api/classifiers/a%2Fb HTTP/1.1', '{"name":"Rarity"}'],
    ['PUT /api/items/a HTTP/1.1', '{}'],
  ]);
});

test('the client throws an internal error without the credentials', async () => {
  await using server = await startRawServer(good);
  const broken = () => {
    throw new Error(`no clock for ${password}`);
  };
  await using rig = createTestClient(server.baseUrl, { now: broken });
  const sending = rig.update();
  await expect(sending).rejects.toThrow('no clock for [redacted]');
  await sending.catch((error) => expect(error.stack).not.toContain(password));
});

test('a response for the other kind of record leaves the outcome unknown', async () => {
  await using rig = await playing([good]);
  const create = { method: 'POST', path: '/items', body: {} } as const;
  const outcome = await rig.client.write(create, 'item', { repeatable: false });
  expect(outcome).toMatchObject({ kind: 'unseen', error: { reason: 'unreadable', status: 200 } });
});

test('an ID is one path segment, even if the base URL ends in a slash', async () => {
  await using server = await startRawServer(refused);
  await using rig = createTestClient(`${server.baseUrl}/`);
  await rig.client.listUserSpaces('a/../é?#');
  expect(server.requests[0]?.line).toBe('GET /api/users/a%2F..%2F%C3%A9%3F%23/spaces HTTP/1.1');
  expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
});

test('one signal serves many calls without a warning', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on('warning', listen);
  await using rig = await playing([good]);
  const { signal } = new AbortController();
  const ids = Array.from({ length: 40 }, (_, n) => `id_${n}`);
  await Promise.all(ids.map((id) => rig.update(id, { signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listen);
  expect(warnings).toEqual([]);
  expect(rig.requests).toHaveLength(40);
});

test('closing the client does not wait for an abandoned connection', async () => {
  // It never answers the beginning of TLS, and the time limit for that is longer than a test may take.
  await using server = await startRawServer(good);
  const rig = createTestClient(`https://127.0.0.1:${server.port}/api`, { timeouts: { connectMs: 600_000 } });
  const controller = new AbortController();
  const outcome = rig.create({ signal: controller.signal });
  setImmediate(() => controller.abort());
  expect(await outcome).toMatchObject({ kind: 'refused', error: { reason: 'interrupted' } });
  await rig.client.close();
  expect(server.requests).toHaveLength(0);
});

test('after a wait, the client sends nothing more if the call may not go on', async () => {
  const later = answer(429, '', ['retry-after: 12']);
  await using rig = await playing([later, later, good]);
  const asked: number[] = [];
  const mayGoOn = async () => asked.push(rig.requests.length) < 2;
  const outcome = await rig.create({ mayGoOn });
  expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'interrupted' } });
  expect([asked, rig.requests.length]).toEqual([[1, 2], 2]);
});

test('a long time in the queue counts as a wait', async () => {
  const later = answer(429, '', ['retry-after: 12']);
  const asleep: (() => void)[] = [];
  const clock = { now: 0 };
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      asleep.push(() => {
        clock.now += ms;
        wake();
      });
    });
  await using rig = await playing([later, good], { parallel: 1, now: () => clock.now, sleep });
  const first = rig.create();
  while (asleep.length === 0) await new Promise(setImmediate);
  const queued = rig.create({ mayGoOn: async () => false });
  for (let at = 0; at < 2; ) {
    await new Promise(setImmediate);
    if (asleep[at]) asleep[at++]?.();
  }
  expect(await queued).toMatchObject({ kind: 'refused', error: { reason: 'interrupted' } });
  expect(await first).toMatchObject({ kind: 'answered' });
  expect(rig.requests).toHaveLength(2);
});
