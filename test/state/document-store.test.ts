import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentFolder, type DocumentPlace } from '../../src/state/document/engine.ts';
import { S3Object } from '../../src/state/document/s3.ts';
import { TerraformState } from '../../src/state/document/terraform.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { SharedStore } from '../../src/state/shared/store.ts';
import { versionOf } from '../../src/state/version.ts';
import { type StateServer, s3Server, terraformServer } from '../rig/state-servers.ts';
import { answered, emptyState, intent, owner } from './events.ts';
import { liveIn, openedSession, rulesOf, unwrap } from './results.ts';
import { storeSuite } from './store-suite.ts';

const file = 'staging.json';

async function placeOn(
  started: Promise<StateServer>,
  make: (server: StateServer) => DocumentPlace,
  options: { readonly maxBytes?: number } = {},
) {
  const server = await started;
  onTestFinished(() => server[Symbol.asyncDispose]());
  const open = () =>
    new SharedStore({ engine: new DocumentFolder(make(server)), file, path: 'the state', ...options });
  return { server, open, store: open() };
}

const gitlab = ({ url }: StateServer) =>
  new TerraformState(
    { address: `${url}/staging`, needs: 'it', credentials: { username: 'job', password: 'job-token-17' } },
    'the state',
  );

function http({ url }: StateServer) {
  const address = `${url}/staging`;
  const lock = { take: { method: 'LOCK', address }, release: { method: 'UNLOCK', address } };
  return new TerraformState({ address, needs: 'it', lock }, 'the state');
}

const s3 =
  (bucket = 'bucket', accessKeyId = 'key') =>
  ({ url }: StateServer) => {
    const keys = async () => ({ accessKeyId, secretAccessKey: 'secret' });
    const at = { bucket, key: 'trove/staging.json', region: 'eu-west-1', endpoint: url, pathStyle: true };
    return new S3Object({ ...at, keys }, 'the state');
  };

const engines = [
  { name: 'GitLab', write: 'POST', start: () => terraformServer({ isGitLab: true }), make: gitlab },
  { name: "Terraform's protocol", write: 'POST', start: () => terraformServer(), make: http },
  { name: 'S3', write: 'PUT', start: () => s3Server(), make: s3() },
  {
    name: 'a store that knows ETags without quotes',
    write: 'PUT',
    start: () => s3Server({ etags: 'unquoted' }),
    make: s3(),
  },
];

describe.each(engines)('a state in a document, with $name', ({ start, make, write }) => {
  const freshPlace = (options = {}) => placeOn(start(), make, options);

  storeSuite(freshPlace);

  it('gives the lock to one of many', async () => {
    const { open } = await freshPlace();
    const stores = Array.from({ length: 8 }, open);
    for (let round = 0; round < 3; round++) {
      const outcomes = await Promise.all(
        stores.map(async (each) => unwrap(await each.lock.take(await owner()))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      for (const each of stores) unwrap(await each.lock.release());
    }
  });

  it.each(['lost-before', 'lost-after'] as const)('looks up every write that is %s', async (fate) => {
    const { server, open, store } = await freshPlace();
    let writes = 0;
    server.decide = ({ method }) => (method === write && ++writes % 2 === 0 ? fate : 'pass');
    const session = await openedSession(store);
    await session.record(intent('item.a'));
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    expect(writes).toBeGreaterThan(4);
    server.decide = () => 'pass';
    const { state, events } = unwrap(await readRecorded(open())) ?? {};
    expect([liveIn(state), events]).toEqual([['item.a'], []]);
  });

  it('announces no request that it can not record', async () => {
    const { server, open, store } = await freshPlace();
    const session = await openedSession(store);
    server.decide = ({ method }) => (method === write ? 'lost-before' : 'pass');
    await expect(session.record(intent('item.a'))).rejects.toThrow(/state-(?:server|bucket)/);
    server.decide = () => 'pass';
    await session.close();
    expect(unwrap(await readRecorded(open()))?.events ?? []).toEqual([]);
  });

  it('refuses a change that was decided before another, also if it was read again meanwhile', async () => {
    const { server } = await freshPlace();
    const [one, other] = [new DocumentFolder(make(server)), new DocumentFolder(make(server))];
    const change = (text: string) => ({ texts: new Map([['a', text]]), message: [], isInterim: false });
    const seen = unwrap(await one.read()) ?? { version: undefined, files: new Map() };
    const first = unwrap(await other.read()) ?? seen;
    expect(unwrap(await other.replace(first, change('theirs')))).not.toHaveProperty('trouble');
    await one.read();
    expect(unwrap(await one.replace(seen, change('ours')))).toMatchObject({ trouble: { kind: 'conflict' } });
  });

  it('is seen as it is by a read that overlaps a change', async () => {
    const { server } = await freshPlace();
    const folder = new DocumentFolder(make(server));
    const change = (text: string) => ({ texts: new Map([['a', text]]), message: [], isInterim: false });
    const empty = unwrap(await folder.read()) ?? { version: undefined, files: new Map() };
    const first = unwrap(await folder.replace(empty, change('one'))).intended;
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    let isFirst = true;
    server.decide = async ({ method }) => {
      if (method === 'GET' && isFirst) {
        isFirst = false;
        await held;
      }
      return 'pass' as const;
    };
    const reading = folder.read();
    // A store may refuse the first attempt for the spelling of its tag.
    const tried = unwrap(await folder.replace(first, change('two')));
    const again = tried.trouble && unwrap(await folder.replace(first, change('two')));
    const second = (again ?? tried).intended;
    release();
    expect(unwrap(await reading)?.version).toBe(second.version);
    expect(unwrap(await folder.read())?.version).toBe(second.version);
  });

  it('never replaces what is not of Trove', async () => {
    const { server, open, store } = await freshPlace();
    unwrap(await store.lock.take(await owner()));
    const [path = ''] = server.stored.keys();
    const theirs = '{"version":4,"serial":3,"lineage":"x","resources":[]}';
    server.stored.set(path, theirs);
    for (const failed of [await open().read(), await open().lock.take(await owner())])
      expect(rulesOf(failed)).toEqual([write === 'PUT' ? 'state-bucket' : 'state-server']);
    expect(server.stored.get(path)).toBe(theirs);
  });
});

it.each([
  ['a server without a lock', () => placeOn(terraformServer({ hasLock: false }), http), 'no-lock'],
  [
    'a store that ignores conditions',
    () => placeOn(s3Server({ ignores: ['if-match', 'if-none-match'] }), s3()),
    'no-conditions',
  ],
  [
    'a store that gives no ETag to a write',
    () => placeOn(s3Server({ isSilent: true }), s3()),
    'no-conditions',
  ],
  ['a bucket that is not there', () => placeOn(s3Server(), s3('none')), 'no-bucket'],
  ['a wrong key', () => placeOn(s3Server(), s3('bucket', 'other')), 'denied'],
])('%s is refused', async (_, place, why) => {
  const { store } = await place();
  const taken = await store.lock.take(await owner());
  expect(taken).toMatchObject({ ok: false, diagnostics: [{ values: { why } }] });
});

it.each([
  ['http://states.example.com/x', 'insecure'],
  ['ftp://127.0.0.1/x', 'no-address'],
  [undefined, 'no-address'],
])('the address %s is refused before anything is sent', async (address, why) => {
  const credentials = { username: 'job', password: 'job-token-17' };
  const read = await new TerraformState({ address, needs: 'it', credentials }, 'x').read();
  expect(read).toMatchObject({ ok: false, diagnostics: [{ values: { why } }] });
});

it('a store that looks at conditions of new objects only is refused before an intent is recorded', async () => {
  const { store } = await placeOn(s3Server({ ignores: ['if-match'] }), s3());
  unwrap(await store.lock.take(await owner()));
  const saved = await store.write({ ...emptyState(), serial: 1 }, versionOf(emptyState()));
  expect(saved).toMatchObject({ ok: false, diagnostics: [{ values: { why: 'no-conditions' } }] });
});

it('an address of the lock is held to the same', async () => {
  const [address, elsewhere] = ['http://127.0.0.1:9/x', 'http://states.example.com/x'];
  const lock = { take: { method: 'LOCK', address: elsewhere }, release: { method: 'UNLOCK', address } };
  const credentials = { username: 'job', password: 'job-token-17' };
  const read = await new TerraformState({ address, needs: 'it', lock, credentials }, 'x').read();
  expect(read).toMatchObject({ ok: false, diagnostics: [{ values: { why: 'insecure' } }] });
});

it.each([
  [{ endpoint: 'http://x:99999' }, {}, 'no-address'],
  [{ endpoint: 'https://a%zz' }, {}, 'no-address'],
  [{ region: 'eu west', endpoint: undefined }, {}, 'no-address'],
  [{}, { sessionToken: 'secret-token\nsecond-line' }, 'no-keys'],
  [{}, { accessKeyId: 'clé' }, 'no-keys'],
])('an object with %j and %j is refused before anything is sent', async (settings, wrong, why) => {
  const at = {
    bucket: 'bucket',
    key: 'a',
    region: 'eu-west-1',
    endpoint: 'http://127.0.0.1:9',
    pathStyle: false,
  };
  const keys = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret', ...wrong });
  const read = await new S3Object({ ...at, ...settings, keys }, 'x').read();
  expect(read).toMatchObject({ ok: false, diagnostics: [{ values: { why } }] });
  expect(JSON.stringify(read)).not.toContain('secret-token');
});

it('a proxy that is no URL is a problem of the server that it hides', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://u:x%zz@127.0.0.1:1');
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllEnvs());
  const { S3Object: Fresh } = await import('../../src/state/document/s3.ts');
  const keys = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret' });
  const at = {
    bucket: 'bucket',
    key: 'a',
    region: 'r',
    endpoint: 'http://states.example.com',
    pathStyle: true,
  };
  const read = await new Fresh({ ...at, keys }, 'x').read();
  expect(read).toMatchObject({ ok: false, diagnostics: [{ values: { why: 'unreachable' } }] });
});

it('a server that repeats its credentials shows them to nobody', async () => {
  const echo = createServer(
    ({ headers: { authorization } }, response) => void response.writeHead(403).end(`no ${authorization}`),
  );
  await new Promise<void>((ready) => echo.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void echo.close());
  const { port } = echo.address() as AddressInfo;
  const credentials = { username: 'job', password: 'job-token-17' };
  const read = await new TerraformState(
    { address: `http://127.0.0.1:${port}/x`, needs: 'it', credentials },
    'x',
  ).read();
  expect(read).toMatchObject({
    diagnostics: [{ values: { why: 'denied', said: expect.stringMatching(/^status 403: no /) } }],
  });
  expect(JSON.stringify(read)).not.toContain(Buffer.from('job:job-token-17').toString('base64'));
});

it.each([
  ['LOCK', 'lost-after', 2],
  ['UNLOCK', 'lost-before', 2],
  ['UNLOCK', 'lost-after', 2],
] as const)('a %s that is %s is asked again with the same ID', async (asked, fate, times) => {
  const { server, open, store } = await placeOn(terraformServer(), http);
  let left = times;
  server.decide = ({ method }) => (method === asked && left-- > 0 ? fate : 'pass');
  expect(unwrap(await store.lock.take(await owner()))).toMatchObject({ kind: 'acquired' });
  unwrap(await store.lock.release());
  expect(unwrap(await open().lock.take(await owner()))).toMatchObject({ kind: 'acquired' });
});

it('a lock of the server that another program holds for a while is waited for', async () => {
  const { server, store } = await placeOn(terraformServer(), http);
  unwrap(await store.lock.take(await owner()));
  const theirs = JSON.stringify({ ID: 'a-1', Who: 'ann@laptop' });
  await fetch(`${server.url}/staging`, { method: 'LOCK', body: theirs });
  let refusals = 0;
  server.decide = async ({ method }) => {
    if (method === 'LOCK' && ++refusals === 20)
      await fetch(`${server.url}/staging`, { method: 'UNLOCK', body: theirs });
    return 'pass' as const;
  };
  unwrap(await store.lock.release());
  expect(refusals).toBeGreaterThanOrEqual(20);
});

it.each([
  ['of the protocol', () => terraformServer(), http],
  ['of GitLab', () => terraformServer({ isGitLab: true }), gitlab],
])('a lock %s that another program holds is told with its ID', async (_, start, make) => {
  const { server, store } = await placeOn(start(), make);
  const theirs = JSON.stringify({ ID: 'a-1', Who: 'ann@laptop' });
  await fetch(`${server.url}/staging`, { method: 'LOCK', body: theirs });
  const refused = await store.lock.take(await owner());
  expect(refused).toMatchObject({
    ok: false,
    diagnostics: [{ values: { why: 'held', said: 'ann@laptop a-1' } }],
  });
});
