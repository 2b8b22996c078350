import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whileGuarded } from '../../src/state/file/lock.ts';
import { FileStore } from '../../src/state/file/store.ts';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import { versionOf } from '../../src/state/version.ts';
import { inWords } from '../rig/in-words.ts';
import { emptyState, owner } from './events.ts';
import { freshPlace, locked, rulesOf, taken, temporaryFolder, unwrap } from './results.ts';

const lock = async (store: FileStore) => unwrap(await store.lock.take(await owner()));
const unlock = async (store: FileStore, ...[holder, force]: [LockOwner | undefined, boolean?]) =>
  unwrap(await store.lock.remove(await owner('state unlock'), holder, force));

describe('the lock', () => {
  it('is released where it was taken, even if a link now leads outside', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'state.json');
    const held = await taken(new FileStore({ path, within: { path: folder, called: 'catalog' } }));
    await symlink(join(await temporaryFolder(), 'state.json'), path);
    expect(rulesOf(await held.inspect())).toEqual(['link-outside']);
    unwrap(await held.release());
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it.skipIf(process.platform !== 'linux')(
    'removes the leftover files of killed runs, but none of an active run',
    async () => {
      const { folder, store } = await freshPlace();
      const alive = await owner();
      // No process of this boot started at that tick: certainly gone.
      const gone = { ...alive, id: randomUUID(), process: { ...alive.process, startTicks: '1' } };
      const files = {
        [`state.json.lock.${gone.id}.new`]: JSON.stringify(gone),
        [`state.json.lock.${alive.id}`]: JSON.stringify(gone),
        'state.json.lock.cut-short.new': '{"id":',
        'state.json.lock.cut-short.tmp': '{"id":',
        [`state.json.lock.${alive.id}.new`]: JSON.stringify(alive),
      };
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
      await locked(store, async () => undefined);
      expect(await readdir(folder)).toEqual([`state.json.lock.${alive.id}.new`]);
    },
  );
});

describe('a lock file without a readable owner', () => {
  const withPathAsId =
    '{"id":"../../x","who":"a","operation":"a","since":"a","version":"a","process":{"host":"h","pid":1}}';

  it.each([
    ['empty', (path: string) => writeFile(path, '')],
    ['damaged', (path: string) => writeFile(path, '{"id": "x')],
    ['without an owner', (path: string) => writeFile(path, '{}')],
    ['with a path as its ID', (path: string) => writeFile(path, withPathAsId)],
    ['a link that points to nothing', (path: string) => symlink('nowhere', path)],
  ])('(%s) counts as held until it is removed by force', async (_, make) => {
    const { path, store } = await freshPlace();
    await make(`${path}.lock`);
    expect(await lock(store)).toEqual({ kind: 'held' });
    expect(unwrap(await store.lock.inspect())).toEqual({ kind: 'held', standing: 'unknown' });
    expect(await unlock(store, await owner())).toEqual({ kind: 'held' });
    expect(await unlock(store, undefined)).toEqual({ kind: 'removed' });
    expect(await lock(store)).toMatchObject({ kind: 'acquired' });
  });

  it('(a folder) is not removed, and the error explains that in plain words', async () => {
    const { path, store } = await freshPlace();
    await mkdir(`${path}.lock`);
    const unlocked = await store.lock.remove(await owner(), undefined);
    expect(unlocked).toMatchObject({ ok: false, diagnostics: [{ subject: `${path}.lock` }] });
    const [problem] = inWords(unlocked.ok ? [] : unlocked.diagnostics);
    expect(problem?.message).toMatch(/: [a-z ]+ \([A-Z]+\)$/);
  });

  it('is removed by one process at a time', async () => {
    const { path, store } = await freshPlace();
    const other = await owner('state unlock');
    await writeFile(`${path}.lock`, 'damaged');
    await writeFile(`${path}.lock.unreadable`, JSON.stringify(other));
    expect(await unlock(store, undefined, true)).toEqual({ kind: 'busy', owner: other, standing: 'alive' });
    expect(await readFile(`${path}.lock`, 'utf8')).toBe('damaged');
  });
});

describe('a lock with an unfinished step', () => {
  /** Of another boot or another container: it is unknown here whether it has ended. */
  async function unknownOwner() {
    const here = await owner();
    return { ...here, process: { ...here.process, bootId: '00000000-0000-4000-8000-000000000000' } };
  }

  it.each([
    ['of its holder', 0],
    ['of a successor', 1],
    ['of a second successor', 2],
  ])('(%s) is removed only by force if that may have ended', async (_, others) => {
    const { folder, path, store } = await freshPlace();
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
    expect(await unlock(store, holder)).toEqual(busy);
    expect(await unlock(store, holder, true)).toEqual({ kind: 'removed' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays, even by force, if its process is alive here', async () => {
    const { folder, path, store } = await freshPlace();
    const holder = await owner();
    for (const file of [`${path}.lock`, `${path}.lock.${holder.id}`])
      await writeFile(file, JSON.stringify(holder));
    expect(await unlock(store, holder, true)).toEqual({ kind: 'busy', owner: holder, standing: 'alive' });
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('works on after a step whose guard could not be removed', async () => {
    const { path, store } = await freshPlace();
    const holder = await owner();
    const held = await taken(store, holder);
    const guard = `${path}.lock.${holder.id}`;
    const step = async () => {
      await rm(guard);
      await mkdir(guard);
      return 'done';
    };
    expect(await whileGuarded(`${path}.lock`, holder, holder, step)).toBe('done');
    await rmdir(guard);
    await writeFile(`${guard}.${holder.id}.new`, 'left by a step before');
    unwrap(await store.write({ ...emptyState(), serial: 1 }, versionOf(emptyState())));
    unwrap(await held.release());
  });
});
