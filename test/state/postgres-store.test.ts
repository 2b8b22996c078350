import { spawnSync } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PostgresFolder } from '../../src/state/postgres/engine.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { SharedStore } from '../../src/state/shared/store.ts';
import { hasPooler, hasPostgres, startPooler, startPostgres } from '../rig/postgres.ts';
import { createProject, finished } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { answered, intent, manyAnswers, owner } from './events.ts';
import { liveIn, openedSession, rulesOf, unwrap } from './results.ts';
import { storeSuite } from './store-suite.ts';

const file = 'staging.json';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const path = `postgres:trove/${file}`;

describe.skipIf(!hasPostgres)('a state in a PostgreSQL database', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const openAt = (url: string, schema: string, options = {}) =>
    new SharedStore({
      engine: new PostgresFolder({ url, variable: 'STATE_URL', schema, name: 'staging' }, path),
      file,
      path,
      ...options,
    });

  async function freshPlace(options: { readonly maxBytes?: number } = {}) {
    const schema = `trove_${++schemas}`;
    const open = (url = server.url) => openAt(url, schema, options);
    return { schema, open, store: open() };
  }

  async function sql(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  }

  storeSuite(freshPlace);

  it.skipIf(!hasPooler)('goes through a pooler of transactions', async () => {
    const pooler = await startPooler(server.url);
    onTestFinished(() => pooler[Symbol.asyncDispose]());
    const { open } = await freshPlace();
    const stores = Array.from({ length: 20 }, () => open(pooler.url));
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(
        stores.map(async (each) => unwrap(await each.lock.take(await owner()))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      for (const each of stores) unwrap(await each.lock.release());
    }
    const session = await openedSession(open(pooler.url));
    await Promise.all(manyAnswers(40).map((event) => session.record(event)));
    unwrap(await session.save());
    unwrap(await session.close());
    expect(liveIn(unwrap(await open().read()))).toHaveLength(40);
  });

  it.skipIf(!hasOpenssl)('is reached over TLS only if the certificate is verified', async () => {
    const certificate = await server.encrypt();
    const url = `${server.url}?sslmode=require`;
    const refused = await openAt(url, 'trove_tls').read();
    expect(refused).toMatchObject({
      diagnostics: [{ values: { said: expect.stringContaining('self-signed') } }],
    });
    const environment = 'baseUrl: http://127.0.0.1:9/api\nteamId: team_7\nstate: { backend: postgres }\n';
    await using project = await createProject({
      ...smallCatalog,
      'catalog/environments/staging.yaml': environment,
    });
    const env = { TROVE_STATE_URL: url, NODE_EXTRA_CA_CERTS: certificate };
    const listed = await finished(project.start('state list -e staging', { env }));
    expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining('no state yet')]);
  });

  it('gives the lock to one of many, also in a schema that none has made', async () => {
    const { open } = await freshPlace();
    const stores = Array.from({ length: 20 }, () => open());
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(
        stores.map(async (each) => unwrap(await each.lock.take(await owner()))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      for (const each of stores) unwrap(await each.lock.release());
    }
  });

  it('keeps what it acknowledged when the server is killed', async () => {
    const { store, open } = await freshPlace();
    const session = await openedSession(store);
    await session.record(intent('item.a'));
    server.stop();
    await expect(session.record(answered('item.a'))).rejects.toThrow('state-database');
    server.start();
    expect(unwrap(await readRecorded(open()))?.events).toEqual([intent('item.a')]);
    unwrap(await session.save());
    unwrap(await session.close());
    expect(liveIn(unwrap(await open().read()))).toEqual(['item.a']);
  });

  it('shows its entries to SQL', async () => {
    const { store, schema } = await freshPlace();
    const session = await openedSession(store);
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    expect(await sql(`SELECT state, address, status FROM ${schema}.entries`)).toEqual([
      { state: 'staging', address: 'item.a', status: 'live' },
    ]);
    expect(await sql(`SELECT path FROM ${schema}.files`)).toEqual([{ path: file }]);
  });

  /** Cuts the connection once, when the server has answered a COMMIT or before it gets one. */
  async function cuttingProxy(when: 'before' | 'after') {
    const { port } = new URL(server.url);
    let left = 3;
    const proxy = createServer((client) => {
      const upstream = connect(Number(port), '127.0.0.1');
      const cut = () => {
        client.destroy();
        upstream.destroy();
      };
      const seen = (text: string) => (chunk: Buffer) => chunk.includes(text) && --left === 0;
      const isCommit = seen('COMMIT\0');
      client.on('data', (chunk) => (when === 'before' && isCommit(chunk) ? cut() : upstream.write(chunk)));
      upstream.on('data', (chunk) => (when === 'after' && isCommit(chunk) ? cut() : client.write(chunk)));
      for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
      }
    });
    await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void proxy.close());
    const url = new URL(server.url);
    url.port = String((proxy.address() as AddressInfo).port);
    return { url: url.href, cuts: () => (left <= 0 ? 1 : 0) };
  }

  it.each(['before', 'after'] as const)('looks up a commit that was cut off %s it was made', async (when) => {
    const { open } = await freshPlace();
    const { url, cuts } = await cuttingProxy(when);
    const session = await openedSession(open(url));
    await session.record(intent('item.a'));
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    const { state, events } = unwrap(await readRecorded(open())) ?? {};
    expect([liveIn(state), events, cuts()]).toEqual([['item.a'], [], 1]);
  });

  it('is begun with rights on its schema only', async () => {
    const { open, schema } = await freshPlace();
    await sql(`CREATE ROLE ${schema}_owner LOGIN`);
    await sql(`CREATE SCHEMA ${schema} AUTHORIZATION ${schema}_owner`);
    const url = new URL(server.url);
    url.username = `${schema}_owner`;
    const session = await openedSession(open(url.href));
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    expect(liveIn(unwrap(await open().read()))).toEqual(['item.a']);
  });

  it('is not taken for new, or for busy, where a table is missing or is of others', async () => {
    const { open, schema } = await freshPlace();
    const session = await openedSession(open());
    unwrap(await session.save());
    unwrap(await session.close());
    await sql(`ALTER TABLE ${schema}.files RENAME TO other`);
    expect(await open().read()).toMatchObject({ ok: false, diagnostics: [{ values: { why: 'refused' } }] });
    const strange = await freshPlace();
    await sql(`CREATE SCHEMA ${strange.schema}`);
    await sql(`CREATE TABLE ${strange.schema}.files (a int)`);
    const taken = await strange.store.lock.take(await owner());
    expect(taken).toMatchObject({ ok: false, diagnostics: [{ values: { why: 'refused' } }] });
  });

  it.each([
    ['a newer schema', async (schema: string) => sql(`UPDATE ${schema}.format SET version = 2`), ''],
    [
      'a user without rights',
      async () => sql('CREATE ROLE stranger LOGIN'),
      'postgresql://stranger@127.0.0.1',
    ],
    ['a database that is not there', async () => [], 'postgresql://owner@127.0.0.1/none'],
    ['no URL', async () => [], 'none'],
    ['a host in the query', async () => [], 'postgresql://owner@127.0.0.1/postgres?host=db.example.com'],
    ['a password in the query', async () => [], 'postgresql://owner@127.0.0.1/postgres?password=let-me-in'],
    ['another machine without encryption', async () => [], 'postgresql://owner@0.0.0.0/postgres'],
  ])('refuses %s with one problem, and its password is in none', async (_, prepare, other) => {
    const { open, schema } = await freshPlace();
    const session = await openedSession(open());
    unwrap(await session.save());
    unwrap(await session.close());
    await prepare(schema);
    const url = URL.canParse(other) ? new URL(other) : undefined;
    if (url) {
      url.port = new URL(server.url).port;
      if (url.pathname === '') url.pathname = '/postgres';
      url.password = 'let-me-in';
    }
    vi.stubEnv('PGPASSWORD', 'let-me-in');
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = open(url?.href ?? (other || undefined));
    for (const failed of [await store.read(), await store.lock.take(await owner())]) {
      expect(rulesOf(failed)).toEqual(['state-database']);
      expect(JSON.stringify(failed)).not.toContain('let-me-in');
    }
  });
});
