import { readFile, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import type { JournalHeader } from '../../src/state/journal-format.ts';
import { JournalWriter } from '../../src/state/journal-writer.ts';
import { versionOf } from '../../src/state/version.ts';
import fc from '../rig/property.ts';
import { answered, emptyState, intent, manyAnswers, owner } from './events.ts';
import { possibleEvents } from './possible-events.ts';
import { freshPlace, locked, rulesOf, unlocked, unwrap } from './results.ts';

const { target } = emptyState();
const none = versionOf(emptyState());
const header: JournalHeader = { formatVersion: 2, target, ...none };

async function lockedPlace(options = {}) {
  const place = await freshPlace(options);
  await place.store.lock.take(await owner());
  return { ...place, file: `${place.path}.journal` };
}

describe('the journal of a stored state', () => {
  const first = { ...fold(emptyState(), [answered('item.a'), intent('item.b')]), serial: 1 };
  const second = { ...first, serial: 2 };
  const ofFirst = { ...header, ...versionOf(first) };

  async function stored() {
    const place = await freshPlace();
    await locked(place.store, async () => unwrap(await place.store.write(first, none)));
    return place;
  }

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
      expect(unwrap(await open().journal.read())?.header.serial).toBe(1);
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

it('a journal that is half full accepts responses, but no more intents', async () => {
  const { store } = await lockedPlace({ maxBytes: 2000 });
  const writer = new JournalWriter(store, header, []);
  await writer.append(intent('item.a'));
  await writer.append(answered('item.a'));
  await writer.append(answered('item.b'));
  await expect(writer.append(intent('item.c'))).rejects.toMatchObject({ code: 'EFBIG' });
  await writer.append(answered('item.c'));
  await writer.close();
  expect(unwrap(await store.journal.read())?.events).toHaveLength(4);
});

const groups = [
  [intent('item.a')],
  [answered('item.a'), intent('item.b'), intent('item.c')],
  [answered('item.b')],
];
const all = groups.flat();

/** Writes each group in one commit, and returns the length of the file when its appends resolved. */
async function writtenJournal() {
  const { file, store } = await lockedPlace();
  const writer = new JournalWriter(store, header, []);
  const durable: { readonly size: number; readonly events: number }[] = [];
  let events = 0;
  for (const group of groups) {
    await Promise.all(group.map((event) => writer.append(event)));
    events += group.length;
    durable.push({ size: (await readFile(file)).length, events });
  }
  await writer.close();
  return { file, store, durable, bytes: await readFile(file) };
}

describe('a truncated journal', () => {
  it('contains every event whose append resolved, and none that was not appended', async () => {
    const { file, store, durable, bytes } = await writtenJournal();
    const begin = bytes.indexOf('\n') + 1;
    for (let size = bytes.length; size >= begin; size--) {
      await truncate(file, size);
      const { events } = unwrap(await store.journal.read()) ?? { events: [] };
      const promised = Math.max(0, ...durable.filter((one) => one.size <= size).map((one) => one.events));
      expect(events.length).toBeGreaterThanOrEqual(promised);
      expect(events).toEqual(all.slice(0, events.length));
    }
  });

  it('contains all events before a commit that a power failure left as zeros', async () => {
    const { file, store, durable, bytes } = await writtenJournal();
    const start = durable[1]?.size ?? 0;
    await writeFile(file, Buffer.from(bytes).fill(0, start, bytes.length - 1));
    expect(unwrap(await store.journal.read())?.events).toEqual(groups.slice(0, 2).flat());
  });

  it('is refused if it ends in its header', async () => {
    const { file, store, bytes } = await writtenJournal();
    for (const size of [20, 0]) {
      await writeFile(file, bytes.subarray(0, size));
      expect(rulesOf(await store.journal.read())).toEqual(['journal-damaged']);
    }
  });
});

describe('an altered journal', () => {
  it('is refused for any changed byte in a complete line', async () => {
    const { file, store, bytes } = await writtenJournal();
    const silentlyWrong: number[] = [];
    for (let at = 0; at < bytes.length - 1; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x01;
      await writeFile(file, damaged);
      const replayed = await store.journal.read();
      if (replayed.ok && replayed.value?.events.length !== all.length) silentlyWrong.push(at);
    }
    expect(silentlyWrong).toEqual([]);
  });

  it('is refused with the number of the damaged line', async () => {
    const { file, store, bytes } = await writtenJournal();
    await writeFile(file, bytes.toString().replace('item.c', 'item.x'));
    const damaged = { rule: 'journal-damaged', values: { line: 3 } };
    expect(await store.journal.read()).toMatchObject({ diagnostics: [damaged] });
  });

  it.each([
    [1, 'journal-format-older'],
    [3, 'journal-format-newer'],
  ])('with format %i is refused as one of another version of Trove', async (formatVersion, rule) => {
    const { store } = await lockedPlace();
    const writer = new JournalWriter(store, { ...header, formatVersion } as unknown as JournalHeader, []);
    await writer.append(intent('item.a'));
    await writer.close();
    expect(rulesOf(await store.journal.read())).toEqual([rule]);
  });
});

it('a replay gives the live state, however the events were grouped', async () => {
  const { store } = await lockedPlace();
  const append = async (events: readonly StateEvent[], together: number) => {
    const writer = new JournalWriter(store, header, events.slice(0, 2));
    await Promise.all(events.slice(2, together + 2).map((event) => writer.append(event)));
    for (const event of events.slice(together + 2)) await writer.append(event);
    await writer.close();
  };
  await fc.assert(
    fc.asyncProperty(possibleEvents(12), fc.nat({ max: 12 }), async (events, together) => {
      fc.pre(events.length > 2);
      await append(events, together);
      const replayed = unwrap(await store.journal.read());
      expect(fold(emptyState(), replayed?.events ?? [])).toEqual(fold(emptyState(), events));
    }),
    { numRuns: 60 },
  );
});
