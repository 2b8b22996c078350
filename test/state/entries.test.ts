import { expect, test } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import { entriesOf } from '../../src/state/entries.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { answered, at, emptyState, intent, updating } from './events.ts';

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
    expect(entries.naming('item', '2')).toMatchObject([{ address: 'item.a' }]);
    expect(entries.holderOf('item', '2')).toBeUndefined();
  }
});

test('an ID of an item is not claimed by a classifier with that ID', () => {
  const state = fold(emptyState(), [{ type: 'imported', address: 'classifier.a', id: '2', at }]);
  expect(entriesOf(state).claim('item.a', '2')).toBeUndefined();
});
