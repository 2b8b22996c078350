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

/** A response whose body breaks off. */
const broken =
  (status: number, body: string, header = ''): Play =>
  (socket) =>
    socket.end(`HTTP/1.1 ${status} OK\r\nContent-Length: 99\r\n${header}\r\n${body}`);
/** The whole record after its length and another header. */
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
  ['a reset connection', reset, { reason: 'disconnected' }],
  ['a closed connection', hangUp, { reason: 'disconnected' }],
  ['no response', stall, { reason: 'timeout' }],
  [
    'a response with headers only',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n',
    { reason: 'timeout', status: 200 },
  ],
  ['a response that trickles endlessly', drip, { reason: 'timeout' }],
  ['a truncated response', broken(200, '{"id"'), { reason: 'disconnected', status: 200 }],
  ['a response of 17 MiB', hugeAnswer, { reason: 'oversized' }],
  ['a response that is not HTTP', 'SSH-2.0-server\r\n', { reason: 'unreadable' }],
  [
    'a response that is not JSON',
    answer(200, '<html><body>Welcome</body></html>'),
    { reason: 'unreadable', words: 'Welcome' },
  ],
  ['a response that is not UTF-8', answer(200, Buffer.from([0x7b, 0xff, 0x7d])), { reason: 'unreadable' }],
  ['an empty response', answer(201, ''), { reason: 'unreadable', problem: { code: 'empty' } }],
  ['status 204', 'HTTP/1.1 204 No Content\r\n\r\n', { reason: 'unreadable', status: 204 }],
  ['a response that is nested too deeply', answer(200, '['.repeat(100_000)), { reason: 'unreadable' }],
  ['an ID that is a number', answer(200, '{"id":1}'), { reason: 'unreadable', answeredIds: ['1'] }],
  ['a record in an envelope', answer(200, '{"data":{"id":"c1"}}'), c1Named],
  ['a list with one record', answer(200, '[{"id":"c1","name":7}]'), c1Named],
  ['a Location alone', answer(201, '', [`Location: ${place}`]), { location: place }],
  ['a response that ends after the ID', broken(200, '{ "id": "c1", "na'), { answeredIds: ['c1'] }],
  [
    'a response that ends after its Content-Location',
    broken(201, '{"na', 'Content-Location: /c1\r\n'),
    { location: '/c1' },
  ],
  [
    'a compressed and truncated response',
    packed(gzipSync('{"id":"c1","name":"Rarity').subarray(0, -9)),
    c1Named,
  ],
  [
    'a compressed response that expands to 16 MiB',
    packed(gzipSync(`{"id":"c1","n":"${'x'.repeat(2 ** 24)}"}`)),
    c1Named,
  ],
  ['a gzip response with a wrong checksum', damaged('gzip', gzipSync(record)), id1Named],
  ['a deflate response with a wrong checksum', damaged('deflate', deflateSync(record)), id1Named],
  ['a damaged brotli response', damaged('br', brotliCompressSync(record)), id1Named],
  ...['deflate', 'br', 'gzip'].map((coding): (typeof unseen)[number] => [
    `an uncompressed Latin-1 response labeled ${coding}`,
    answer(200, Buffer.from('{"id":"c1","name":"Schl\u00fcssel"}', 'latin1'), [
      `Content-Encoding: ${coding}`,
    ]),
    c1Named,
  ]),
  [
    'a damaged response that is compressed twice',
    damaged('gzip, gzip', gzipSync(gzipSync(record))),
    id1Named,
  ],
  [
    'a response that is compressed five times',
    answer(200, packedTimes(5), [`Content-Encoding: ${'gzip, '.repeat(4)}gzip`]),
    { reason: 'unreadable', words: expect.not.stringContaining('c1') },
  ],
  [
    'an invalid header before the record',
    `HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n${JSON.stringify(classifier)}`,
    { reason: 'unreadable', answeredIds: ['id_1'] },
  ],
  ...['Content-Length: LENGTH', 'Transfer-Encoding: chunked', 'X: a\0b', 'X y: z'].map(
    (header): (typeof unseen)[number] => [
      `a length and the invalid header ${JSON.stringify(header)} before the record`,
      withHeader(header),
      { reason: 'unreadable', answeredIds: ['id_1'] },
    ],
  ),
  ['a second ID of many megabytes', answer(200, huge), { answeredIds: ['x', 'y'.repeat(500)] }],
  ['status 500 with the record', answer(500, '{"id":"c1"}'), { status: 500, answeredIds: ['c1'] }],
  ['a refusal with the whole record', json(418, classifier), { status: 418, answeredIds: ['id_1'] }],
  ['status 429 with the whole record', json(429, classifier), { status: 429, answeredIds: ['id_1'] }],
  ['a refusal with the record in an envelope', json(422, { data: classifier }), saysNo],
  ['a refusal with the record and an odd field', json(422, { ...classifier, updatedAt: 7 }), saysNo],
  ['a refusal with an ID and the sent fields', json(400, { id: 'c1', name: 'Rarity' }), { status: 400 }],
  ['a refusal with the Location of the record', answer(400, '', [`Location: ${place}`]), { location: place }],
  ['an ID that is a path', json(200, { ...classifier, id: '..' }), { reason: 'unreadable' }],
  ['status 500', answer(500, 'boom'), { reason: 'status', status: 500, words: 'boom' }],
  ['status 503 with Retry-After', answer(503, '', ['Retry-After: 1']), { status: 503, retryAfterMs: 1000 }],
  ['a redirect', answer(307, '', ['Location: http://elsewhere.example/']), { reason: 'redirect' }],
];

/** Answers, and stops this process until every limit of time is over: the answer is there, and nobody has read it. */
const answerAndStop: Play = (socket) => {
  socket.write(good);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeouts.answerMs + 100);
};

describe('an unrepeatable create', () => {
  test('has the response that arrived while the process was stopped', async () => {
    await using rig = await playing([answerAndStop], { timeouts });
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
  });

  test.each(unseen)('is unknown and never resent after %s', async (_, play, error) => {
    await using rig = await playing([good, good, play, good], { timeouts });
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
    expect(await rig.update()).toMatchObject({ kind: 'answered' });
    expect(await rig.create()).toMatchObject({ kind: 'unseen', error: { ...error, attempts: 1 } });
    expect(rig.requests.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  test.each([400, 401, 403, 404, 409, 422])('is sent once and refused by status %i', async (status) => {
    await using rig = await playing([answer(status, '{"message":"No."}'), good]);
    const error = { status, words: 'No.', attempts: 1, notTaken: true };
    expect(await rig.create()).toMatchObject({ kind: 'refused', error });
    expect(rig.requests).toHaveLength(1);
  });

  test.each([
    ['an echo of the request', json(400, { message: 'No.', request: classifierBody })],
    ['an ID of its own', answer(400, '{"id":"invalid","message":"No.","name":"ValidationError"}')],
    ['the Location of a help page', answer(400, '', ['Location: /api/errors/7'])],
  ])('is refused even if the error contains %s', async (_, play) => {
    await using rig = await playing([play]);
    expect(await rig.create()).toMatchObject({ kind: 'refused' });
  });

  test.each([
    [
      'in a separate packet',
      (socket: Socket) => socket.write(CONTINUE, () => setImmediate(() => socket.write(good))),
    ],
    ['that arrives twice, with a header', Buffer.concat([Buffer.from(`${CONTINUE}${CONTINUE}`), good])],
  ])('keeps its response despite an unsolicited "100 Continue" %s', async (_, play) => {
    await using rig = await playing([play, good]);
    expect(await rig.create()).toMatchObject({ kind: 'answered', body: classifier });
    expect(rig.requests).toHaveLength(1);
  });

  test('is refused even if the body of the refusal is truncated', async () => {
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
  ])('succeeds even if the response has unsolicited compression (%s)', async (coding, pack) => {
    const packed = answer(200, pack(JSON.stringify(classifier)), [`Content-Encoding: ${coding}`]);
    await using rig = await playing([packed]);
    expect(await rig.create()).toMatchObject({ kind: 'answered', body: classifier });
    expect(rig.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  });

  test('is refused by a conflict that contains an existing record', async () => {
    await using rig = await playing([json(409, classifier)]);
    expect(await rig.create()).toMatchObject({ kind: 'refused', error: { answeredIds: ['id_1'] } });
  });

  test('is resent after the delay that status 429 requests', async () => {
    const busy = answer(429, 'slow down', ['Retry-After: 7']);
    const until = ['Retry-After: Thu, 01 Jan 2026 00:00:30 GMT', 'Date: Thu, 01 Jan 2026 00:00:20 GMT'];
    await using rig = await playing([busy, answer(429, '', until), good]);
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
    expect(rig.clock.slept).toEqual([7000, 10_000]);
    expect(rig.requests).toHaveLength(3);
  });

  test('is refused at once if status 429 requests a delay beyond the deadline', async () => {
    await using rig = await playing([answer(429, 'tomorrow', ['Retry-After: 86400']), good]);
    expect(await rig.create()).toMatchObject({
      kind: 'refused',
      error: { status: 429, words: 'tomorrow' },
    });
    // The other requests don't wait for the day that the first response requests.
    expect(await rig.create()).toMatchObject({ kind: 'answered' });
    expect(rig.clock.slept).toEqual([]);
  });

  test('is refused at the deadline if status 429 never ends', async () => {
    await using rig = await playing([answer(429, '')]);
    const outcome = await rig.create();
    expect(outcome).toMatchObject({ kind: 'refused', error: { status: 429, reason: 'status' } });
    expect(rig.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(120_000);
    expect(rig.requests.length).toBeGreaterThan(6);
  });

  test('is refused after several refused connections', async () => {
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

  test('is refused if the host is unknown', async () => {
    await using rig = createTestClient('http://no-such-host.invalid/api');
    const outcome = await rig.create();
    expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'unreachable', notTaken: true } });
  });

  test('is refused, with nothing sent, if the server has no TLS', async () => {
    await using server = await startRawServer(good);
    await using rig = createTestClient(`https://127.0.0.1:${server.port}/api`, {
      timeouts: { connectMs: 100 },
      retry: { maxAttempts: 1 },
    });
    expect(await rig.create()).toMatchObject({ kind: 'refused', error: { notTaken: true } });
    expect(server.requests).toHaveLength(0);
  });
});

describe('a repeatable request', () => {
  const names = [
    'a reset connection',
    'a closed connection',
    'no response',
    'a truncated response',
    'a response that is not JSON',
    'status 500',
  ];
  const transient = unseen.filter(([name]) => names.includes(name));

  test.each(transient)('is resent after %s, as an update and as a create', async (_, play) => {
    await using updating = await playing([play, good], { timeouts });
    expect(await updating.update()).toMatchObject({ kind: 'answered' });
    await using creating = await playing([play, goodItem], { timeouts });
    expect(await creating.createItem()).toMatchObject({ kind: 'answered' });
    expect([updating.requests.length, creating.requests.length]).toEqual([2, 2]);
  });

  test.each<[string, 'update' | 'createItem', readonly [Play, ...Play[]], string, object]>([
    [
      'is unknown if a resent create gets status 409',
      'createItem',
      [reset, answer(409, '')],
      'unseen',
      { attempts: 2 },
    ],
    [
      'is unknown, with the ID that an earlier attempt returned',
      'createItem',
      [answer(502, '{"id":"m"}'), reset],
      'unseen',
      { answeredIds: ['m'] },
    ],
    [
      'is unknown if a resent update gets status 404',
      'update',
      [reset, answer(404, '')],
      'unseen',
      { attempts: 2, status: 404 },
    ],
    ['is unknown if an update never gets a response', 'update', [reset], 'unseen', { attempts: 6 }],
  ])('%s', async (_, method, plays, kind, error) => {
    await using rig = await playing(plays);
    expect(await rig[method]()).toMatchObject({ kind, error: { ...error, outcome: kind } });
  });

  test.each([
    ['a success', answer(200, '{"id":"made_1"}')],
    ['a failure', answer(500, '{"data":{"id":"made_1"}}')],
    ['a Location', answer(201, '', ['Location: /api/items/made_1'])],
  ])('is not resent after %s with another ID than requested', async (_, play) => {
    await using rig = await playing([play, goodItem]);
    const outcome = await rig.createItem('id_9');
    expect(outcome).toMatchObject({ kind: 'unseen', error: { attempts: 1, otherId: 'made_1' } });
    expect(rig.requests).toHaveLength(1);
  });

  test.each([
    ['is unknown after a success with another ID', answer(200, '{"id":"made_1"}'), 'made_1', 1],
    [
      'is unknown after a Location with another ID',
      answer(202, '', ['Location: /api/classifiers/made_1']),
      'made_1',
      1,
    ],
    [
      'is unknown after a failure with another record',
      answer(500, '{"id":"made_1","name":"X","teamId":"t"}'),
      'made_1',
      1,
    ],
    ['is resent after a failure with its own ID', answer(500, '{"id":"e1"}'), undefined, 2],
    ['is resent after a success with only the requested ID', answer(200, '{"id":"id_1"}'), undefined, 2],
    [
      'is resent after a success with an error in it',
      json(200, { error: { id: 'req-1', message: 'No.' } }),
      undefined,
      2,
    ],
    [
      'is resent after a success with an error and its own ID',
      json(200, { id: 'req-1', error: 'No.' }),
      undefined,
      2,
    ],
    [
      'is unknown after a success with another record in an envelope',
      json(200, { data: { id: 'made_1', name: 'Rarity' } }),
      'made_1',
      1,
    ],
    [
      'is unknown after a success with another record of the team',
      json(200, { id: 'made_1', name: 7, teamId: 'team_7' }),
      'made_1',
      1,
    ],
    [
      'is unknown after a success with two IDs',
      answer(200, '{"id":"made_1","id":"id_1","name":"X"}'),
      'made_1',
      1,
    ],
    ['is unknown after a truncated success with another ID', answer(200, '{"id":"made_1","na'), 'made_1', 1],
  ])('(an update) %s', async (_, play, otherId, times) => {
    await using rig = await playing([play, good]);
    const outcome = await rig.update();
    expect(outcome).toMatchObject(otherId ? { kind: 'unseen', error: { otherId } } : { kind: 'answered' });
    expect(rig.requests).toHaveLength(times);
  });

  test.each([
    ['the requested ID', answer(500, '{"id":"id_9"}')],
    ['the ID of the request', answer(503, '{"message":"busy","requestId":"r1","errors":[{"id":"e1"}]}')],
  ])('is resent after a failure with %s', async (_, play) => {
    await using rig = await playing([play, goodItem]);
    const outcome = await rig.createItem('id_9');
    expect(outcome).toMatchObject({ kind: 'answered' });
  });

  test('does not follow a redirect and is not resent', async () => {
    await using elsewhere = await startRawServer(good);
    const location = `Location: ${elsewhere.baseUrl}/classifiers/id_1`;
    await using rig = await playing([answer(307, '', [location])]);
    const outcome = await rig.update();
    expect(outcome).toMatchObject({ kind: 'unseen', error: { reason: 'redirect', attempts: 1 } });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('reuses open connections', async () => {
    await using rig = await playing([good]);
    for (let n = 0; n < 6; n += 1) await rig.update();
    // undici may open a second one before it has the first one back.
    expect(new Set(rig.requests.map(({ connection }) => connection)).size).toBeLessThanOrEqual(2);
  });

  test('shares its retry budget with all others if the service is dead', async () => {
    await using rig = await playing([answer(500, '')], { retry: { budget: 20 } });
    const puts = Array.from({ length: 50 }, (_, n) => rig.update(`id_${n}`));
    for (const outcome of await Promise.all(puts)) expect(outcome.kind).toBe('unseen');
    expect(rig.requests).toHaveLength(70);
  });
});

test('all requests wait for the delay that one response requests', async () => {
  await using rig = await playing([answer(503, '', ['Retry-After: 7']), good], { parallel: 1 });
  const names = ['a', 'b'];
  await Promise.all(names.map((id) => rig.update(id)));
  // Once for the repeated request itself and once for the one that had its turn next.
  expect(rig.clock.slept).toEqual([7000, 7000]);
});

test('time in the queue does not count toward the deadline of a request', async () => {
  const later = answer(429, '', ['Retry-After: 60']);
  await using rig = await playing([later, answer(500, ''), good], { parallel: 1 });
  const names = ['a', 'b'];
  const outcomes = await Promise.all(names.map((id) => rig.update(id)));
  expect(outcomes).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }]);
  expect(rig.requests).toHaveLength(4);
});

describe('an interruption', () => {
  test('refuses a request before anything is sent', async () => {
    await using rig = await playing([good]);
    const outcome = await rig.create({ signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'interrupted', attempts: 0 } });
    expect(rig.requests).toHaveLength(0);
  });

  test('lets a request finish if the service already has it', async () => {
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

  test('refuses the requests in the queue without sending a byte', async () => {
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

  test('refuses a request whose last attempt was certainly not taken', async () => {
    const controller = new AbortController();
    await using rig = await playing([answer(429, ''), good], { onAttempt: () => controller.abort() });
    const outcome = await rig.create({ signal: controller.signal });
    expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'interrupted', attempts: 1 } });
    expect(rig.requests).toHaveLength(1);
  });

  test('leaves a request unknown, with its last failure, if the service may have it', async () => {
    const controller = new AbortController();
    await using rig = await playing([answer(503, ''), good], { onAttempt: () => controller.abort() });
    const outcome = await rig.createItem(undefined, { signal: controller.signal });
    expect(outcome).toMatchObject({ kind: 'unseen', error: { status: 503, attempts: 1 } });
    expect(rig.requests).toHaveLength(1);
  });
});
