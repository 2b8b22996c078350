import { describe, expect, test } from 'vitest';
import { differences, type Fields, fields, membersOf, withDifferences } from '../../src/resources/fields.ts';
import fc from '../rig/property.ts';

const path = fc.constantFrom('name', 'thumbnail', 'attributes.a', 'attributes.b', 'classifiers.a');
const value = fc.constantFrom<unknown>(1, 'x', { min: 1, max: 2 }, ['a', 'b']);
const groups = ['name', 'thumbnail', 'attributes', 'classifiers'];
/** Every group is managed, and a missing value is none. */
const whole = fc.dictionary(path, value).map((values) => fields(groups, Object.entries(values)));

const valuesOf = ({ values }: Fields) => Object.fromEntries([...values].filter(([, each]) => each !== null));

describe('differences', () => {
  test('are in the declared order, with removals last', () => {
    const before = fields(groups, [
      ['attributes.a', 1],
      ['name', 'x'],
      ['attributes.b', 2],
    ]);
    const after = fields(groups, [
      ['name', 'y'],
      ['attributes.b', 2],
      ['attributes.c', 3],
    ]);
    expect(differences(before, after)).toEqual([
      { path: 'name', before: 'x', after: 'y' },
      { path: 'attributes.c', before: null, after: 3 },
      { path: 'attributes.a', before: 1, after: null },
    ]);
  });

  test('do not include a group that is not managed', () => {
    const before = fields(groups, [
      ['thumbnail', 'a.png'],
      ['classifiers.a', ['x']],
    ]);
    expect(differences(before, fields(['name'], []))).toEqual([]);
    expect(differences(before, fields(['classifiers'], []))).toHaveLength(1);
  });

  test('do not distinguish none and absent', () => {
    const none = fields(groups, [['thumbnail', null]]);
    expect(differences(none, fields(groups, []))).toEqual([]);
    expect(differences(fields(groups, []), none)).toEqual([]);
  });

  test('disappear once applied, and nothing else changes', () => {
    fc.assert(
      fc.property(whole, whole, (before, after) => {
        const found = differences(before, after);
        const made = withDifferences(before, found);
        expect(differences(made, after)).toEqual([]);
        expect(valuesOf(made)).toEqual(valuesOf(after));
      }),
    );
  });

  test('that are applied in part leave only the others', () => {
    fc.assert(
      fc.property(whole, whole, (before, after) => {
        const [first, ...rest] = differences(before, after);
        const made = withDifferences(before, first ? [first] : []);
        expect(differences(made, after)).toEqual(rest);
      }),
    );
  });
});

test('the members of a group have the rest of their path as keys', () => {
  const target = fields(groups, [
    ['attributes.a', 1],
    ['attributesx.b', 2],
    ['name', 'x'],
  ]);
  expect(membersOf(target, 'attributes')).toEqual([['a', 1]]);
});
