import { describe, expect, test } from 'vitest';
import { catalogOf, complaints, shown } from './folder.ts';

const base = `attributes: { damage: {} }
classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.5 }
items:
  sword: { name: Sword, rollNumerator: 1 }
`;

describe('rules beyond the schema', () => {
  test('a key in two files, each with its place', async () => {
    const again = 'items:\n  sword: { name: Other, rollNumerator: 2 }\nattributes: { damage: {} }\n';
    expect(
      shown(await catalogOf({ 'catalog/a.yaml': base, 'catalog/b.yaml': again })),
    ).toMatchInlineSnapshot(`
      "error: the item \`sword\` is declared twice  [duplicate-key]
       --> catalog/b.yaml:2:3
        |
      2 |   sword: { name: Other, rollNumerator: 2 }
        |   ^^^^^
       ::: catalog/a.yaml:9:3
        |
      9 |   sword: { name: Sword, rollNumerator: 1 }
        |   ----- first declared here

      error: the attribute \`damage\` is declared twice  [duplicate-key]
       --> catalog/b.yaml:3:15
        |
      3 | attributes: { damage: {} }
        |               ^^^^^^
       ::: catalog/a.yaml:1:15
        |
      1 | attributes: { damage: {} }
        |               ------ first declared here
      "
    `);
  });

  test.each([
    [
      'a classifier, an option and an attribute that are not declared',
      '  axe: { name: Axe, rollNumerator: 1, classifiers: { rarty: common, rarity: [rar, zzz] }, attributes: { dmg: { min: 1, max: 2 } } }',
    ],
    [
      'names that objects inherit',
      '  axe: { name: Axe, rollNumerator: 1, classifiers: { rarity: constructor, toString: x } }',
    ],
    [
      'references of an item with another mistake',
      '  axe: { name: 3, rollNumerator: 1, classifiers: { rarity: rar } }',
    ],
    ['an empty range', '  axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 2, max: 1 } } }'],
    [
      'two items with one id',
      '  axe: { name: Axe, rollNumerator: 1, id: x }\n  bow: { name: Bow, rollNumerator: 1, id: x }',
    ],
    ['options with one name', 'classifiers: {}'],
    [
      'an ignored field that does not exist',
      '  axe: { name: Axe, rollNumerator: 1, lifecycle: { ignoreChanges: [thumbnial, lifecycle] } }',
    ],
    ['a move from what is declared', 'moved: [{ from: item.sword, to: item.axe }]'],
    ['a move to what is not', 'moved: [{ from: item.axe, to: item.sord }]'],
    ['a move to another kind', 'moved: [{ from: classifier.x, to: item.sword }]'],
    [
      'moves in a circle',
      'moved: [{ from: item.a, to: item.b }, { from: item.b, to: item.a }, { from: item.c, to: item.c }]',
    ],
    [
      'two moves to one address',
      'moved: [{ from: item.a, to: item.sword }, { from: item.b, to: item.sword }]',
    ],
    [
      'keys of the probe',
      '  trove-probe-a: { name: A, rollNumerator: 1 }\nmoved: [{ from: item.trove-probe-b, to: item.sword }]',
    ],
    ['two moves from one address', 'moved: [{ from: item.a, to: item.sword }, { from: item.a, to: item.x }]'],
  ])('%s', async (name, text) => {
    const source = name === 'options with one name' ? base.replace('Rare,', 'Common,') : base + text;
    expect(await complaints(source)).toMatchSnapshot();
  });

  test.each([
    ['equal bounds', '  axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 1, max: 1 } } }'],
    ['moves in steps', 'moved: [{ from: item.a, to: item.b }, { from: item.b, to: item.sword }]'],
    [
      'every field that can be ignored',
      '  axe: { name: Axe, rollNumerator: 1, lifecycle: { ignoreChanges: [name, rollNumerator, thumbnail, classifiers, attributes] } }',
    ],
  ])('%s are valid', async (_, text) => {
    expect(await complaints(base + text)).toBe('valid');
  });

  test('a file that can not be read makes no reference unknown', async () => {
    const result = await catalogOf({
      'catalog/a.yaml': 'items: { axe: { name: Axe, rollNumerator: 1, classifiers: { rarity: rare } } }',
      'catalog/b.yaml': 'classifiers: [',
    });
    expect(result.ok ? [] : result.diagnostics.map(({ rule }) => rule)).toEqual(['yaml-syntax']);
  });
});
