import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import type { LockOutcome } from '../../src/state/file/lock.ts';
import type { FileStore } from '../../src/state/file/store.ts';
import { formatState } from '../../src/state/format.ts';
import { versionOf } from '../../src/state/version.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { answered, emptyState, intent, owner } from './events.ts';
import { rulesOf, unwrap } from './results.ts';

/**
 * What every backend has to keep. `place` makes a fresh place for one state, and gives a function that opens
 * it anew: each call is another process, as far as the store can tell.
 */
export function storeSuite(name: string, place: () => Promise<() => FileStore>): void {
  const events: StateEvent[] = [answered('item.a'), intent('item.b')];
  const first = { ...fold(emptyState(), events), serial: 1 };
  const none = versionOf(emptyState());

  describe(`${name}: the state`, () => {
    it('is absent until it is written, and then the same for everybody', async () => {
      const open = await place();
      const store = open();
      expect(unwrap(await store.read())).toBeUndefined();
      await locked(store, async () => unwrap(await store.write(first, none)));
      expect(unwrap(await open().read())).toEqual(first);
    });

    it('is only swapped for the version that the writer began with', async () => {
      const open = await place();
      const store = open();
      await locked(store, async () => {
        unwrap(await store.write(first, none));
        expect(rulesOf(await store.write({ ...emptyState(), serial: 1 }, none))).toEqual(['state-changed']);
        expect(
          rulesOf(await store.write({ ...emptyState(), serial: 8 }, versionOf({ ...first, serial: 7 }))),
        ).toEqual(['state-changed']);
        expect(formatState(unwrap(await store.read()) ?? emptyState())).toBe(formatState(first));
        unwrap(await store.write({ ...emptyState(), serial: 2 }, versionOf(first)));
      });
      expect(unwrap(await open().read())?.serial).toBe(2);
    });

    it('is not written by who lost the lock', async () => {
      const open = await place();
      const [store, other] = [open(), open()];
      await store.lock(await owner());
      await unlocked(other);
      expect(rulesOf(await store.write(first, none))).toEqual(['state-lock-lost']);
      await locked(other, async () => {
        expect(rulesOf(await store.write(first, none))).toEqual(['state-lock-lost']);
      });
      expect(unwrap(await other.read())).toBeUndefined();
    });
  });

  describe(`${name}: the lock`, () => {
    it('can be looked at by everybody, and stays as it is', async () => {
      const open = await place();
      expect(unwrap(await open().inspectLock())).toEqual({ kind: 'free' });
      const holder = await owner('apply');
      const { release } = acquired(await open().lock(holder));
      const seen = { kind: 'held', owner: holder, standing: 'alive' };
      expect([unwrap(await open().inspectLock()), unwrap(await open().inspectLock())]).toEqual([seen, seen]);
      unwrap(await release());
      expect(unwrap(await open().inspectLock())).toEqual({ kind: 'free' });
    });

    it('has one holder, who is named to everybody else, and can be taken once given back', async () => {
      const open = await place();
      const holder = await owner('apply');
      const release = acquired(await open().lock(holder)).release;
      expect(unwrap(await open().lock(await owner()))).toEqual({ kind: 'held', owner: holder });
      unwrap(await release());
      acquired(await open().lock(await owner()));
    });

    it('is only removed where it is the one that is meant', async () => {
      const open = await place();
      const holder = await owner();
      await open().lock(holder);
      expect(unwrap(await open().unlock(await owner(), await owner()))).toEqual({
        kind: 'held',
        owner: holder,
      });
      expect(unwrap(await open().unlock(await owner(), undefined))).toEqual({ kind: 'held', owner: holder });
      expect(unwrap(await open().unlock(await owner(), holder))).toEqual({ kind: 'removed' });
      expect(unwrap(await open().unlock(await owner(), holder))).toEqual({ kind: 'not-locked' });
    });

    it('that was removed by force is not taken from the next holder', async () => {
      const open = await place();
      const { release } = acquired(await open().lock(await owner()));
      await unlocked(open());
      const next = await owner();
      await open().lock(next);
      unwrap(await release());
      expect(unwrap(await open().lock(await owner()))).toEqual({ kind: 'held', owner: next });
    });
  });

  describe(`${name}: the journal`, () => {
    const { target } = first;
    const header = { formatVersion: 2, target, ...versionOf(first) } as const;
    const second = { ...first, serial: 2 };

    /** With the state stored that the journal continues. */
    async function stored(): Promise<() => FileStore> {
      const open = await place();
      const store = open();
      await locked(store, async () => unwrap(await store.write(first, none)));
      return open;
    }

    it('gives back in order what was appended, together and one after another', async () => {
      const open = await stored();
      const store = open();
      await locked(store, async () => {
        const writer = store.journal.open(header, []);
        const batch = Array.from({ length: 40 }, (_, n) => answered(`item.n${n}`));
        await writer.append(intent('item.first'));
        await Promise.all(batch.map((event) => writer.append(event)));
        await writer.append(intent('item.last'));
        const expected = [intent('item.first'), ...batch, intent('item.last')];
        expect(unwrap(await open().journal.replay())).toEqual({ header, events: expected });
        await writer.close();
      });
    });

    it('replaces an earlier one with its first append, and not before', async () => {
      const open = await stored();
      const store = open();
      await locked(store, async () => {
        const earlier = store.journal.open(header, []);
        await earlier.append(intent('item.a'));
        unwrap(await store.write(second, versionOf(first)));
        const later = store.journal.open({ ...header, ...versionOf(second) }, [intent('item.a')]);
        expect(unwrap(await open().journal.replay())?.header.serial).toBe(1);
        await later.append(intent('item.b'));
        const replayed = unwrap(await open().journal.replay());
        expect(replayed).toMatchObject({
          header: { serial: 2 },
          events: [intent('item.a'), intent('item.b')],
        });
        await expect(earlier.append(intent('item.c'))).rejects.toThrow('replaced by somebody else');
        await expect(earlier.append(intent('item.d'))).rejects.toThrow('replaced by somebody else');
        await Promise.all([earlier.close(), later.close()]);
      });
    });

    it('is neither begun nor discarded by who lost the lock, and the one of the next holder stays', async () => {
      const open = await stored();
      const [store, other] = [open(), open()];
      await store.lock(await owner());
      await unlocked(other);
      await locked(other, async () => {
        const next = other.journal.open(header, []);
        await next.append(intent('item.next'));
        expect(rulesOf(await store.verify(versionOf(first)))).toEqual(['state-lock-lost']);
        await expect(store.journal.open(header, []).append(intent('item.a'))).rejects.toThrow('lock');
        await next.append(intent('item.more'));
        expect(rulesOf(await store.journal.discard())).toEqual(['state-lock-lost']);
        expect(unwrap(await other.journal.replay())?.events).toHaveLength(2);
        await next.close();
      });
    });

    it('is not begun for another version than the one that is stored, whatever its serial', async () => {
      const open = await stored();
      const store = open();
      const branch = { ...fold(emptyState(), [answered('item.other')]), serial: 1 };
      await locked(store, async () => {
        for (const other of [branch, second]) {
          expect(rulesOf(await store.verify(versionOf(other)))).toEqual(['state-changed']);
          expect(rulesOf(await store.write({ ...other, serial: 3 }, versionOf(other)))).toEqual([
            'state-changed',
          ]);
          const journal = store.journal.open({ ...header, ...versionOf(other) }, []);
          await expect(journal.append(intent('item.a'))).rejects.toThrow('changed');
        }
        expect(unwrap(await store.verify(versionOf(first)))).toBeUndefined();
        expect(unwrap(await store.journal.replay())).toBeUndefined();
      });
    });

    it('takes nothing after it was closed, and is gone once discarded', async () => {
      const open = await stored();
      const store = open();
      await locked(store, async () => {
        const writer = store.journal.open(header, []);
        const under = writer.append(intent('item.a'));
        await writer.close();
        await under;
        await expect(writer.append(intent('item.b'))).rejects.toThrow('closed');
        unwrap(await store.journal.discard());
        unwrap(await store.journal.discard());
        expect(unwrap(await store.journal.replay())).toBeUndefined();
      });
    });
  });
}

/** Removes the lock, whoever holds it. */
export async function unlocked(store: FileStore): Promise<void> {
  const found = unwrap(await store.inspectLock());
  if (found.kind !== 'held') throw new Error('Nobody holds the lock.');
  expect(unwrap(await store.unlock(await owner('state unlock'), found.owner))).toEqual({ kind: 'removed' });
}

export function acquired(locked: Result<LockOutcome>): Extract<LockOutcome, { kind: 'acquired' }> {
  const outcome = unwrap(locked);
  if (outcome.kind === 'acquired') return outcome;
  throw new Error(`The lock was not acquired: ${JSON.stringify(outcome)}`);
}

async function locked(store: FileStore, work: () => Promise<unknown>): Promise<void> {
  const { release } = acquired(await store.lock(await owner()));
  await work();
  unwrap(await release());
}
