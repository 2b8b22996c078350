import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { stateCovers } from '../../src/state/replay.ts';
import { replacementRisks } from '../../src/state/version.ts';
import { recorded } from '../rig/recorded.ts';
import { answered, at, createRequest, emptyState, intent, itemRecord, updating } from './events.ts';
import { possibleEvents } from './possible-events.ts';

const state = (...events: StateEvent[]) => fold(emptyState(), events);

describe('a create', () => {
  it('is pending from its intent to its answer', () => {
    const pending = state(intent('item.a'));
    expect(recorded(pending).pending).toEqual([
      { status: 'pending', address: 'item.a', request: createRequest('id-of-item.a'), at },
    ]);
    const done = fold(pending, [answered('item.a')]);
    expect(recorded(done)).toMatchObject({ pending: [], live: { 'item.a': itemRecord('id-of-item.a') } });
  });

  it('ends without a record where it was not taken', () => {
    expect(state(intent('item.a'), { type: 'create-rejected', address: 'item.a' })).toEqual(emptyState());
  });

  it('stays pending with what was seen instead of an answer', () => {
    const answer = itemRecord('9').answer;
    const unseen = state(intent('item.a'), {
      type: 'create-unknown',
      address: 'item.a',
      reason: 'connection reset',
      answer,
    });
    expect(recorded(unseen).pending).toMatchObject([
      { address: 'item.a', reason: 'connection reset', answer },
    ]);
  });

  it('may be repeated while it is pending only where both are the same record', () => {
    expect(recorded(state(intent('item.a', '1'), intent('item.a', '1'))).pending).toHaveLength(1);
    expect(() => state(intent('item.a', '1'), intent('item.a', '2'))).toThrow('duplicate');
  });

  it('keeps what an earlier try of it was answered, also where the next one ends without a word', () => {
    const answer = itemRecord('9').answer;
    const unseen: StateEvent = {
      type: 'create-unknown',
      address: 'item.a',
      reason: 'x',
      otherId: '8',
      answer,
    };
    const again = { ...intent('item.a'), at: '2026-03-02T00:00:00.000Z' };
    const kept = { at: again.at, reason: 'x', otherId: '8', answer };
    expect(recorded(state(intent('item.a'), unseen, again)).pending).toMatchObject([kept]);
  });

  it('without an id of our own may not be repeated at another time', () => {
    const request = {
      method: 'POST',
      path: '/classifiers',
      body: { name: 'Rarity', classifierOptions: [] },
    } as const;
    const first: StateEvent = { type: 'create-intent', address: 'classifier.rarity', at, request };
    expect(recorded(state(first, first)).pending).toHaveLength(1);
    expect(() => state(first, { ...first, at: '2026-03-02T00:00:00.000Z' })).toThrow('duplicate');
  });

  it('that is not pending has no outcome', () => {
    expect(() => state({ type: 'create-unknown', address: 'item.a', reason: 'x' })).toThrow('item.a');
  });
});

describe('an update', () => {
  it('leaves the record in doubt that it goes to, and not another of the same address', () => {
    const unconfirmed = (id: string) =>
      recorded(state(answered('item.a', 'a/1'), updating('item.a', id))).live['item.a']?.unconfirmed;
    expect(unconfirmed('a/1')).toMatchObject({ at });
    expect(unconfirmed('1')).toBeUndefined();
  });
});

describe('a record that is not in use', () => {
  const later = '2027-01-02T00:00:00.000Z';
  const retired = { type: 'retired', address: 'item.a', at } as const;
  const unseen = { type: 'update-unknown', address: 'item.a', reason: 'timeout' } as const;

  it('keeps its own doubt when another one of its address is written', () => {
    const first = [answered('item.a', '1'), updating('item.a', '1'), { ...unseen, reason: 'reset' }, retired];
    const both = state(...first, answered('item.a', '2'), retired, updating('item.a', '2', later));
    const doubts = (after: StateEvent) =>
      fold(both, [after]).entries.map((entry) => 'unconfirmed' in entry && entry.unconfirmed?.reason);
    expect(doubts(unseen)).toEqual(['reset', 'timeout']);
    expect(doubts({ type: 'update-rejected', address: 'item.a' })).toEqual(['reset', false]);
  });

  it('keeps what an earlier update was answered: sent again, and imported again', () => {
    const imported = { type: 'imported', address: 'item.a', id: '1', at } as const;
    const open = state(imported, updating('item.a', '1'), unseen);
    for (const again of [updating('item.a', '1'), imported])
      expect(fold(open, [again]).entries).toMatchObject([{ unconfirmed: { reason: 'timeout' } }]);
  });
});

describe('retiring', () => {
  it('keeps the record, and reviving takes it back under the same id', () => {
    const retired = state(answered('item.a', '1'), { type: 'retired', address: 'item.a', at });
    expect(recorded(retired).live).toEqual({});
    expect(recorded(retired).retired).toEqual([
      { status: 'retired', ...itemRecord('1'), address: 'item.a', retiredAt: at },
    ]);
    expect(recorded(fold(retired, [answered('item.a', '1')]))).toMatchObject({
      retired: [],
      live: { 'item.a': { id: '1' } },
    });
  });

  it('is what happens to the old id when an answer brings another one', () => {
    const replaced = state(answered('item.a', '1'), intent('item.a', '2'), answered('item.a', '2'));
    expect(recorded(replaced).live['item.a']?.id).toBe('2');
    expect(recorded(replaced).retired.map(({ address, id }) => [address, id])).toEqual([['item.a', '1']]);
  });

  it('keeps every id of an address that was replaced more than once', () => {
    const replaced = state(answered('item.a', '1'), answered('item.a', '2'), answered('item.a', '3'));
    expect(recorded(replaced).retired.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('of what is not recorded is a bug', () => {
    expect(() => state({ type: 'retired', address: 'item.a', at })).toThrow('item.a');
  });
});

describe('a move', () => {
  it('renames the record, the retired ones and the pending create', () => {
    const from = state(answered('item.a', '1'), answered('item.a', '2'), intent('item.a', '3'));
    const to = fold(from, [{ type: 'moved', from: 'item.a', to: 'item.b' }]);
    expect(Object.keys(recorded(to).live)).toEqual(['item.b']);
    expect(to.entries.map(({ address }) => address)).toEqual(['item.b', 'item.b', 'item.b']);
  });

  it('that is repeated changes nothing', () => {
    const moved: StateEvent = { type: 'moved', from: 'item.a', to: 'item.b' };
    expect(state(answered('item.a', '1'), moved, moved)).toEqual(state(answered('item.a', '1'), moved));
  });

  it.each([
    ['onto a recorded address', [answered('item.a'), answered('item.b')], 'item.b'],
    ['of nothing', [], 'item.b'],
    ['to another kind', [answered('item.a')], 'classifier.a'],
    ['to itself', [answered('item.a')], 'item.a'],
  ] as const)('%s is a bug', (_, events, to) => {
    expect(() => state(...events, { type: 'moved', from: 'item.a', to })).toThrow('item.a');
  });
});

it('protection is recorded with the resource', () => {
  const guarded = state(answered('item.a'), { type: 'protection', address: 'item.a', protect: true });
  expect(recorded(guarded).live['item.a']?.protect).toBe(true);
});

it('no sequence of events loses an id that was answered, unless a person lets it go', () => {
  fc.assert(
    fc.property(
      possibleEvents(30, ({ type }) => type !== 'forgotten'),
      (events) => {
        const answeredIds = events.flatMap((event) => (event.type === 'answered' ? [event.record.id] : []));
        const { live, retired } = recorded(fold(emptyState(), events));
        const known = new Set([...Object.values(live), ...retired].map(({ id }) => id));
        expect(answeredIds.filter((id) => !known.has(id))).toEqual([]);
      },
    ),
  );
});

it('leaves the state it began with as it was', () => {
  const before = state(answered('item.a', '1'), intent('item.b'));
  const copy = structuredClone(before);
  fold(before, [answered('item.a', '2'), answered('item.b'), { type: 'retired', address: 'item.b', at }]);
  expect(before).toEqual(copy);
});

describe('an item and a classifier with one id are two records', () => {
  const classifier: StateEvent = { type: 'imported', address: 'classifier.a', id: '1', at };
  const onlyItem = state(answered('item.a', '1'));
  const both = fold(onlyItem, [classifier]);

  it('a journal that names the one is not taken in by a state that has the other', () => {
    expect(stateCovers(onlyItem, [classifier])).toBe(false);
    expect(stateCovers(both, [classifier])).toBe(true);
  });

  it('a state that has the one does not replace a state that has both', () => {
    expect(replacementRisks(both, onlyItem).lost).toMatchObject([{ address: 'classifier.a', id: '1' }]);
  });
});
