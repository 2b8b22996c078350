import { describe, expect, it } from 'vitest';
import { stateCovers } from '../../src/state/coverage.ts';
import { fold, StateDraft } from '../../src/state/draft.ts';
import { entriesOf } from '../../src/state/entries.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { replacementRisks } from '../../src/state/version.ts';
import fc from '../rig/property.ts';
import { recorded } from '../rig/recorded.ts';
import { answered, at, createRequest, emptyState, intent, itemRecord, updating } from './events.ts';
import { possibleEvents } from './possible-events.ts';

const state = (...events: StateEvent[]) => fold(emptyState(), events);

const later = '2027-01-02T00:00:00.000Z';
const again = '2026-03-02T00:00:00.000Z';
const answer = itemRecord('9').answer;
const rejected: StateEvent = { type: 'create-rejected', address: 'item.a' };
const unseen: StateEvent = {
  type: 'create-unknown',
  address: 'item.a',
  reason: 'connection reset',
  otherId: '8',
  answer,
};
const retired: StateEvent = { type: 'retired', address: 'item.a', at };
const moved: StateEvent = { type: 'moved', from: 'item.a', to: 'item.b' };
const classifierIntent = {
  type: 'create-intent',
  address: 'classifier.rarity',
  at,
  request: { method: 'POST', path: '/classifiers', body: { name: 'Rarity', classifierOptions: [] } },
} as const;

const pendingA = { status: 'pending', address: 'item.a', request: createRequest('id-of-item.a'), at };
const kept = { reason: 'connection reset', otherId: '8', answer };
const returned = { type: 'update-unknown', address: 'item.a', reason: 'other ID', otherId: '8' } as const;
const inDoubt: readonly StateEvent[] = [answered('item.a', '1'), updating('item.a', '1'), returned];
const liveA = (id = 'id-of-item.a') => ({ status: 'live', address: 'item.a', ...itemRecord(id) });
const retiredA = (id: string) => ({ ...liveA(id), status: 'retired', retiredAt: at });

describe('a state built from events', () => {
  it.each<[string, readonly StateEvent[], readonly object[]]>([
    ['has a pending create once its intent is recorded', [intent('item.a')], [pendingA]],
    ['has a record once its create has a response', [intent('item.a'), answered('item.a')], [liveA()]],
    ['has nothing of a rejected create', [intent('item.a'), rejected], []],
    ['keeps what an unknown create returned', [intent('item.a'), unseen], [{ ...pendingA, ...kept }]],
    [
      'keeps what an unknown create returned, even if it is sent again',
      [intent('item.a'), unseen, { ...intent('item.a'), at: again } as StateEvent],
      [{ ...pendingA, ...kept, at: again }],
    ],
    [
      'has a pending create for a record that an update created',
      [{ ...unseen, at, request: createRequest('id-of-item.a') } as StateEvent],
      [{ ...pendingA, ...kept }],
    ],
    ['accepts a repeated create that requests an ID', [intent('item.a'), intent('item.a')], [pendingA]],
    [
      'accepts the same intent twice, even without an ID',
      [classifierIntent, classifierIntent],
      [{ ...classifierIntent, type: undefined, status: 'pending' }],
    ],
    ['keeps a retired record', [answered('item.a', '1'), retired], [retiredA('1')]],
    [
      'has a revived record with the same ID',
      [answered('item.a', '1'), retired, answered('item.a', '1')],
      [liveA('1')],
    ],
    [
      'retires the old record whenever a response has another ID',
      [answered('item.a', '1'), intent('item.a', '2'), answered('item.a', '2'), answered('item.a', '3')],
      [liveA('3'), retiredA('1'), retiredA('2')],
    ],
    [
      'has all entries of an address moved, even if the move is repeated',
      [answered('item.a', '1'), answered('item.a', '2'), intent('item.a'), moved, moved],
      [liveA('2'), pendingA, retiredA('1')].map((each) => ({ ...each, address: 'item.b' })),
    ],
    [
      'keeps the ID that an update returned, once another update has a response',
      [...inDoubt, answered('item.a', '1')],
      [{ ...liveA('1'), otherIds: ['8'] }],
    ],
    [
      'keeps the IDs that several updates returned, even if the record is retired',
      [...inDoubt, { ...returned, otherId: '7' }, answered('item.a', '1'), retired],
      [{ ...retiredA('1'), otherIds: ['8', '7'] }],
    ],
    [
      'keeps the other IDs that a create returned',
      [intent('item.a'), unseen, answered('item.a', '9')],
      [{ ...liveA('9'), otherIds: ['8'] }],
    ],
    [
      'has no other ID for a record that another address has',
      [...inDoubt, answered('item.b', '8'), answered('item.a', '1')],
      [liveA('1'), { ...liveA('8'), address: 'item.b' }],
    ],
    [
      'has the protection of a record',
      [answered('item.a'), { type: 'protection', address: 'item.a', protect: true }],
      [{ ...liveA(), protect: true }],
    ],
    [
      'has doubt about a record with an open update',
      [answered('item.a', 'a/1'), updating('item.a', 'a/1')],
      [{ ...liveA('a/1'), unconfirmed: { at, request: expect.anything() } }],
    ],
    [
      'has no doubt about another record of the same address',
      [answered('item.a', 'a/1'), updating('item.a', '1')],
      [liveA('a/1')],
    ],
  ])('%s', (_, events, entries) => {
    expect(state(...events)).toEqual({ ...emptyState(), entries });
  });

  it.each<[string, readonly StateEvent[], string]>([
    ['a second create of another record', [intent('item.a', '1'), intent('item.a', '2')], 'duplicate'],
    [
      'a second create at another time, without an ID',
      [classifierIntent, { ...classifierIntent, at: again }],
      'duplicate',
    ],
    ['the outcome of a create that is not pending', [unseen], 'item.a'],
    ['a retirement of an unrecorded resource', [retired], 'item.a'],
    ['a move onto a recorded address', [answered('item.a'), answered('item.b'), moved], 'item.a'],
    ['a move of nothing', [moved], 'item.a'],
    ['a move to another kind', [answered('item.a'), { ...moved, to: 'classifier.a' }], 'item.a'],
    [
      'an import of a second ID',
      [
        { type: 'imported', address: 'item.a', id: '1', at },
        { type: 'imported', address: 'item.a', id: '2', at },
      ],
      'Record 1',
    ],
    ['a move to itself', [answered('item.a'), { ...moved, to: 'item.a' }], 'item.a'],
  ])('cannot result from %s', (_, events, message) => {
    expect(() => state(...events)).toThrow(message);
  });
});

it('no sequence of events loses a returned ID, unless that is forgotten', () => {
  fc.assert(
    fc.property(
      possibleEvents(30, ({ type }) => type !== 'forgotten'),
      (events) => {
        const answeredIds = events.flatMap((event) => (event.type === 'answered' ? [event.record.id] : []));
        const whole = fold(emptyState(), events);
        const { live, retired } = recorded(whole);
        const known = new Set([...Object.values(live), ...retired].map(({ id }) => id));
        expect(answeredIds.filter((id) => !known.has(id))).toEqual([]);
        const returnedIds = events.flatMap((event, before) => {
          if (event.type !== 'update-unknown' || event.otherId === undefined) return [];
          const isOpen = entriesOf(fold(emptyState(), events.slice(0, before))).record(
            event.address,
          )?.unconfirmed;
          return isOpen ? [event.otherId] : [];
        });
        expect(returnedIds.filter((id) => entriesOf(whole).naming('item', id).size === 0)).toEqual([]);
      },
    ),
  );
});

it('a state covers its journal only with all of its IDs and creates', () => {
  fc.assert(
    fc.property(possibleEvents(30), (events) => {
      const whole = fold(emptyState(), events);
      expect(stateCovers(whole, events)).toBe(true);
      for (const entry of whole.entries.filter(({ status }) => status !== 'forgotten')) {
        const without = { ...whole, entries: whole.entries.filter((each) => each !== entry) };
        expect(stateCovers(without, events)).toBe(false);
      }
    }),
  );
});

it('folding events does not change the initial state', () => {
  const before = state(answered('item.a', '1'), intent('item.b'));
  const copy = structuredClone(before);
  fold(before, [answered('item.a', '2'), answered('item.b'), { type: 'retired', address: 'item.b', at }]);
  expect(before).toEqual(copy);
});

describe('the journal of an open update', () => {
  const before = [answered('item.a', '1')];
  const open = updating('item.a', '1', later);
  const refused = { type: 'update-rejected', address: 'item.a' } as const;
  const { request } = open as Extract<StateEvent, { type: 'update-intent' }>;

  it.each<[string, readonly StateEvent[], readonly StateEvent[], boolean]>([
    ['is not covered by a state with the response before it', before, [open], false],
    ['is not covered by such a state after a move', [...before, moved], [open], false],
    [
      'is not covered by such a state if a second update was refused',
      before,
      [{ ...refused, earlier: { request, at: later } }],
      false,
    ],
    ['is covered by such a state if the update was refused', before, [open, refused], true],
    [
      'is covered by such a state if the record was forgotten',
      [...before, { type: 'forgotten', address: 'item.a', at }],
      [open],
      true,
    ],
  ])('%s', (_, recorded, journal, covers) => {
    expect(stateCovers(state(...recorded), journal)).toBe(covers);
  });
});

describe('an item and a classifier with the same ID', () => {
  const classifier: StateEvent = { type: 'imported', address: 'classifier.a', id: '1', at };
  const onlyItem = state(answered('item.a', '1'));
  const both = fold(onlyItem, [classifier]);

  it('are two records: a state with one does not cover the other', () => {
    expect(stateCovers(onlyItem, [classifier])).toBe(false);
    expect(stateCovers(both, [classifier])).toBe(true);
  });

  it('are two records: a state with one does not replace both', () => {
    expect(replacementRisks(both, onlyItem).lost).toMatchObject([{ address: 'classifier.a', id: '1' }]);
  });
});

describe('replacing a state reports the loss of', () => {
  const lost = (recorded: readonly StateEvent[], replacement: readonly StateEvent[]) =>
    replacementRisks(state(...recorded), state(...replacement)).lost;
  const created = [intent('item.a'), unseen];
  const changed = createRequest('id-of-item.a');
  const request = { ...changed, body: { ...changed.body, rollNumerator: 2 } };
  const changedIntent: StateEvent = { type: 'create-intent', address: 'item.a', at: later, request };
  const inDoubt = [answered('item.a', '1'), updating('item.a', '1', later)];
  const repeated: StateEvent = {
    type: 'answered',
    address: 'item.a',
    record: { ...itemRecord('1'), at: '2027-01-03T00:00:00.000Z' },
  };

  it.each<[string, readonly StateEvent[], readonly StateEvent[], readonly object[]]>([
    [
      'the IDs that a pending create returned',
      created,
      [intent('item.a')],
      [
        { what: 'id', address: 'item.a', id: '9' },
        { what: 'id', address: 'item.a', id: '8' },
        { what: 'create', address: 'item.a' },
      ],
    ],
    [
      'one of two IDs that a pending create returned',
      created,
      [answered('item.a', '9')],
      [{ what: 'id', id: '8' }],
    ],
    ['a pending create', [intent('item.a')], [], [{ what: 'create', address: 'item.a' }]],
    [
      'a pending create, despite one with another ID',
      [intent('item.a', '1')],
      [intent('item.a', '2')],
      [{ what: 'create', address: 'item.a' }],
    ],
    ['nothing if a create was resent with another body', [intent('item.a')], [changedIntent], []],
    ['nothing if a create has an outcome', [intent('item.a')], [answered('item.a')], []],
    ['an open update', inDoubt, [answered('item.a', '1')], [{ what: 'update', address: 'item.a' }]],
    [
      'an open update, even if a clock was set back before it',
      [answered('item.a', '1'), updating('item.a', '1', '2020-01-01T00:00:00.000Z')],
      [answered('item.a', '1')],
      [{ what: 'update', address: 'item.a' }],
    ],
    ['nothing if an update was repeated', inDoubt, [repeated], []],
    ['the ID that an update returned', [...inDoubt, returned], [repeated], [{ what: 'id', id: '8' }]],
    [
      'nothing if the ID that an update returned is kept',
      [...inDoubt, returned],
      [...inDoubt, returned, repeated],
      [],
    ],
  ])('%s', (_, recorded, replacement, expected) => {
    expect(lost(recorded, replacement)).toMatchObject(expected);
    expect(lost(recorded, replacement)).toHaveLength(expected.length);
  });
});

describe('an unused record', () => {
  const unanswered = { type: 'update-unknown', address: 'item.a', reason: 'timeout' } as const;

  it('keeps its own doubt if another record of its address is updated', () => {
    const first = [
      answered('item.a', '1'),
      updating('item.a', '1'),
      { ...unanswered, reason: 'reset' },
      retired,
    ];
    const both = state(...first, answered('item.a', '2'), retired, updating('item.a', '2', later));
    const doubts = (after: StateEvent) =>
      fold(both, [after]).entries.map((entry) => 'unconfirmed' in entry && entry.unconfirmed?.reason);
    expect(doubts(unanswered)).toEqual(['reset', 'timeout']);
    expect(doubts({ type: 'update-rejected', address: 'item.a' })).toEqual(['reset', false]);
  });

  it('keeps the outcome of an earlier update if it is resent or reimported', () => {
    const imported = { type: 'imported', address: 'item.a', id: '1', at } as const;
    const open = state(imported, updating('item.a', '1'), unanswered);
    for (const next of [updating('item.a', '1'), imported])
      expect(fold(open, [next]).entries).toMatchObject([{ unconfirmed: { reason: 'timeout' } }]);
  });
});

it('keeps the options of a snapshot as they are while more are renamed', () => {
  const count = 10_000;
  const options = Object.fromEntries(Array.from({ length: count }, (_, n) => [`o${n}`, `id${n}`]));
  const draft = new StateDraft(state({ type: 'imported', address: 'classifier.c', at, id: 'c', options }));
  const rename = (from: string, to: string) =>
    draft.apply({ type: 'moved', from: `classifier.c.${from}`, to: `classifier.c.${to}` });
  for (let n = 0; n < count; n++) rename(`o${n}`, `p${n}`);
  const before = draft.snapshot();
  rename('p0', 'q0');
  const after = recorded(draft.snapshot()).imported[0]?.options;
  expect(recorded(before).imported[0]?.options).toMatchObject({ p0: 'id0', p9999: 'id9999' });
  expect([after?.p0, after?.q0, Object.keys(after ?? {}).length]).toEqual([undefined, 'id0', count]);
});
