import { expect, test } from 'vitest';
import { fold, StateDraft } from '../../src/state/draft.ts';
import { EntryTable, entriesOf } from '../../src/state/entries.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { formatState } from '../../src/state/format.ts';
import type { StateEntry } from '../../src/state/model.ts';
import { answered, at, createRequest, emptyState, intent, itemRecord, updating } from './events.ts';

const response = (address: 'item.a' | 'item.b', otherId: string): StateEvent => {
  return { type: 'create-unknown', address, reason: 'other ID', otherId };
};
const asksFor2 = [intent('item.b', '2')];
const updatedWith2: readonly StateEvent[] = [
  answered('item.a', '1'),
  updating('item.a', '1'),
  { type: 'update-unknown', address: 'item.a', reason: 'other ID', otherId: '2' },
];
const answeredWith2 = [intent('item.a', '1'), response('item.a', '2')];

test.each<[string, readonly StateEvent[], 'item.a' | 'item.b' | 'item.c', string | undefined]>([
  ['nothing, if no entry names it', asksFor2.slice(1), 'item.a', undefined],
  ['the record that has it', [answered('item.a', '2')], 'item.b', 'item.a'],
  [
    'the retired record',
    [answered('item.a', '2'), { type: 'retired', address: 'item.a', at }],
    'item.b',
    'item.a',
  ],
  ['the create that asked for it', asksFor2, 'item.a', 'item.b'],
  [
    'the create that asked, not the one that was answered',
    [...answeredWith2, ...asksFor2],
    'item.a',
    'item.b',
  ],
  ['nothing, if a create was only answered with it', answeredWith2, 'item.b', undefined],
  ['nothing, if an update was only answered with it', updatedWith2, 'item.b', undefined],
  [
    'the create that asked, not the record whose update was answered with it',
    [...updatedWith2, ...asksFor2],
    'item.a',
    'item.b',
  ],
  [
    'nothing, if it was forgotten',
    [answered('item.a', '2'), { type: 'forgotten', address: 'item.a', at }],
    'item.b',
    undefined,
  ],
])('an ID is claimed by %s', (_, events, own, claimant) => {
  expect(entriesOf(fold(emptyState(), events)).claim(own, '2')?.address).toBe(claimant);
});

test('an ID that an update was answered with is known, also after the next update', () => {
  for (const events of [updatedWith2, [...updatedWith2, answered('item.a', '1')]]) {
    const entries = entriesOf(fold(emptyState(), events));
    expect([...entries.naming('item', '2')]).toMatchObject([{ address: 'item.a' }]);
    expect(entries.holderOf('item', '2')).toBeUndefined();
  }
});

test('an ID of an item is not claimed by a classifier with that ID', () => {
  const state = fold(emptyState(), [{ type: 'imported', address: 'classifier.a', id: '2', at }]);
  expect(entriesOf(state).claim('item.a', '2')).toBeUndefined();
});

test.each<[string, (n: number) => StateEntry]>([
  [
    'was retired at one address',
    (n) => ({ ...itemRecord(`${n}`), status: 'retired', address: 'item.a', retiredAt: `${n % 7}` }),
  ],
  [
    'asks for one ID',
    (n) => ({ status: 'pending', address: `item.n${n}`, at, request: createRequest('same') }),
  ],
])('an entry that %s is added, found and taken away without a look at all others', (_, make) => {
  let looks = 0;
  const get = (entry: StateEntry, key: string) => {
    looks += 1;
    return Reflect.get(entry, key);
  };
  const entries = Array.from({ length: 2000 }, (_, n) => new Proxy(make(n), { get }));
  const table = new EntryTable();
  for (const entry of entries) {
    table.add(entry);
    table.claim(entry.address, 'same');
    table.find('retired', entry.address);
  }
  for (const entry of entries) table.remove(entry);
  expect(table.sorted()).toEqual([]);
  expect(looks / entries.length).toBeLessThan(300);
});

test('records that are moved together have their new address everywhere, and no earlier state changes', () => {
  const thousands = Array.from({ length: 3000 }, (_, at) => answered('item.a', `id-${at}`));
  const draft = new StateDraft(emptyState());
  for (const event of thousands) draft.apply(event);
  const before = draft.snapshot();
  const text = formatState(before);
  const states = [];
  for (let time = 0; time < 3001; time++) {
    const [from, to] = time % 2 === 0 ? (['item.a', 'item.b'] as const) : (['item.b', 'item.a'] as const);
    draft.apply({ type: 'moved', from, to });
    if (time === 1) states.push(draft.snapshot());
  }
  const { entries } = draft;
  expect([entries.at('item.a').length, entries.at('item.b').length]).toEqual([0, 3000]);
  expect([...entries.naming('item', 'id-7')]).toMatchObject([{ address: 'item.b' }]);
  expect(entries.holderOf('item', 'id-2999')).toBe('item.b');
  expect([before, ...states].map(formatState)).toEqual([text, text]);
});

test('an ID that was let go of before others of its address is still named', () => {
  const forgotten = { type: 'forgotten', address: 'item.a', at } as const;
  const imported = (id: string) => ({ type: 'imported', address: 'item.a', at, id }) as const;
  const events = [answered('item.a', '1'), answered('item.a', '2'), answered('item.a', '3'), forgotten];
  const draft = new StateDraft(emptyState());
  for (const event of [...events, imported('4'), forgotten, imported('5'), forgotten]) {
    draft.apply(event);
    for (const id of ['1', '2', '3', '4', '5']) draft.entries.naming('item', id);
  }
  for (const id of ['5', '1', '2'])
    expect([...draft.entries.naming('item', id)]).toMatchObject([{ status: 'forgotten' }]);
});
