import { describe, expect, test } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import type { State } from '../../src/state/model.ts';
import { isOlder, isSameVersion, replacementRisks, withOpen } from '../../src/state/version.ts';
import { at, emptyState, intent } from './events.ts';

describe('a version', () => {
  const newest = { lineage: 'l', serial: 5, revision: 'r5' };
  const version = (serial: number, revisions?: readonly string[], lineage = 'l') =>
    ({ lineage, serial, ...(revisions && { revisions }) }) as Pick<State, 'lineage' | 'serial' | 'revisions'>;

  test.each<[string, boolean, ReturnType<typeof version>]>([
    ['of a lower serial', true, version(4, ['r4'])],
    ['of the same save', false, version(5, ['r5', 'r4'])],
    ['that followed it', false, version(6, ['r6', 'r5'])],
    ['of another branch of its history', true, version(6, ['x6', 'x5', 'r4'])],
    ['of which no saves are known', false, version(6)],
    ['of another history', false, version(1, ['r1'], 'other')],
  ])('%s: it is older than the newest: %s', (_, older, each) => {
    expect(isOlder(each, newest)).toBe(older);
    expect(isOlder(each, undefined)).toBe(false);
  });

  test('is the same only with lineage, serial and content', () => {
    const one = { lineage: 'l', serial: 1, digest: 'd' };
    expect(isSameVersion(one, { ...one })).toBe(true);
    for (const other of [{ lineage: 'm' }, { serial: 2 }, { digest: 'e' }, { serial: 0 }])
      expect(isSameVersion(one, { ...one, ...other })).toBe(false);
    expect(isSameVersion({ ...one, serial: 0 }, { lineage: '', serial: 0, digest: '' })).toBe(true);
  });
});

test('replacing a state reports another lineage and a lower serial, and only those', () => {
  const recorded = { ...emptyState(), serial: 4 };
  const risks = (more: Partial<State>) => replacementRisks(recorded, { ...recorded, ...more });
  expect(risks({})).toEqual({ otherLineage: false, lowerSerial: false, lost: [] });
  expect(risks({ lineage: 'other' })).toMatchObject({ otherLineage: true, lowerSerial: false });
  expect(risks({ serial: 3 })).toMatchObject({ otherLineage: false, lowerSerial: true });
  expect(risks({ serial: 5 })).toMatchObject({ otherLineage: false, lowerSerial: false });
});

describe('a pending create that a forced replacement lacks', () => {
  const later = '2026-04-01T00:00:00.000Z';
  const create = (when: string, id: string) => ({ ...intent('item.a', id), at: when }) as StateEvent;
  const otherAnswer = {
    type: 'create-unknown',
    address: 'item.a',
    reason: 'status 302',
    otherId: 'other-1',
  } as const;
  const entriesAfter = (recorded: readonly StateEvent[], replacement: readonly StateEvent[]) =>
    withOpen(fold(emptyState(), recorded), fold(emptyState(), replacement), later).map(
      ({ status, ...entry }) => [status, 'id' in entry ? entry.id : entry.address],
    );

  test('takes the place of an ID that was imported, which no create asks for', () => {
    const imported = { type: 'imported', address: 'item.a', id: '1', at } as const;
    const moved = { type: 'moved', from: 'item.a', to: 'item.b' } as const;
    expect(entriesAfter([imported, moved, create(later, '2')], [imported])).toEqual([
      ['pending', 'item.a'],
      ['forgotten', '1'],
    ]);
  });

  test('takes the place of an earlier one, whose answered ID stays', () => {
    expect(entriesAfter([create(later, '2')], [create(at, '1'), otherAnswer])).toEqual([
      ['pending', 'item.a'],
      ['forgotten', 'other-1'],
    ]);
  });
});
