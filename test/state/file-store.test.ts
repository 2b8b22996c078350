import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalWriter } from '../../src/state/file/journal-writer.ts';
import { whileGuarded } from '../../src/state/file/lock.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { formatState } from '../../src/state/format.ts';
import { versionOf } from '../../src/state/version.ts';
import { answered, emptyState, intent, owner } from './events.ts';
import { rulesOf, temporaryFolder, unwrap } from './results.ts';
import { acquired, storeSuite } from './store-suite.ts';

storeSuite('file', async () => {
  const path = join(await temporaryFolder(), 'deep', 'er', 'state.json');
  return () => new FileStore({ path });
});

const first = { ...emptyState(), serial: 1 };
const leftover = '0d5f7a4e-5a1c-4a3e-9d5e-00000000000a.tmp';

async function freshStore() {
  const folder = await temporaryFolder();
  const path = join(folder, 'state.json');
  return { folder, path, store: new FileStore({ path }) };
}

it('a state that could not be read again is not written', async () => {
  const path = join(await temporaryFolder(), 'state.json');
  const store = new FileStore({ path, maxBytes: formatState(first).length });
  const { release } = acquired(await store.lock(await owner()));
  unwrap(await store.write(first, versionOf(emptyState())));
  const larger = { ...first, serial: 2, target: { ...first.target, teamId: 'x'.repeat(99) } };
  expect(rulesOf(await store.write(larger, versionOf(first)))).toEqual(['state-too-large']);
  expect(unwrap(await store.read())).toEqual(first);
  unwrap(await release());
});

describe('the files', () => {
  it('are for their owner only, and only the state is left when all is done', async () => {
    const { folder, path, store } = await freshStore();
    const { release } = acquired(await store.lock(await owner()));
    const writer = store.journal.open(
      { formatVersion: 2, target: first.target, ...versionOf(emptyState()) },
      [],
    );
    await writer.append(intent('item.a'));
    unwrap(await store.write(first, versionOf(emptyState())));
    const files = await readdir(folder);
    expect(files.sort()).toEqual(['state.json', 'state.json.journal', 'state.json.lock']);
    const modes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).mode & 0o777));
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    await writer.close();
    unwrap(await store.journal.discard());
    unwrap(await release());
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(await readFile(path, 'utf8')).toBe(formatState(first));
  });

  it('that a killed run left half-written are removed by the next one, and nothing else is', async () => {
    const { folder, store } = await freshStore();
    const others = ['state.json.mine.tmp', `other.json.${leftover}`];
    const left = [`state.json.${leftover}`, `state.json.journal.${leftover}`];
    await Promise.all([...others, ...left].map((file) => writeFile(join(folder, file), '')));
    unwrap(await acquired(await store.lock(await owner())).release());
    expect((await readdir(folder)).sort()).toEqual(others.sort());
  });

  it.skipIf(process.platform !== 'linux')(
    'that a killed run left beside the lock are removed, and not those of a run that goes on',
    async () => {
      const { folder, store } = await freshStore();
      const alive = await owner();
      // A process that began after the machine did, and not at that tick: certainly gone.
      const gone = { ...alive, id: randomUUID(), process: { ...alive.process, startTicks: '1' } };
      const files = {
        [`state.json.lock.${gone.id}.new`]: JSON.stringify(gone),
        [`state.json.lock.${alive.id}`]: JSON.stringify(gone),
        'state.json.lock.cut-short.new': '{"id":',
        [`state.json.lock.${alive.id}.new`]: JSON.stringify(alive),
      };
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
      unwrap(await acquired(await store.lock(await owner())).release());
      expect(await readdir(folder)).toEqual([`state.json.lock.${alive.id}.new`]);
    },
  );

  it('are those that a link leads to: two names of one state share its lock', async () => {
    const { folder, path, store } = await freshStore();
    const link = join(await temporaryFolder(), 'link.json');
    await writeFile(path, formatState(first));
    await symlink(path, link);
    const linked = new FileStore({ path: link });
    acquired(await linked.lock(await owner()));
    expect(unwrap(await store.lock(await owner()))).toMatchObject({ kind: 'held' });
    unwrap(await linked.write({ ...first, serial: 2 }, versionOf(first)));
    expect(unwrap(await store.read())?.serial).toBe(2);
    expect(await readdir(folder)).toContain('state.json.lock');
  });

  it('are found behind a link to a folder, also where the last folder is still to be made', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'real'));
    await symlink('real', join(folder, 'link'));
    const store = new FileStore({ path: join(folder, 'link', 'new', 'state.json') });
    const { release } = acquired(await store.lock(await owner()));
    unwrap(await store.write(first, versionOf(emptyState())));
    unwrap(await release());
    expect(await readdir(join(folder, 'real', 'new'))).toEqual(['state.json']);
  });

  it('are not created by reading', async () => {
    const path = join(await temporaryFolder(), 'absent', 'state.json');
    const store = new FileStore({ path });
    expect(unwrap(await store.read())).toBeUndefined();
    expect(unwrap(await store.journal.replay())).toBeUndefined();
    expect(unwrap(await store.unlock(await owner(), undefined))).toEqual({ kind: 'not-locked' });
    await expect(stat(join(path, '..'))).rejects.toThrow('ENOENT');
  });
});

describe('a state that is moved, with a link to it in its place, while a run has it', () => {
  const header = { formatVersion: 2, target: first.target, ...versionOf(first) } as const;

  async function movedAfter(begun: (store: FileStore) => Promise<unknown> = async () => undefined) {
    const { folder, path, store } = await freshStore();
    const { release } = acquired(await store.lock(await owner()));
    unwrap(await store.write(first, versionOf(emptyState())));
    await begun(store);
    await rename(path, join(folder, 'real.json'));
    await symlink('real.json', path);
    return { folder, path, store, release };
  }

  it('is left alone, and the run gives back the lock that it took', async () => {
    const { folder, store, release } = await movedAfter();
    expect(rulesOf(await store.verify(versionOf(first)))).toEqual(['state-moved']);
    expect(rulesOf(await store.write({ ...first, serial: 2 }, versionOf(first)))).toEqual(['state-moved']);
    await expect(store.journal.open(header, []).append(intent('item.a'))).rejects.toThrow('was moved');
    unwrap(await release());
    expect((await readdir(folder)).sort()).toEqual(['real.json', 'state.json']);
  });

  it('lets no further request be announced, and what became of the others is still recorded', async () => {
    let writer: JournalWriter | undefined;
    const { folder, store } = await movedAfter((begun) => {
      writer = begun.journal.open(header, []);
      return writer.append(intent('item.a'));
    });
    const [next, answer, later] = await Promise.allSettled(
      [intent('item.b'), answered('item.a'), answered('item.c')].map((event) => writer?.append(event)),
    );
    expect([next?.status, answer?.status, later?.status]).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    await expect(writer?.append(intent('item.d'))).rejects.toMatchObject({ code: 'ESTALE' });
    expect(unwrap(await store.journal.replay())?.events).toEqual([
      intent('item.a'),
      answered('item.a'),
      answered('item.c'),
    ]);
    expect(await readdir(folder)).toContain('state.json.journal');
    await writer?.close();
  });
});

describe('what the disk refuses is said', () => {
  it('for a folder where the state should be', async () => {
    const { path, store } = await freshStore();
    await mkdir(path);
    const read = await store.read();
    expect(rulesOf(read)).toEqual(['not-a-file']);
    expect(read).toMatchObject({
      diagnostics: [{ subject: path, message: expect.stringContaining('folder') }],
    });
  });

  it('for a path through a file', async () => {
    const { path } = await freshStore();
    await writeFile(path, '');
    const store = new FileStore({ path: join(path, 'state.json') });
    const outcomes = [await store.lock(await owner()), await store.inspectLock()];
    const failed = { ok: false, diagnostics: [{ rule: 'state-storage' }] };
    expect(outcomes).toMatchObject([failed, failed]);
    expect(rulesOf(await store.journal.replay())).toEqual(['state-storage']);
  });

  it('for bytes that are no text', async () => {
    const { path, store } = await freshStore();
    await writeFile(path, Buffer.from([0xff, 0xfe, 0x00]));
    expect(rulesOf(await store.read())).toEqual(['state-not-json']);
  });

  it('and writing without the lock is a bug of ours', async () => {
    const { store } = await freshStore();
    await expect(store.write(first, versionOf(emptyState()))).rejects.toThrow('holder of its lock');
  });
});

describe('a lock file that does not say whose it is', () => {
  it.each([
    ['empty', ''],
    ['damaged', '{"id": "x'],
    ['without an owner', '{}'],
    [
      'with an id that is a path',
      '{"id":"../../x","who":"a","operation":"a","since":"a","version":"a","process":{"host":"h","pid":1}}',
    ],
  ])('(%s) counts as held until it is removed by force', async (_, content) => {
    const { path, store } = await freshStore();
    await writeFile(`${path}.lock`, content);
    expect(unwrap(await store.lock(await owner()))).toEqual({ kind: 'held' });
    expect(unwrap(await store.unlock(await owner(), await owner()))).toEqual({ kind: 'held' });
    expect(unwrap(await store.unlock(await owner(), undefined))).toEqual({ kind: 'removed' });
    acquired(await store.lock(await owner()));
  });

  it('(a link that leads nowhere) too', async () => {
    const { path, store } = await freshStore();
    await symlink('nowhere', `${path}.lock`);
    expect(unwrap(await store.lock(await owner()))).toEqual({ kind: 'held' });
    expect(unwrap(await store.inspectLock())).toEqual({ kind: 'held', standing: 'unknown' });
    expect(unwrap(await store.unlock(await owner(), undefined))).toEqual({ kind: 'removed' });
    acquired(await store.lock(await owner()));
  });

  it('(a folder) too, and that a folder is not removed is said in plain words', async () => {
    const { path, store } = await freshStore();
    await mkdir(`${path}.lock`);
    expect(await store.unlock(await owner(), undefined)).toMatchObject({
      ok: false,
      diagnostics: [{ subject: `${path}.lock`, message: expect.stringMatching(/: [a-z ]+ \([A-Z]+\)\.$/) }],
    });
  });

  it('is removed by one process at a time: another would hit the lock that comes next', async () => {
    const { path, store } = await freshStore();
    const other = await owner('state unlock');
    await writeFile(`${path}.lock`, 'damaged');
    await writeFile(`${path}.lock.unreadable`, JSON.stringify(other));
    const busy = { kind: 'busy', owner: other, standing: 'alive' };
    expect(unwrap(await store.unlock(await owner(), undefined, true))).toEqual(busy);
    expect(await readFile(`${path}.lock`, 'utf8')).toBe('damaged');
  });
});

describe('a step with the lock', () => {
  it('is done although its guard can not be removed, and the next one goes on', async () => {
    const { path, store } = await freshStore();
    const holder = await owner();
    const lock = acquired(await store.lock(holder));
    const guard = `${path}.lock.${holder.id}`;
    const step = async () => {
      await rm(guard);
      await mkdir(guard);
      return 'done';
    };
    expect(await whileGuarded(`${path}.lock`, holder, holder, step)).toBe('done');
    await rmdir(guard);
    await writeFile(`${guard}.${holder.id}.new`, 'left by a step before');
    unwrap(await store.write(first, versionOf(emptyState())));
    unwrap(await lock.release());
  });
});

describe('a lock with the guard of a process in the middle of a step', () => {
  /** Of another boot, or another container: nobody here can tell whether it has ended. */
  async function unknownOwner() {
    const here = await owner();
    return { ...here, process: { ...here.process, bootId: '00000000-0000-4000-8000-000000000000' } };
  }

  it.each([
    ['the holder itself', 0],
    ['another that was to take it over', 1],
    ['a third that was to take over the guard of the second', 2],
  ])('(%s) is removed by force where that may have ended, and only then', async (_, others) => {
    const { folder, path, store } = await freshStore();
    const owners = await Promise.all(Array.from({ length: others + 1 }, unknownOwner));
    const [holder] = owners;
    let file = `${path}.lock`;
    await writeFile(file, JSON.stringify(holder));
    // Each guard is named after the owner of what it guards.
    for (const [index, each] of owners.entries()) {
      file = `${file}.${each.id}`;
      await writeFile(file, JSON.stringify(owners[index + 1] ?? each));
    }
    const busy = { kind: 'busy', owner: owners[1] ?? holder, standing: 'unknown' };
    expect(unwrap(await store.unlock(await owner(), holder))).toEqual(busy);
    expect(unwrap(await store.unlock(await owner(), holder, true))).toEqual({ kind: 'removed' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays where that is alive here', async () => {
    const { folder, path, store } = await freshStore();
    const holder = await owner();
    for (const file of [`${path}.lock`, `${path}.lock.${holder.id}`])
      await writeFile(file, JSON.stringify(holder));
    const busy = { kind: 'busy', owner: holder, standing: 'alive' };
    expect(unwrap(await store.unlock(await owner(), holder, true))).toEqual(busy);
    expect(await readdir(folder)).toHaveLength(2);
  });
});
