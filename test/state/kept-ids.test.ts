import { describe, expect, test } from 'vitest';
import { stateCovers } from '../../src/state/coverage.ts';
import { fold } from '../../src/state/draft.ts';
import { type Entries, EntryTable, entriesOf } from '../../src/state/entries.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { answered, at, emptyState, intent, itemRecord, updating } from './events.ts';

const state = (...events: readonly StateEvent[]) => fold(emptyState(), events);
const forgotten: StateEvent = { type: 'forgotten', address: 'item.a', at };
const retired: StateEvent = { type: 'retired', address: 'item.a', at };
const imported: StateEvent = { type: 'imported', address: 'item.a', id: '1', at };
const gone = (id: string, more = {}) => ({ status: 'forgotten', address: 'item.a', id, at, ...more });

describe('the IDs of an address, once it was forgotten,', () => {
  test.each<[string, readonly StateEvent[], readonly object[]]>([
    [
      'are those of its records',
      [answered('item.a', '1'), forgotten],
      [gone('1', { names: { 1: 'Item 1' } })],
    ],
    [
      'are also those of its retired records',
      [answered('item.a', '1'), answered('item.a', '2'), forgotten],
      [gone('2', { names: { 1: 'Item 1', 2: 'Item 2' }, others: ['1'] })],
    ],
    ['have no name if they were only imported', [imported, forgotten], [gone('1')]],
    ['are none if nothing was recorded', [forgotten], []],
    [
      'are kept without the one that another record follows',
      [answered('item.a', '1'), answered('item.a', '2'), forgotten, answered('item.a', '3')],
      [{ status: 'live', address: 'item.a', ...itemRecord('3') }, gone('1')],
    ],
    [
      'are gone if the only one was followed',
      [answered('item.a', '1'), forgotten, answered('item.a', '2')],
      [{ status: 'live', address: 'item.a', ...itemRecord('2') }],
    ],
    [
      'all stay open if another resource is moved there',
      [
        answered('item.a', '1'),
        answered('item.a', '2'),
        forgotten,
        answered('item.b', '3'),
        { type: 'moved', from: 'item.b', to: 'item.a' },
      ],
      [{ status: 'live', address: 'item.a', ...itemRecord('3') }, gone('2', { others: ['1'] })],
    ],
    [
      'stay open after an update of the other one, with their name',
      [
        answered('item.a', '1'),
        forgotten,
        answered('item.b', '2'),
        { type: 'moved', from: 'item.b', to: 'item.a' },
        answered('item.a', '2'),
      ],
      [{ status: 'live', address: 'item.a', ...itemRecord('2') }, gone('1', { names: { 1: 'Item 1' } })],
    ],
    [
      'stay open if another one is imported there',
      [answered('item.a', '0'), forgotten, imported, answered('item.a', '1')],
      [{ status: 'live', address: 'item.a', ...itemRecord('1') }, gone('0', { names: { 0: 'Item 0' } })],
    ],
    [
      'end with an import of the last one',
      [answered('item.a', '1'), forgotten, imported],
      [{ status: 'imported', id: '1' }],
    ],
    [
      'leave a pending create pending',
      [answered('item.a', '1'), intent('item.a', '2'), forgotten],
      [{ status: 'pending' }, gone('1', { names: { 1: 'Item 1' } })],
    ],
  ])('%s', (_, events, entries) => {
    expect(state(...events).entries).toMatchObject(entries);
    expect(state(...events).entries).toHaveLength(entries.length);
  });
});

test('a create of an address with an imported ID is impossible, and so is an import over a record', () => {
  expect(() => state(imported, intent('item.a', '2'))).toThrow('imported');
  for (const before of [answered('item.a', '1'), intent('item.a', '1')])
    expect(() => state(before, imported)).toThrow('already');
});

test('a retired record can be retired again, as a replayed journal may do', () => {
  const once = state(answered('item.a', '1'), retired);
  expect(fold(once, [retired])).toEqual(once);
});

describe('an entry that is taken away', () => {
  const table = (...events: readonly StateEvent[]): Entries & EntryTable =>
    new EntryTable(state(...events).entries);

  test('no longer has its ID, which the others still name', () => {
    const entries = table(answered('item.a', '1'), {
      type: 'create-unknown',
      address: 'item.b',
      reason: 'x',
      at,
      request: itemRecord('2').sent,
      otherId: '1',
    } as StateEvent);
    expect(entries.holderOf('item', '1')).toBe('item.a');
    entries.takeAll('item.a', () => true);
    expect(entries.holderOf('item', '1')).toBeUndefined();
    expect([...entries.naming('item', '1')].map(({ address }) => address)).toEqual(['item.b']);
    entries.takeAll('item.b', () => true);
    expect(entries.naming('item', '1').size).toBe(0);
    expect(entries.at('item.b')).toEqual([]);
  });

  test('leaves retired records in the order of their retirement, then of their IDs', () => {
    const later = '2027-01-01T00:00:00.000Z';
    const first = { ...itemRecord('9'), status: 'retired', address: 'item.a', retiredAt: at } as const;
    const [third, second] = [
      { ...first, id: '2', retiredAt: later },
      { ...first, id: '1', retiredAt: later },
    ];
    const sorted = new EntryTable([third, first, second]).sorted();
    expect(sorted.map((entry) => 'id' in entry && entry.id)).toEqual(['9', '1', '2']);
  });
});

test('a create claims the ID that it asked for before another one that asked for it, too', () => {
  const entries = entriesOf(state(intent('item.a', '1'), intent('item.b', '1')));
  expect(entries.claim('item.b', '1')?.address).toBe('item.b');
  expect(entries.claim('item.a', '1')?.address).toBe('item.a');
});

describe('a state covers a journal', () => {
  test.each<[string, boolean, readonly StateEvent[], readonly StateEvent[]]>([
    [
      'whose create was rejected',
      true,
      [],
      [intent('item.a'), { type: 'create-rejected', address: 'item.a' }],
    ],
    [
      'whose update was rejected',
      true,
      [answered('item.a', '1')],
      [updating('item.a', '1'), { type: 'update-rejected', address: 'item.a' }],
    ],
    [
      'only with the open update',
      false,
      [answered('item.a', '1')],
      [updating('item.a', '1', '2030-01-01T00:00:00.000Z')],
    ],
    [
      'only with the ID that an update returned',
      false,
      [answered('item.a', '1'), updating('item.a', '1')],
      [updating('item.a', '1'), { type: 'update-unknown', address: 'item.a', reason: 'x', otherId: '7' }],
    ],
    [
      'after a move, under the new address',
      true,
      [answered('item.b', '1')],
      [answered('item.a', '1'), { type: 'moved', from: 'item.a', to: 'item.b' }],
    ],
    [
      'only with a create that was moved',
      false,
      [],
      [intent('item.a'), { type: 'moved', from: 'item.a', to: 'item.b' }],
    ],
    ['without an ID that was forgotten', true, [], [answered('item.a', '1'), forgotten]],
  ])('%s', (_, isCovered, recorded, journal) => {
    expect(stateCovers(state(...recorded), journal)).toBe(isCovered);
  });
});
