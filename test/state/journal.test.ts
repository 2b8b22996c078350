import { readFile, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { encodeLine, type JournalHeader, parseJournal } from '../../src/state/journal-format.ts';
import { JournalWriter } from '../../src/state/journal-writer.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { versionOf } from '../../src/state/version.ts';
import { rendered } from '../rig/in-words.ts';
import fc from '../rig/property.ts';
import { answered, at, emptyState, intent, owner, updating } from './events.ts';
import { possibleEvents } from './possible-events.ts';
import { freshPlace, rulesOf, unwrap } from './results.ts';

const { target } = emptyState();
const none = versionOf(emptyState());
const header: JournalHeader = { formatVersion: 2, target, ...none };

async function lockedPlace(options = {}) {
  const place = await freshPlace(options);
  await place.store.lock.take(await owner());
  return { ...place, file: `${place.path}.journal` };
}

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

/** Each place below a value: what it is in, and under which key. */
function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [[parent, key], ...placesIn(parent[key])]);
}

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

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a type that does not exist', { type: '__proto__', address: 'item.a' }],
    ['a response without a record', { type: 'answered', address: 'item.a' }],
    ['a create without a request', { type: 'create-intent', address: 'item.a', at }],
    ['an update to no path', { ...updating('item.a'), request: { path: 5 } }],
    ['a refusal that leaves no update', { type: 'update-rejected', address: 'item.a', earlier: 5 }],
    ['an address that is none', { type: 'imported', address: 5, id: '1', at }],
    ['a part of another event', { type: 'forgotten', address: 'item.a', at, answer: 5 }],
  ])('is refused with the number of the line if an event is %s', async (_, event) => {
    const { file, store } = await lockedPlace();
    const lines = [header, [intent('item.a')], [event], [intent('item.b')]];
    await writeFile(file, lines.map((line) => encodeLine(JSON.stringify(line))).join(''));
    const damaged = { rule: 'journal-damaged', values: { line: 3 } };
    expect(await readRecorded(store)).toMatchObject({ diagnostics: [damaged] });
  });

  it('is refused in our words, whatever a part of an event is replaced by', async () => {
    const { file, store } = await lockedPlace();
    const strange = fc.constantFrom<unknown>(undefined, null, 5, '', '..', [], [null], {}, true);
    const choice = fc.tuple(possibleEvents(12), fc.nat(), fc.nat(), strange);
    await fc.assert(
      fc.asyncProperty(choice, async ([events, which, part, value]) => {
        fc.pre(events.length > 0);
        const altered: unknown[] = structuredClone([...events]);
        const places = placesIn(altered[which % events.length]);
        const [parent, key] = places[part % places.length] ?? [{}, ''];
        parent[key] = value;
        const lines = [header, ...altered.map((event) => [event])];
        await writeFile(file, lines.map((line) => encodeLine(JSON.stringify(line))).join(''));
        const read = await readRecorded(store);
        if (read.ok) return;
        expect(['journal-damaged', 'journal-contradiction']).toContain(rulesOf(read)[0]);
        expect(rendered(read.diagnostics)).not.toMatch(/Cannot|is not a function|iterable|undefined/);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused at its first damaged line, however many follow', () => {
    const breaks = Buffer.alloc(150_000_000, '\n');
    expect(unwrap(parseJournal(breaks, 'x', () => true))).toBeUndefined();
    breaks.write(encodeLine(JSON.stringify(header)));
    expect(parseJournal(breaks, 'x')).toMatchObject({ diagnostics: [{ values: { line: 2 } }] });
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
