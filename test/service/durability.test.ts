import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { WireItem } from '../../src/contract/api.ts';
import { Refusal } from '../../src/service/refusal.ts';
import { openBatch } from '../../src/service/store/table.ts';
import { basic, call, testService, world } from '../rig/embedded-service.ts';
import { plain, range, rarity, update } from './client.ts';

let database = '';

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  database = join(folder, 'items.db');
  onTestFinished(() => rm(folder, { recursive: true }));
});

describe('a database file', () => {
  test('keeps everything over a restart, and is one private file when closed', async () => {
    const first = await testService({ database });
    await call(first, 'POST', '/classifiers', rarity('R', 'c'));
    const itemAttributes = [range('a', 1, 2)];
    const item = { ...plain, classifierOptionIds: ['id_2'], itemAttributes };
    const made = await call<WireItem>(first, 'POST', '/items', item);
    const spaces = await call(first, 'GET', '/users/user_1/spaces');
    await first.close();
    expect(await readdir(join(database, '..'))).toEqual(['items.db']);
    expect((await stat(database)).mode & 0o777).toBe(0o600);

    const second = await testService({ database, clock: () => 0 });
    const body = { ...update, attributes: itemAttributes };
    const after = await call<WireItem>(second, 'PUT', `/items/${made.body.id}`, body);
    expect(after.body).toEqual({ ...made.body, updatedAt: '1970-01-01T00:00:00.000Z' });
    expect((await call(second, 'GET', '/users/user_1/spaces')).body).toEqual(spaces.body);
  });

  test('accepts a changed world, and contains no password', async () => {
    await (await testService({ database })).close();
    const users = (world.users ?? []).map((user) => ({ ...user, password: 'changed' }));
    const spaces = (world.spaces ?? []).map((space) => ({ ...space, name: 'Cellar' }));
    const service = await testService({ database, world: { ...world, users, spaces } });
    expect((await call(service, 'GET', '/users/user_1/spaces')).status).toBe(401);
    const authorization = basic('designer', 'changed');
    const { body } = await call(service, 'GET', '/users/user_1/spaces', undefined, { authorization });
    expect(body).toMatchObject([{ space: { name: 'Cellar' } }]);
    await service.close();
    // And no password is in it.
    const db = new Database(database);
    const hashes = db.prepare('SELECT password_hash FROM users ORDER BY id').raw().all();
    db.close();
    expect(hashes).toHaveLength(3);
    for (const [hash] of hashes as string[][]) expect(hash).toMatch(/^scrypt:[\w-]{22}:[\w-]{43}$/);
  });

  test('of another format or program is refused with the reason', async () => {
    for (const format of [1, 99]) {
      const db = new Database(database);
      db.exec(`PRAGMA user_version = ${format}`);
      db.close();
      await expect(testService({ database })).rejects.toThrow(`format ${format}`);
    }
    await writeFile(database, 'this is no database, and long enough to be seen as none'.repeat(50));
    await expect(testService({ database })).rejects.toThrow('not a database of this service');
    await expect(testService({ database: join(database, 'below.db') })).rejects.toThrow("can't be opened");
    execFileSync('mkfifo', [`${database}.pipe`]);
    await expect(testService({ database: `${database}.pipe` })).rejects.toThrow('it is not a regular file');
  });
});

describe('requests that arrive together', () => {
  test('share one transaction, in which each succeeds or is undone alone', async () => {
    const { db, insert, names, transact } = openTestBatch();
    const refusal = new Refusal('conflict', 'no');
    const settled = await Promise.allSettled([
      transact(() => insert('first')),
      transact(() => {
        insert('refused');
        throw refusal;
      }),
      transact(() => ({ last: insert('last'), shared: db.inTransaction })),
    ]);
    expect(settled).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: { shared: true } },
    ]);
    expect(names()).toEqual(['first', 'last']);
  });

  test('all fail if the commit fails, and the next batch works', async () => {
    const { insert, names, transact } = openTestBatch();
    const failing = await Promise.allSettled([
      transact(() => insert('good')),
      // A deferred foreign key is first checked by the commit.
      transact(() => insert('orphan', 'nobody')),
    ]);
    expect(failing.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(names()).toEqual([]);
    expect(await transact(() => insert('later'))).toBe(1);
    expect(names()).toEqual(['later']);
  });
});

function openTestBatch() {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  db.exec('CREATE TABLE t (name TEXT PRIMARY KEY, parent TEXT REFERENCES t DEFERRABLE INITIALLY DEFERRED)');
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
  return {
    db,
    transact: openBatch(db),
    insert: (name: string, parent: string | null = null) => insert.run(name, parent).changes,
    names: () => (db.prepare('SELECT name FROM t ORDER BY name').raw().all() as string[][]).flat(),
  };
}
