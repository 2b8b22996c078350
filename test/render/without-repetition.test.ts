import { expect, test } from 'vitest';
import { withoutRepetition } from '../../src/render/plan-view.ts';

const entry = (key: string, reason = 'nothing can find it') => ({
  address: `item.${key}`,
  reason,
  remedies: [`trove import item.${key} ID`],
});

const alone = (entries: readonly ReturnType<typeof entry>[]) =>
  entries.map((each) => ({ reason: each.reason, remedies: each.remedies, entries: [each] }));

test('many that differ in their own address alone are told together', () => {
  const entries = [...'abcd'].map((key) => entry(key));
  expect(withoutRepetition(entries)).toEqual([
    { reason: 'nothing can find it', remedies: ['trove import ADDRESS ID'], entries },
  ]);
});

test('a few that say the very same are told together too', () => {
  const entries = [entry('a'), { ...entry('a'), address: 'item.b' }];
  expect(withoutRepetition(entries)).toMatchObject([{ remedies: ['trove import item.a ID'], entries }]);
});

test('a few keep commands that work as typed, and so does what stands between others', () => {
  const few = [entry('a'), entry('b'), entry('c')];
  expect(withoutRepetition(few)).toEqual(alone(few));
  const mixed = [entry('a'), entry('b'), entry('x', 'another'), entry('c'), entry('d')];
  expect(withoutRepetition(mixed)).toEqual(alone(mixed));
});

test('an address that only begins like another is not its address', () => {
  const entries = ['a', 'b', 'c', 'd'].map((key) => ({
    ...entry(key),
    remedies: [`trove import item.${key}-sword ID`],
  }));
  expect(withoutRepetition(entries)).toEqual(alone(entries));
});
