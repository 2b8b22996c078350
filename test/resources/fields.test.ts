import { describe, expect, test } from 'vitest';
import { differences, type Fields, fields, membersOf, withDifferences } from '../../src/resources/fields.ts';
import fc from '../rig/property.ts';

const path = fc.constantFrom('name', 'thumbnail', 'attributes.a', 'attributes.b', 'classifiers.a');
const value = fc.constantFrom<unknown>(1, 'x', { min: 1, max: 2 }, ['a', 'b']);
const groups = ['name', 'thumbnail', 'attributes', 'classifiers'];
/** Every group is managed, and what has no value is none. */
const whole = fc.dictionary(path, value).map((values) => fields(groups, Object.entries(values)));

const valuesOf = ({ values }: Fields) => Object.fromEntries([...values].filter(([, each]) => each !== null));

describe('differences', () => {
  test('in the order of what is wanted, removals last', () => {
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

  test('a group that is not managed has none', () => {
    const before = fields(groups, [
      ['thumbnail', 'a.png'],
      ['classifiers.a', ['x']],
    ]);
    expect(differences(before, fields(['name'], []))).toEqual([]);
    expect(differences(before, fields(['classifiers'], []))).toHaveLength(1);
  });

  test('none is the same as absent', () => {
    const none = fields(groups, [['thumbnail', null]]);
    expect(differences(none, fields(groups, []))).toEqual([]);
    expect(differences(fields(groups, []), none)).toEqual([]);
  });

  test('made good, nothing differs any more, and nothing else has changed', () => {
    fc.assert(
      fc.property(whole, whole, (before, after) => {
        const found = differences(before, after);
        const made = withDifferences(before, found);
        expect(differences(made, after)).toEqual([]);
        expect(valuesOf(made)).toEqual(valuesOf(after));
      }),
    );
  });

  test('made good in part, only the others differ', () => {
    fc.assert(
      fc.property(whole, whole, (before, after) => {
        const [first, ...rest] = differences(before, after);
        const made = withDifferences(before, first ? [first] : []);
        expect(differences(made, after)).toEqual(rest);
      }),
    );
  });
});

test('the members of a group go by the rest of their path', () => {
  const target = fields(groups, [
    ['attributes.a', 1],
    ['attributesx.b', 2],
    ['name', 'x'],
  ]);
  expect(membersOf(target, 'attributes')).toEqual([['a', 1]]);
});
