import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { stateCovers } from '../../src/state/replay.ts';
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
const liveA = (id = 'id-of-item.a') => ({ status: 'live', address: 'item.a', ...itemRecord(id) });
const retiredA = (id: string) => ({ ...liveA(id), status: 'retired', retiredAt: at });

describe('what events leave', () => {
  it.each<[string, readonly StateEvent[], readonly object[]]>([
    ['a create is pending from its intent', [intent('item.a')], [pendingA]],
    ['a create ends with its answer', [intent('item.a'), answered('item.a')], [liveA()]],
    ['a create that was not taken leaves nothing', [intent('item.a'), rejected], []],
    ['what was seen instead of an answer is kept', [intent('item.a'), unseen], [{ ...pendingA, ...kept }]],
    [
      'also where the next try of the create ends without a word',
      [intent('item.a'), unseen, { ...intent('item.a'), at: again } as StateEvent],
      [{ ...pendingA, ...kept, at: again }],
    ],
    [
      'a record that an update has made is pending like one of a create',
      [{ ...unseen, at, request: createRequest('id-of-item.a') } as StateEvent],
      [{ ...pendingA, ...kept }],
    ],
    ['a create with an id of our own may be repeated', [intent('item.a'), intent('item.a')], [pendingA]],
    [
      'one without may not, but the same intent may be read again',
      [classifierIntent, classifierIntent],
      [{ ...classifierIntent, type: undefined, status: 'pending' }],
    ],
    ['a retired record is kept', [answered('item.a', '1'), retired], [retiredA('1')]],
    [
      'reviving takes it back under the same id',
      [answered('item.a', '1'), retired, answered('item.a', '1')],
      [liveA('1')],
    ],
    [
      'an answer with another id retires the old one, each time',
      [answered('item.a', '1'), intent('item.a', '2'), answered('item.a', '2'), answered('item.a', '3')],
      [liveA('3'), retiredA('1'), retiredA('2')],
    ],
    [
      'a move renames the record, the retired ones and the pending create, also if it is repeated',
      [answered('item.a', '1'), answered('item.a', '2'), intent('item.a'), moved, moved],
      [liveA('2'), pendingA, retiredA('1')].map((each) => ({ ...each, address: 'item.b' })),
    ],
    [
      'protection is recorded with the resource',
      [answered('item.a'), { type: 'protection', address: 'item.a', protect: true }],
      [{ ...liveA(), protect: true }],
    ],
    [
      'an update leaves the record in doubt that it goes to',
      [answered('item.a', 'a/1'), updating('item.a', 'a/1')],
      [{ ...liveA('a/1'), unconfirmed: { at, request: expect.anything() } }],
    ],
    [
      'and not another of the same address',
      [answered('item.a', 'a/1'), updating('item.a', '1')],
      [liveA('a/1')],
    ],
  ])('%s', (_, events, entries) => {
    expect(state(...events)).toEqual({ ...emptyState(), entries });
  });

  it.each<[string, readonly StateEvent[], string]>([
    ['a second create of another record', [intent('item.a', '1'), intent('item.a', '2')], 'duplicate'],
    [
      'a second create at another time, without an id of our own',
      [classifierIntent, { ...classifierIntent, at: again }],
      'duplicate',
    ],
    ['the outcome of a create that is not pending', [unseen], 'item.a'],
    ['a retirement of what is not recorded', [retired], 'item.a'],
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
  ])('%s is a bug', (_, events, message) => {
    expect(() => state(...events)).toThrow(message);
  });
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

it('a state covers the journal that led to it, and not without one of its IDs or creates', () => {
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

it('leaves the state it began with as it was', () => {
  const before = state(answered('item.a', '1'), intent('item.b'));
  const copy = structuredClone(before);
  fold(before, [answered('item.a', '2'), answered('item.b'), { type: 'retired', address: 'item.b', at }]);
  expect(before).toEqual(copy);
});

describe('a journal with an open update is not taken in by a state with the answer before it', () => {
  const before = [answered('item.a', '1')];
  const open = updating('item.a', '1', later);
  const refused = { type: 'update-rejected', address: 'item.a' } as const;
  const { request } = open as Extract<StateEvent, { type: 'update-intent' }>;

  it.each<[string, readonly StateEvent[], readonly StateEvent[], boolean]>([
    ['under the same address', before, [open], false],
    ['under another address', [...before, moved], [open], false],
    ['also where a second one was refused', before, [{ ...refused, earlier: { request, at: later } }], false],
    ['but is where it was refused itself', before, [open, refused], true],
    [
      'and where the record was let go of',
      [...before, { type: 'forgotten', address: 'item.a', at }],
      [open],
      true,
    ],
  ])('%s', (_, recorded, journal, covers) => {
    expect(stateCovers(state(...recorded), journal)).toBe(covers);
  });
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

describe('a state of another branch takes the place of one only if it has', () => {
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
      'the IDs that a pending create was answered with',
      created,
      [intent('item.a')],
      [
        { what: 'id', address: 'item.a', id: '9' },
        { what: 'id', address: 'item.a', id: '8' },
        { what: 'create', address: 'item.a' },
      ],
    ],
    [
      'these, of which one is its record by now',
      created,
      [answered('item.a', '9')],
      [{ what: 'id', id: '8' }],
    ],
    ['the create itself', [intent('item.a')], [], [{ what: 'create', address: 'item.a' }]],
    [
      'a create of the same ID',
      [intent('item.a', '1')],
      [intent('item.a', '2')],
      [{ what: 'create', address: 'item.a' }],
    ],
    ['nothing of a create that was sent again with another body', [intent('item.a')], [changedIntent], []],
    ['nothing of a create with an outcome', [intent('item.a')], [answered('item.a')], []],
    [
      'the doubt about an update',
      inDoubt,
      [answered('item.a', '1')],
      [{ what: 'update', address: 'item.a' }],
    ],
    [
      'the doubt, also where a clock was set back before the update',
      [answered('item.a', '1'), updating('item.a', '1', '2020-01-01T00:00:00.000Z')],
      [answered('item.a', '1')],
      [{ what: 'update', address: 'item.a' }],
    ],
    ['nothing of an update that was repeated', inDoubt, [repeated], []],
  ])('%s', (_, recorded, replacement, expected) => {
    expect(lost(recorded, replacement)).toMatchObject(expected);
    expect(lost(recorded, replacement)).toHaveLength(expected.length);
  });
});

describe('a record that is not in use', () => {
  const unanswered = { type: 'update-unknown', address: 'item.a', reason: 'timeout' } as const;

  it('keeps its own doubt when another one of its address is written', () => {
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

  it('keeps what an earlier update was answered: sent again, and imported again', () => {
    const imported = { type: 'imported', address: 'item.a', id: '1', at } as const;
    const open = state(imported, updating('item.a', '1'), unanswered);
    for (const next of [updating('item.a', '1'), imported])
      expect(fold(open, [next]).entries).toMatchObject([{ unconfirmed: { reason: 'timeout' } }]);
  });
});
