import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import type { JournalHeader } from '../../src/state/file/journal-format.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { versionOf } from '../../src/state/version.ts';
import { answered, emptyState, intent, owner } from './events.ts';
import { possibleEvents } from './possible-events.ts';
import { rulesOf, temporaryFolder, unwrap } from './results.ts';

const { target } = emptyState();
const header: JournalHeader = { formatVersion: 2, target, ...versionOf(emptyState()) };

/** Writes each group in one commit, and tells how long the file was when its appends resolved. */
async function writtenJournal(groups: readonly (readonly StateEvent[])[]) {
  const path = join(await temporaryFolder(), 'state.json');
  const journal = await lockedJournal(path);
  const file = `${path}.journal`;
  const writer = journal.open(header, []);
  const durable: { readonly size: number; readonly events: number }[] = [];
  let count = 0;
  for (const group of groups) {
    await Promise.all(group.map((event) => writer.append(event)));
    count += group.length;
    durable.push({ size: (await readFile(file)).length, events: count });
  }
  await writer.close();
  return { file, journal, durable, bytes: await readFile(file) };
}

async function lockedJournal(path: string) {
  const store = new FileStore({ path });
  await store.lock(await owner());
  return store.journal;
}

const groups = [
  [intent('item.a')],
  [answered('item.a'), intent('item.b'), intent('item.c')],
  [answered('item.b')],
];

it('a journal that is half full takes answers and no more intents', async () => {
  const path = join(await temporaryFolder(), 'state.json');
  const store = new FileStore({ path, maxBytes: 2000 });
  await store.lock(await owner());
  const writer = store.journal.open(header, []);
  await writer.append(intent('item.a'));
  await writer.append(answered('item.a'));
  await writer.append(answered('item.b'));
  await expect(writer.append(intent('item.c'))).rejects.toMatchObject({ code: 'EFBIG' });
  await writer.append(answered('item.c'));
  await writer.close();
  expect(unwrap(await store.journal.replay())?.events).toHaveLength(4);
});

describe('a journal cut short', () => {
  it('at any byte has every event whose append resolved by then, and nothing that was not appended', async () => {
    const { file, journal, durable, bytes } = await writtenJournal(groups);
    const all = groups.flat();
    const begin = bytes.indexOf('\n') + 1;
    for (let size = bytes.length; size >= begin; size--) {
      await truncate(file, size);
      const { events } = unwrap(await journal.replay()) ?? { events: [] };
      const promised = Math.max(0, ...durable.filter((one) => one.size <= size).map((one) => one.events));
      expect(events.length).toBeGreaterThanOrEqual(promised);
      expect(events).toEqual(all.slice(0, events.length));
    }
  });

  it('by a power failure, with zeros where the last commit should be, has all before it', async () => {
    const { file, journal, durable, bytes } = await writtenJournal(groups);
    const start = durable[1]?.size ?? 0;
    const zeros = Buffer.from(bytes).fill(0, start, bytes.length - 1);
    await writeFile(file, zeros);
    expect(unwrap(await journal.replay())).toMatchObject({ events: groups.slice(0, 2).flat() });
  });

  it('in its header was never one', async () => {
    const { file, journal, bytes } = await writtenJournal(groups);
    await writeFile(file, bytes.subarray(0, 20));
    expect(rulesOf(await journal.replay())).toEqual(['journal-damaged']);
    await writeFile(file, '');
    expect(rulesOf(await journal.replay())).toEqual(['journal-damaged']);
  });
});

describe('a journal that was changed', () => {
  it('in any byte of any complete line is refused, never read with something missing', async () => {
    const { file, journal, bytes } = await writtenJournal(groups);
    const all = groups.flat();
    const silentlyWrong: number[] = [];
    for (let at = 0; at < bytes.length - 1; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x01;
      await writeFile(file, damaged);
      const replayed = await journal.replay();
      if (replayed.ok && replayed.value?.events.length !== all.length) silentlyWrong.push(at);
    }
    expect(silentlyWrong).toEqual([]);
  });

  it('is refused with the line that is damaged', async () => {
    const { file, journal, bytes } = await writtenJournal(groups);
    await writeFile(file, bytes.toString().replace('item.c', 'item.x'));
    expect(await journal.replay()).toMatchObject({
      diagnostics: [{ message: expect.stringContaining('Line 3') }],
    });
  });

  it.each([
    [1, 'journal-format-older'],
    [3, 'journal-format-newer'],
  ])('by another version of Trove is refused as such: format %i', async (formatVersion, rule) => {
    const path = join(await temporaryFolder(), 'state.json');
    const journal = await lockedJournal(path);
    const writer = journal.open({ ...header, formatVersion } as unknown as JournalHeader, []);
    await writer.append(intent('item.a'));
    await writer.close();
    expect(rulesOf(await journal.replay())).toEqual([rule]);
  });
});

it('a replay folds to the live state, whatever the events and however they were grouped', async () => {
  const path = join(await temporaryFolder(), 'state.json');
  const journal = await lockedJournal(path);
  await fc.assert(
    fc.asyncProperty(possibleEvents(12), fc.nat({ max: 12 }), async (events, together) => {
      fc.pre(events.length > 0);
      const writer = journal.open(header, events.slice(0, 2));
      await Promise.all(events.slice(2, together + 2).map((event) => writer.append(event)));
      for (const event of events.slice(together + 2)) await writer.append(event);
      await writer.close();
      const replayed = unwrap(await journal.replay());
      const wanted = events.length > 2 ? events : undefined;
      if (wanted) expect(fold(emptyState(), replayed?.events ?? [])).toEqual(fold(emptyState(), wanted));
    }),
    { numRuns: 60 },
  );
});
