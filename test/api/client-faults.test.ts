import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answer, hangUp, type Play, reset, stall, startRawServer } from './raw-server.ts';
import { classifier, classifierBody, createTestClient, playing } from './test-client.ts';

const json = (status: number, value: unknown) => answer(status, JSON.stringify(value));
const good = json(200, classifier);
const goodItem = json(200, {
  id: 'id_9',
  name: 'Sword',
  thumbnail: null,
  rollNumerator: 1,
  createdAt: 'x',
  updatedAt: null,
  teamId: 'team_7',
  classifiers: [],
  attributes: [],
});
const CONTINUE = 'HTTP/1.1 100 Continue\r\nX-Why: none\r\n\r\n';
const c1Named = { reason: 'unreadable', answeredIds: ['c1'] };
const saysNo = { status: 422, answeredIds: ['id_1'], problem: { code: 'refusal-with-record' } };
const timeouts = { headersMs: 600, idleMs: 600, connectMs: 1000, answerMs: 1500 };

const drip: Play = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
  const timer = setInterval(() => socket.write(' '), 20);
  socket.on('close', () => clearInterval(timer));
};
const hugeAnswer: Play = (socket) => {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${17 * 1024 * 1024}\r\n\r\n`);
  socket.write(Buffer.alloc(17 * 1024 * 1024, ' '));
};

/** An answer that breaks off in its body. */
const broken =
  (status: number, body: string, header = ''): Play =>
  (socket) =>
    socket.end(`HTTP/1.1 ${status} OK\r\nContent-Length: 99\r\n${header}\r\n${body}`);
/** The whole record behind its length and another header. */
const withHeader = (header: string) => {
  const body = JSON.stringify(classifier);
  const lines = ['HTTP/1.1 200 OK', 'Content-Length: LENGTH', header].join('\r\n');
  return `${lines.replaceAll('LENGTH', `${body.length}`)}\r\n\r\n${body}`;
};
const packed = (bytes: Buffer) => answer(200, bytes, ['Content-Encoding: gzip']);
const damaged = (coding: string, bytes: Buffer) =>
  answer(200, Buffer.from(bytes).fill(0x55, bytes.length - 1), [`Content-Encoding: ${coding}`]);
const record = JSON.stringify(classifier);
const id1Named = { problem: { code: 'not-read' }, answeredIds: ['id_1'] };
const place = '/api/classifiers/c1';
const huge = `{"id":"x","id":"${'y'.repeat(9_000_000)}"}`;

function packedTimes(times: number): Buffer {
  return Array.from({ length: times }).reduce<Buffer>((body) => gzipSync(body), Buffer.from('{"id":"c1"}'));
}

/** Every way in which a create can go wrong after the service has it. */
const unseen: readonly (readonly [string, Play, object])[] = [
  ['reset', reset, { reason: 'disconnected' }],
  ['closed without an answer', hangUp, { reason: 'disconnected' }],
  ['no answer', stall, { reason: 'timeout' }],
  ['headers only', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { reason: 'timeout', status: 200 }],
  ['an answer that drips for ever', drip, { reason: 'timeout' }],
  ['truncated', broken(200, '{"id"'), { reason: 'disconnected', status: 200 }],
  ['17 MiB', hugeAnswer, { reason: 'oversized' }],
  ['not HTTP', 'SSH-2.0-server\r\n', { reason: 'unreadable' }],
  ['not JSON', answer(200, '<html><body>Welcome</body></html>'), { reason: 'unreadable', words: 'Welcome' }],
  ['not UTF-8', answer(200, Buffer.from([0x7b, 0xff, 0x7d])), { reason: 'unreadable' }],
  ['empty', answer(201, ''), { reason: 'unreadable', problem: { code: 'empty' } }],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', { reason: 'unreadable', status: 204 }],
  ['nested too deeply', answer(200, '['.repeat(100_000)), { reason: 'unreadable' }],
  ['an id that is a number', answer(200, '{"id":1}'), { reason: 'unreadable', answeredIds: ['1'] }],
  ['an envelope', answer(200, '{"data":{"id":"c1"}}'), c1Named],
  ['a list of one', answer(200, '[{"id":"c1","name":7}]'), c1Named],
  ['only where the record is', answer(201, '', [`Location: ${place}`]), { location: place }],
  ['truncated after the id', broken(200, '{ "id": "c1", "na'), { answeredIds: ['c1'] }],
  ['broken off behind its place', broken(201, '{"na', 'Content-Location: /c1\r\n'), { location: '/c1' }],
  ['packed and broken off', packed(gzipSync('{"id":"c1","name":"Rarity').subarray(0, -9)), c1Named],
  ['packed, and huge once unpacked', packed(gzipSync(`{"id":"c1","n":"${'x'.repeat(2 ** 24)}"}`)), c1Named],
  ['packed, its checksum wrong', damaged('gzip', gzipSync(record)), id1Named],
  ['packed by deflate, its checksum wrong', damaged('deflate', deflateSync(record)), id1Named],
  ['packed by brotli and damaged', damaged('br', brotliCompressSync(record)), id1Named],
  ...['deflate', 'br', 'gzip'].map((coding): (typeof unseen)[number] => [
    `not packed, but named ${coding}, and not UTF-8`,
    answer(200, Buffer.from('{"id":"c1","name":"Schl\u00fcssel"}', 'latin1'), [
      `Content-Encoding: ${coding}`,
    ]),
    c1Named,
  ]),
  ['packed twice and damaged', damaged('gzip, gzip', gzipSync(gzipSync(record))), id1Named],
  [
    'packed in more ways than anybody takes',
    answer(200, packedTimes(5), [`Content-Encoding: ${'gzip, '.repeat(4)}gzip`]),
    { reason: 'unreadable', words: expect.not.stringContaining('c1') },
  ],
  [
    'a header that is none, and the record behind it',
    `HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n${JSON.stringify(classifier)}`,
    { reason: 'unreadable', answeredIds: ['id_1'] },
  ],
  ...['Content-Length: LENGTH', 'Transfer-Encoding: chunked', 'X: a\0b', 'X y: z'].map(
    (header): (typeof unseen)[number] => [
      `the record behind a length and a header that contradicts it or is none, ${JSON.stringify(header)}`,
      withHeader(header),
      { reason: 'unreadable', answeredIds: ['id_1'] },
    ],
  ),
  ['one ID twice, the second of megabytes', answer(200, huge), { answeredIds: ['x', 'y'.repeat(500)] }],
  ['500 with the record', answer(500, '{"id":"c1"}'), { status: 500, answeredIds: ['c1'] }],
  ['a refusal with the whole record', json(418, classifier), { status: 418, answeredIds: ['id_1'] }],
  ['a delay with the whole record', json(429, classifier), { status: 429, answeredIds: ['id_1'] }],
  ['a refusal with the record in an envelope', json(422, { data: classifier }), saysNo],
  ['a refusal with the record, a field of it odd', json(422, { ...classifier, updatedAt: 7 }), saysNo],
  ['a refusal with what was sent, and an ID', json(400, { id: 'c1', name: 'Rarity' }), { status: 400 }],
  ['a refusal that leads to the record', answer(400, '', [`Location: ${place}`]), { location: place }],
  ['an id that is a path', json(200, { ...classifier, id: '..' }), { reason: 'unreadable' }],
  ['500', answer(500, 'boom'), { reason: 'status', status: 500, words: 'boom' }],
  ['503 with Retry-After', answer(503, '', ['Retry-After: 1']), { status: 503, retryAfterMs: 1000 }],
  ['redirect', answer(307, '', ['Location: http://elsewhere.example/']), { reason: 'redirect' }],
];

/** Answers, and stops this process until every limit of time is over: the answer is there, and nobody has read it. */
const answerAndStop: Play = (socket) => {
  socket.write(good);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeouts.answerMs + 100);
};

describe('a POST that can not be repeated', () => {
  test('has the answer that came while the process was stopped', async () => {
    await using rig = await playing([answerAndStop], { timeouts });
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
  });

  test.each(unseen)('%s: sent once, on a connection of its own, outcome unseen', async (_, play, error) => {
    await using rig = await playing([good, good, play, good], { timeouts });
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
    expect(await rig.update()).toMatchObject({ kind: 'answered' });
    expect(await rig.create()).toMatchObject({ kind: 'unseen', error: { ...error, attempts: 1 } });
    expect(rig.requests.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  test.each([400, 401, 403, 404, 409, 422])('%i: sent once and refused', async (status) => {
    await using rig = await playing([answer(status, '{"message":"No."}'), good]);
    const error = { status, words: 'No.', attempts: 1, notTaken: true };
    expect(await rig.create()).toMatchObject({ kind: 'refused', error });
    expect(rig.requests).toHaveLength(1);
  });

  test.each([
    ['an echo of the request', json(400, { message: 'No.', request: classifierBody })],
    ['an error with an ID', answer(400, '{"id":"invalid","message":"No.","name":"ValidationError"}')],
    ['the place of a page about it', answer(400, '', ['Location: /api/errors/7'])],
  ])('a refusal with %s is one', async (_, play) => {
    await using rig = await playing([play]);
    expect(await rig.create()).toMatchObject({ kind: 'refused' });
  });

  test.each([
    [
      'in a piece of its own',
      (socket: Socket) => socket.write(CONTINUE, () => setImmediate(() => socket.write(good))),
    ],
    [
      'twice, with a header, right before the answer',
      Buffer.concat([Buffer.from(`${CONTINUE}${CONTINUE}`), good]),
    ],
  ])('"100 Continue" that nobody asked for, %s, does not lose the answer', async (_, play) => {
    await using rig = await playing([play, good]);
    expect(await rig.create()).toMatchObject({ kind: 'answered', body: classifier });
    expect(rig.requests).toHaveLength(1);
  });

  test('a refusal counts even when its body breaks off', async () => {
    await using rig = await playing([broken(400, 'No'), good]);
    expect(await rig.create()).toMatchObject({ kind: 'refused', error: { status: 400, words: 'No' } });
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP, identity', gzipSync],
    ['gzip, deflate', gzipSync],
    ['gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
    ['none', gzipSync],
    ['deflate', deflateRawSync],
  ])('an answer that is packed without being asked (%s) is read', async (coding, pack) => {
    const packed = answer(200, pack(JSON.stringify(classifier)), [`Content-Encoding: ${coding}`]);
    await using rig = await playing([packed]);
    expect(await rig.create()).toMatchObject({ kind: 'answered', body: classifier });
    expect(rig.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  });

  test('a conflict may name the record that was there before: refused', async () => {
    await using rig = await playing([json(409, classifier)]);
    expect(await rig.create()).toMatchObject({ kind: 'refused', error: { answeredIds: ['id_1'] } });
  });

  test('429 is repeated after the time that it names', async () => {
    const busy = answer(429, 'slow down', ['Retry-After: 7']);
    const until = ['Retry-After: Thu, 01 Jan 2026 00:00:30 GMT', 'Date: Thu, 01 Jan 2026 00:00:20 GMT'];
    await using rig = await playing([busy, answer(429, '', until), good]);
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
    expect(rig.clock.slept).toEqual([7000, 10_000]);
    expect(rig.requests).toHaveLength(3);
  });

  test('429 that asks for more than the deadline is refused at once', async () => {
    await using rig = await playing([answer(429, 'tomorrow', ['Retry-After: 86400']), good]);
    expect(await rig.create()).toMatchObject({
      kind: 'refused',
      error: { status: 429, words: 'tomorrow' },
    });
    // The others are not held up by the day that the first one was told.
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
    expect(rig.clock.slept).toEqual([]);
  });

  test('429 without end is refused when the deadline comes', async () => {
    await using rig = await playing([answer(429, '')]);
    const outcome = await rig.create();
    expect(outcome).toMatchObject({ kind: 'refused', error: { status: 429, reason: 'status' } });
    expect(rig.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(120_000);
    expect(rig.requests.length).toBeGreaterThan(6);
  });

  test('a refused connection is tried again, then refused', async () => {
    const server = await startRawServer(good);
    await server.close();
    const delays: (number | undefined)[] = [];
    await using rig = createTestClient(server.baseUrl, {
      onAttempt: ({ againInMs }) => delays.push(againInMs),
    });
    const error = { reason: 'unreachable', code: 'ECONNREFUSED', attempts: 6, outcome: 'refused' };
    expect(await rig.create()).toMatchObject({ kind: 'refused', error });
    expect(delays).toEqual([125, 250, 500, 1000, 2000, undefined]);
  });

  test('an unknown host is refused', async () => {
    await using rig = createTestClient('http://no-such-host.invalid/api');
    const outcome = await rig.create();
    expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'unreachable', notTaken: true } });
  });

  test('TLS with a server that has none is refused: nothing was sent', async () => {
    await using server = await startRawServer(good);
    await using rig = createTestClient(`https://127.0.0.1:${server.port}/api`, {
      timeouts: { connectMs: 100 },
      retry: { maxAttempts: 1 },
    });
    expect(await rig.create()).toMatchObject({ kind: 'refused', error: { notTaken: true } });
    expect(server.requests).toHaveLength(0);
  });
});

describe('requests that may be repeated', () => {
  const names = ['reset', 'closed without an answer', 'no answer', 'truncated', 'not JSON', '500'];
  const transient = unseen.filter(([name]) => names.includes(name));

  test.each(transient)('after "%s", a PUT and an idempotent create', async (_, play) => {
    await using updating = await playing([play, good], { timeouts });
    expect(await updating.update()).toMatchObject({ kind: 'answered' });
    await using creating = await playing([play, goodItem], { timeouts });
    expect(await creating.createItem()).toMatchObject({ kind: 'answered' });
    expect([updating.requests.length, creating.requests.length]).toEqual([2, 2]);
  });

  test.each<[string, 'update' | 'createItem', readonly [Play, ...Play[]], string, object]>([
    [
      '409 to a create: an attempt before may have made it',
      'createItem',
      [reset, answer(409, '')],
      'unseen',
      { attempts: 2 },
    ],
    [
      'an ID that an attempt before named',
      'createItem',
      [answer(502, '{"id":"m"}'), reset],
      'unseen',
      { answeredIds: ['m'] },
    ],
    [
      '404 to a PUT after an unseen attempt, which may have been taken',
      'update',
      [reset, answer(404, '')],
      'unseen',
      { attempts: 2, status: 404 },
    ],
    ['a PUT that is never answered', 'update', [reset], 'unseen', { attempts: 6 }],
  ])('%s', async (_, method, plays, kind, error) => {
    await using rig = await playing(plays);
    expect(await rig[method]()).toMatchObject({ kind, error: { ...error, outcome: kind } });
  });

  test.each([
    ['a success', answer(200, '{"id":"made_1"}')],
    ['a failure', answer(500, '{"data":{"id":"made_1"}}')],
    ['a place', answer(201, '', ['Location: /api/items/made_1'])],
  ])('%s that names another ID than was asked for: not repeated', async (_, play) => {
    await using rig = await playing([play, goodItem]);
    const outcome = await rig.createItem('id_9');
    expect(outcome).toMatchObject({ kind: 'unseen', error: { attempts: 1, otherId: 'made_1' } });
    expect(rig.requests).toHaveLength(1);
  });

  test.each([
    ['a success that names another ID', answer(200, '{"id":"made_1"}'), 'made_1', 1],
    ['a place', answer(202, '', ['Location: /api/classifiers/made_1']), 'made_1', 1],
    ['a failure with a record', answer(500, '{"id":"made_1","name":"X","teamId":"t"}'), 'made_1', 1],
    ['a failure with an ID of its own', answer(500, '{"id":"e1"}'), undefined, 2],
    ['a success that names the ID', answer(200, '{"id":"id_1"}'), undefined, 2],
    ['a success that is an error', json(200, { error: { id: 'req-1', message: 'No.' } }), undefined, 2],
    ['a success with an ID of its own', json(200, { id: 'req-1', error: 'No.' }), undefined, 2],
    ['a success in an envelope', json(200, { data: { id: 'made_1', name: 'Rarity' } }), 'made_1', 1],
    ['a success of a team', json(200, { id: 'made_1', name: 7, teamId: 'team_7' }), 'made_1', 1],
    ['a success that names two', answer(200, '{"id":"made_1","id":"id_1","name":"X"}'), 'made_1', 1],
    ['a success that is broken', answer(200, '{"id":"made_1","na'), 'made_1', 1],
  ])('%s, as an answer to an update', async (_, play, otherId, times) => {
    await using rig = await playing([play, good]);
    const outcome = await rig.update();
    expect(outcome).toMatchObject(otherId ? { kind: 'unseen', error: { otherId } } : { kind: 'answered' });
    expect(rig.requests).toHaveLength(times);
  });

  test.each([
    ['the ID that was asked for', answer(500, '{"id":"id_9"}')],
    ['the ID of the request', answer(503, '{"message":"busy","requestId":"r1","errors":[{"id":"e1"}]}')],
  ])('%s in a failure does not keep it from being repeated', async (_, play) => {
    await using rig = await playing([play, goodItem]);
    const outcome = await rig.createItem('id_9');
    expect(outcome).toMatchObject({ kind: 'answered' });
  });

  test('a redirect is neither followed nor repeated', async () => {
    await using elsewhere = await startRawServer(good);
    const location = `Location: ${elsewhere.baseUrl}/classifiers/id_1`;
    await using rig = await playing([answer(307, '', [location])]);
    const outcome = await rig.update();
    expect(outcome).toMatchObject({ kind: 'unseen', error: { reason: 'redirect', attempts: 1 } });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('kept connections are used again', async () => {
    await using rig = await playing([good]);
    for (let n = 0; n < 6; n += 1) await rig.update();
    // undici may open a second one while it still puts the first one back.
    expect(new Set(rig.requests.map(({ connection }) => connection)).size).toBeLessThanOrEqual(2);
  });

  test('a dead service does not get every retry of every request', async () => {
    await using rig = await playing([answer(500, '')], { retry: { budget: 20 } });
    const puts = Array.from({ length: 50 }, (_, n) => rig.update(`id_${n}`));
    for (const outcome of await Promise.all(puts)) expect(outcome.kind).toBe('unseen');
    expect(rig.requests).toHaveLength(70);
  });
});

test('what one request is told to wait, all others wait too', async () => {
  await using rig = await playing([answer(503, '', ['Retry-After: 7']), good], { parallel: 1 });
  const names = ['a', 'b'];
  await Promise.all(names.map((id) => rig.update(id)));
  // Once for the repeated request itself and once for the one that had its turn next.
  expect(rig.clock.slept).toEqual([7000, 7000]);
});

test('the time in the queue is not held against a request', async () => {
  const later = answer(429, '', ['Retry-After: 60']);
  await using rig = await playing([later, answer(500, ''), good], { parallel: 1 });
  const names = ['a', 'b'];
  const outcomes = await Promise.all(names.map((id) => rig.update(id)));
  expect(outcomes).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }]);
  expect(rig.requests).toHaveLength(4);
});

describe('interruption', () => {
  test('before anything was sent: refused, nothing reaches the service', async () => {
    await using rig = await playing([good]);
    const outcome = await rig.create({ signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'interrupted', attempts: 0 } });
    expect(rig.requests).toHaveLength(0);
  });

  test('while the service has it: the answer is waited for', async () => {
    const controller = new AbortController();
    await using rig = await playing([
      (socket) => {
        controller.abort();
        socket.write(good);
      },
    ]);
    expect(await rig.create({ signal: controller.signal })).toMatchObject({ kind: 'answered' });
    expect(rig.requests).toHaveLength(1);
  });

  test('while it waits for its turn: refused, and no byte of it is sent', async () => {
    const controller = new AbortController();
    await using rig = await playing(
      [
        (socket) => {
          controller.abort();
          socket.write(good);
        },
      ],
      { parallel: 1 },
    );
    const outcomes = await Promise.all([1, 2, 3].map(() => rig.create({ signal: controller.signal })));
    expect(outcomes).toMatchObject([
      { kind: 'answered' },
      { kind: 'refused', error: { reason: 'interrupted', attempts: 0 } },
      { kind: 'refused', error: { reason: 'interrupted', attempts: 0 } },
    ]);
    expect(rig.requests).toHaveLength(1);
  });

  test('after an attempt that was surely not taken: refused, as if it had never been tried', async () => {
    const controller = new AbortController();
    await using rig = await playing([answer(429, ''), good], { onAttempt: () => controller.abort() });
    const outcome = await rig.create({ signal: controller.signal });
    expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'interrupted', attempts: 1 } });
    expect(rig.requests).toHaveLength(1);
  });

  test('after an attempt that may have been taken: unseen, and what it came to', async () => {
    const controller = new AbortController();
    await using rig = await playing([answer(503, ''), good], { onAttempt: () => controller.abort() });
    const outcome = await rig.createItem(undefined, { signal: controller.signal });
    expect(outcome).toMatchObject({ kind: 'unseen', error: { status: 503, attempts: 1 } });
    expect(rig.requests).toHaveLength(1);
  });
});
