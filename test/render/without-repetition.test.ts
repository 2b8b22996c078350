import { expect, test } from 'vitest';
import { withoutRepetition } from '../../src/render/without-repetition.ts';

const entry = (key: string, reason = 'nothing can find it') => ({
  address: `item.${key}`,
  reason,
  remedies: [`trove import item.${key} ID`],
});

test('many that differ in their own address alone are told together, below the last', () => {
  const shown = withoutRepetition([...'abcd'].map((key) => entry(key)));
  expect(shown.slice(0, 3).map(({ reason, remedies }) => [reason, remedies])).toEqual(
    [1, 2, 3].map(() => [undefined, []]),
  );
  expect(shown[3]).toMatchObject({ reason: 'nothing can find it', remedies: ['trove import ADDRESS ID'] });
});

test('a few keep commands that work as typed, and so does what stands between others', () => {
  const few = [entry('a'), entry('b'), entry('c')];
  expect(withoutRepetition(few)).toEqual(few);
  const mixed = [entry('a'), entry('b'), entry('x', 'another'), entry('c'), entry('d')];
  expect(withoutRepetition(mixed)).toEqual(mixed);
});

test('an address that only begins like another is not its address', () => {
  const entries = ['a', 'b', 'c', 'd'].map((key) => ({
    ...entry(key),
    remedies: [`trove import item.${key}-sword ID`],
  }));
  expect(withoutRepetition(entries)).toEqual(entries);
});
