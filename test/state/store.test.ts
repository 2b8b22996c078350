import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { formatState } from '../../src/state/format.ts';
import { JournalWriter } from '../../src/state/journal-writer.ts';
import { versionOf } from '../../src/state/version.ts';
import { answered, emptyState, intent, owner } from './events.ts';
import { freshPlace, locked, rulesOf, taken, temporaryFolder, unwrap } from './results.ts';
import { storeSuite } from './store-suite.ts';

const first = { ...fold(emptyState(), [answered('item.a'), intent('item.b')]), serial: 1 };
const second = { ...emptyState(), serial: 2 };
const none = versionOf(emptyState());
const header = { formatVersion: 2, target: first.target, ...versionOf(first) } as const;

describe('a state in a file', () => storeSuite(freshPlace));

describe('the files of a state', () => {
  it('are readable by their owner only, and only the state remains at the end', async () => {
    const { folder, path, store } = await freshPlace();
    await locked(store, async () => {
      const writer = new JournalWriter(store, { ...header, ...none }, []);
      await writer.append(intent('item.a'));
      unwrap(await store.write(first, none));
      const files = await readdir(folder);
      expect(files.sort()).toEqual(['state.json', 'state.json.journal', 'state.json.lock']);
      const modes = await Promise.all(
        files.map(async (file) => (await stat(join(folder, file))).mode & 0o777),
      );
      expect(modes).toEqual([0o600, 0o600, 0o600]);
      await writer.close();
      unwrap(await store.journal.discard());
    });
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(await readFile(path, 'utf8')).toBe(formatState(first));
  });

  it('that are half-written are removed by the next run, and no others are', async () => {
    const { folder, store } = await freshPlace();
    const leftover = '0d5f7a4e-5a1c-4a3e-9d5e-00000000000a.tmp';
    const others = ['state.json.mine.tmp', `other.json.${leftover}`];
    const left = [`state.json.${leftover}`, `state.json.journal.${leftover}`];
    await Promise.all([...others, ...left].map((file) => writeFile(join(folder, file), '')));
    await locked(store, async () => undefined);
    expect((await readdir(folder)).sort()).toEqual(others.sort());
  });

  it('are beside the target of a link, so that two names share one lock', async () => {
    const { folder, path, store } = await freshPlace();
    const link = join(await temporaryFolder(), 'link.json');
    await writeFile(path, formatState(first));
    await symlink(path, link);
    const linked = new FileStore({ path: link });
    await taken(linked);
    expect(unwrap(await store.lock.take(await owner()))).toMatchObject({ kind: 'held' });
    unwrap(await linked.write(second, versionOf(first)));
    expect(unwrap(await store.read())?.serial).toBe(2);
    expect(await readdir(folder)).toContain('state.json.lock');
  });

  it('are behind a link to a folder, even if the last folder is new', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'real'));
    await symlink('real', join(folder, 'link'));
    const store = new FileStore({ path: join(folder, 'link', 'new', 'state.json') });
    await locked(store, async () => unwrap(await store.write(first, none)));
    expect(await readdir(join(folder, 'real', 'new'))).toEqual(['state.json']);
  });

  it('are not created by reading', async () => {
    const path = join(await temporaryFolder(), 'absent', 'state.json');
    const store = new FileStore({ path });
    expect(unwrap(await store.read())).toBeUndefined();
    expect(unwrap(await store.journal.read())).toBeUndefined();
    expect(unwrap(await store.lock.remove(await owner(), undefined))).toEqual({ kind: 'not-locked' });
    await expect(stat(join(path, '..'))).rejects.toThrow('ENOENT');
  });
});

describe('a state that is replaced by a link during a run', () => {
  async function movedAfter(begun: (store: FileStore) => Promise<unknown> = async () => undefined) {
    const { folder, path, store } = await freshPlace();
    await taken(store);
    unwrap(await store.write(first, none));
    await begun(store);
    await rename(path, join(folder, 'real.json'));
    await symlink('real.json', path);
    return { folder, store };
  }

  it('is left alone, and the run releases the lock that it took', async () => {
    const { folder, store } = await movedAfter();
    expect(rulesOf(await store.verify(versionOf(first)))).toEqual(['state-moved']);
    expect(rulesOf(await store.write(second, versionOf(first)))).toEqual(['state-moved']);
    await expect(new JournalWriter(store, header, []).append(intent('item.a'))).rejects.toThrow(
      'state-moved',
    );
    unwrap(await store.lock.release());
    expect((await readdir(folder)).sort()).toEqual(['real.json', 'state.json']);
  });

  it('accepts no more intents, but the outcomes of earlier ones', async () => {
    let writer: JournalWriter | undefined;
    const { folder, store } = await movedAfter((begun) => {
      writer = new JournalWriter(begun, header, []);
      return writer.append(intent('item.a'));
    });
    const events = [intent('item.b'), answered('item.a'), answered('item.c')];
    const appended = await Promise.allSettled(events.map((event) => writer?.append(event)));
    expect(appended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    await expect(writer?.append(intent('item.d'))).rejects.toMatchObject({ code: 'ESTALE' });
    const kept = [intent('item.a'), answered('item.a'), answered('item.c')];
    expect(unwrap(await store.journal.read())?.events).toEqual(kept);
    expect(await readdir(folder)).toContain('state.json.journal');
    await writer?.close();
  });
});

describe('an error is reported', () => {
  it('for a folder in place of a state, and for bytes that are not text', async () => {
    const { path, store, folder } = await freshPlace();
    await mkdir(path);
    const read = await store.read();
    expect(rulesOf(read)).toEqual(['not-a-file']);
    expect(read).toMatchObject({ diagnostics: [{ subject: path }] });
    await writeFile(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]));
    expect(rulesOf(await new FileStore({ path: join(folder, 'bytes') }).read())).toEqual(['state-not-json']);
  });

  it('for a path through a file', async () => {
    const { path } = await freshPlace();
    await writeFile(path, '');
    const store = new FileStore({ path: join(path, 'state.json') });
    const results = [
      await store.lock.take(await owner()),
      await store.lock.inspect(),
      await store.journal.read(),
    ];
    expect(results.map(rulesOf)).toEqual([['state-storage'], ['state-storage'], ['state-storage']]);
  });
});
