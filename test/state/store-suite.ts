import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { formatState } from '../../src/state/format.ts';
import { JournalWriter } from '../../src/state/journal-writer.ts';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import { openSession } from '../../src/state/session.ts';
import type { StateStore } from '../../src/state/store.ts';
import { versionOf } from '../../src/state/version.ts';
import { answered, emptyState, intent, manyAnswers, owner, target } from './events.ts';
import {
  crash,
  eventsOf,
  liveIn,
  locked,
  openedSession,
  rulesOf,
  stateOf,
  taken,
  unlocked,
  unwrap,
} from './results.ts';

/** A place for one state. Each store that is opened there is another process, as far as it can tell. */
export interface Place {
  readonly store: StateStore;
  readonly open: () => StateStore;
}

type FreshPlace = (options?: { readonly maxBytes?: number }) => Promise<Place>;

const first = { ...fold(emptyState(), [answered('item.a'), intent('item.b')]), serial: 1 };
const second = { ...emptyState(), serial: 2 };
const otherTarget = { ...target, teamId: 'team_8' };
const none = versionOf(emptyState());
const header = { formatVersion: 2, target, ...none } as const;
const ofFirst = { ...header, ...versionOf(first) };

const lock = async (store: StateStore) => unwrap(await store.lock.take(await owner()));
const unlock = async (store: StateStore, ...[holder, force]: [LockOwner | undefined, boolean?]) =>
  unwrap(await store.lock.remove(await owner('state unlock'), holder, force));

/** What every store promises. */
export function storeSuite(freshPlace: FreshPlace): void {
  async function stored() {
    const place = await freshPlace();
    await locked(place.store, async () => unwrap(await place.store.write(first, none)));
    return place;
  }

  async function started(...events: readonly StateEvent[]) {
    const place = await freshPlace();
    const session = await openedSession(place.store);
    for (const event of events) await session.record(event);
    return { ...place, session };
  }

  describe('the state', () => {
    it('is absent until it is written, and then the same for every reader', async () => {
      const { store, open } = await freshPlace();
      expect(unwrap(await store.read())).toBeUndefined();
      await locked(store, async () => unwrap(await store.write(first, none)));
      expect(unwrap(await open().read())).toEqual(first);
    });

    it('is replaced only in the version that the writer started with', async () => {
      const { store, open } = await freshPlace();
      await locked(store, async () => {
        unwrap(await store.write(first, none));
        for (const other of [
          none,
          versionOf({ ...first, serial: 7 }),
          versionOf({ ...emptyState(), serial: 1 }),
        ]) {
          expect(rulesOf(await store.write({ ...emptyState(), serial: 8 }, other))).toEqual([
            'state-changed',
          ]);
          expect(rulesOf(await store.verify(other))).toEqual(['state-changed']);
        }
        expect(unwrap(await store.verify(versionOf(first)))).toBeUndefined();
        expect(unwrap(await store.read())).toEqual(first);
        unwrap(await store.write(second, versionOf(first)));
      });
      expect(unwrap(await open().read())?.serial).toBe(2);
    });

    it('is not written by a process that lost its lock or has none', async () => {
      const { store, open } = await freshPlace();
      const other = open();
      await expect(store.write(first, none)).rejects.toThrow('holder of its lock');
      await store.lock.take(await owner());
      await unlocked(other);
      expect(rulesOf(await store.write(first, none))).toEqual(['state-lock-lost']);
      await locked(other, async () => {
        expect(rulesOf(await store.write(first, none))).toEqual(['state-lock-lost']);
      });
      expect(unwrap(await other.read())).toBeUndefined();
    });

    it('is not written if it would be too large to read', async () => {
      const { store } = await freshPlace({ maxBytes: formatState(first).length });
      await locked(store, async () => {
        unwrap(await store.write(first, none));
        const larger = { ...first, serial: 2, target: { ...first.target, teamId: 'x'.repeat(99) } };
        expect(rulesOf(await store.write(larger, versionOf(first)))).toEqual(['state-too-large']);
        expect(unwrap(await store.read())).toEqual(first);
      });
    });
  });

  describe('the journal', () => {
    it('returns its events in the order of their appends, until it is discarded', async () => {
      const { store, open } = await stored();
      await locked(store, async () => {
        const writer = new JournalWriter(store, ofFirst, []);
        const batch = manyAnswers(40);
        await writer.append(intent('item.first'));
        await Promise.all(batch.map((event) => writer.append(event)));
        const last = writer.append(intent('item.last'));
        await writer.close();
        await last;
        const events = [intent('item.first'), ...batch, intent('item.last')];
        expect(unwrap(await open().journal.read())).toEqual({ header: ofFirst, events });
        await expect(writer.append(intent('item.b'))).rejects.toThrow('journal-closed');
        unwrap(await store.journal.discard());
        unwrap(await store.journal.discard());
        expect(unwrap(await store.journal.read())).toBeUndefined();
      });
    });

    it('replaces an earlier journal with its first append, not before', async () => {
      const { store, open } = await stored();
      await locked(store, async () => {
        const earlier = new JournalWriter(store, ofFirst, []);
        await earlier.append(intent('item.a'));
        unwrap(await store.write(second, versionOf(first)));
        const later = new JournalWriter(store, { ...header, ...versionOf(second) }, [intent('item.a')]);
        expect(unwrap(await open().journal.read())?.header.serial).not.toBe(2);
        await later.append(intent('item.b'));
        const events = [intent('item.a'), intent('item.b')];
        expect(unwrap(await open().journal.read())).toMatchObject({ header: { serial: 2 }, events });
        await expect(earlier.append(intent('item.c'))).rejects.toThrow('journal-replaced');
        await expect(earlier.append(intent('item.d'))).rejects.toThrow('journal-replaced');
        await Promise.all([earlier.close(), later.close()]);
      });
    });

    it('is not started or discarded by a process that lost its lock', async () => {
      const { store, open } = await stored();
      const other = open();
      await store.lock.take(await owner());
      await unlocked(other);
      await locked(other, async () => {
        const next = new JournalWriter(other, ofFirst, []);
        await next.append(intent('item.next'));
        expect(rulesOf(await store.verify(versionOf(first)))).toEqual(['state-lock-lost']);
        await expect(new JournalWriter(store, ofFirst, []).append(intent('item.a'))).rejects.toThrow(
          'state-lock-lost',
        );
        await next.append(intent('item.more'));
        expect(rulesOf(await store.journal.discard())).toEqual(['state-lock-lost']);
        expect(unwrap(await other.journal.read())?.events).toHaveLength(2);
        await next.close();
      });
    });

    it('is not started for another version of the state, whatever its serial', async () => {
      const { store } = await stored();
      const branch = { ...fold(emptyState(), [answered('item.other')]), serial: 1 };
      await locked(store, async () => {
        for (const other of [branch, second]) {
          const journal = new JournalWriter(store, { ...header, ...versionOf(other) }, []);
          await expect(journal.append(intent('item.a'))).rejects.toThrow('state-changed');
        }
        expect(unwrap(await store.journal.read())).toBeUndefined();
      });
    });
  });

  describe('the lock', () => {
    it('has one holder, visible to all, and can be taken again once released', async () => {
      const { open } = await freshPlace();
      const look = async () => unwrap(await open().lock.inspect());
      expect(await look()).toEqual({ kind: 'free' });
      const holder = await owner('apply');
      const held = await taken(open(), holder);
      const seen = { kind: 'held', owner: holder, standing: 'alive' };
      expect([await look(), await look()]).toEqual([seen, seen]);
      expect(await lock(open())).toEqual({ kind: 'held', owner: holder });
      unwrap(await held.release());
      expect(await look()).toEqual({ kind: 'free' });
      expect(await lock(open())).toMatchObject({ kind: 'acquired' });
    });

    it('is removed only if it is the expected one', async () => {
      const { open } = await freshPlace();
      const holder = await owner();
      await open().lock.take(holder);
      expect(await unlock(open(), await owner())).toEqual({ kind: 'held', owner: holder });
      expect(await unlock(open(), undefined)).toEqual({ kind: 'held', owner: holder });
      expect(await unlock(open(), holder)).toEqual({ kind: 'removed' });
      expect(await unlock(open(), holder)).toEqual({ kind: 'not-locked' });
    });

    it('stays with its next holder after it was removed by force', async () => {
      const { open } = await freshPlace();
      const held = await taken(open());
      await unlocked(open());
      const next = await owner();
      await open().lock.take(next);
      unwrap(await held.release());
      expect(await lock(open())).toEqual({ kind: 'held', owner: next });
    });
  });

  describe('a session', () => {
    it('is absent if nothing is recorded and no initial state is given', async () => {
      const { store } = await freshPlace();
      expect(unwrap(await openSession(store, await owner()))).toEqual({ kind: 'absent' });
      await (await openedSession(store)).close();
    });

    it('is refused for another target, and releases the lock', async () => {
      const { store } = await stored();
      const outcome = await openSession(store, await owner(), { target: otherTarget });
      expect(rulesOf(outcome)).toEqual(['state-of-another-target']);
      expect(JSON.stringify(outcome)).toMatch(/team_7.*team_8/);
      await (await openedSession(store)).close();
    });

    it('saves a change of the whole state', async () => {
      const { store, session } = await started(answered('item.a'));
      unwrap(await session.save({ ...session.current(), entries: [] }));
      await session.close();
      expect(liveIn(await stateOf(store))).toEqual([]);
    });

    it('keeps events that are recorded during a save for the journal and the next save', async () => {
      const { store, session } = await started(answered('item.before'));
      const saving = session.save();
      const recording = Promise.all(manyAnswers(20).map((event) => session.record(event)));
      expect(liveIn(unwrap(await saving))).toEqual(['item.before']);
      await recording;
      await crash(store, session);
      const next = await openedSession(store);
      expect([next.recovered, liveIn(next.state).length]).toEqual([20, 21]);
      await next.close();
    });

    it('records nothing more once its lock was removed', async () => {
      const { store, session } = await started(intent('item.a'));
      await unlocked(store);
      await expect(session.record(answered('item.a'))).rejects.toMatchObject({ code: 'ESTALE' });
      await session.close();
    });

    it('throws for an impossible event, which it does not record, and once it is closed', async () => {
      const { store, session } = await started(answered('item.a'));
      const impossible = session.record({ type: 'create-unknown', address: 'item.b', reason: 'x' });
      await expect(impossible).rejects.toThrow('item.b');
      await session.close();
      await expect(session.record(answered('item.b'))).rejects.toThrow('closed');
      expect(await eventsOf(store)).toEqual([answered('item.a')]);
    });

    it('has every event once, even after further crashes', async () => {
      const { store } = await freshPlace();
      for (const address of ['item.a', 'item.b', 'item.c'] as const) {
        const session = await openedSession(store);
        await session.record(answered(address));
        await crash(store, session);
      }
      const last = await openedSession(store);
      expect(last.recovered).toBe(3);
      unwrap(await last.save());
      await last.close();
      expect(await eventsOf(store)).toEqual([]);
      expect(liveIn(unwrap(await store.read()))).toEqual(['item.a', 'item.b', 'item.c']);
    });
  });
}
