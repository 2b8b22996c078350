import { describe, expect, test } from 'vitest';
import { textCases } from '../rig/text-cases.ts';
import { catalogOf, problemsIn, problemsOf, shown } from './folder.ts';

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
  test('report a key in two files with both places', async () => {
    const again = 'items:\n  sword: { name: Other, rollNumerator: 2 }\nattributes: { damage: {} }\n';
    const result = await catalogOf({ 'catalog/a.yaml': base, 'catalog/b.yaml': again });
    expect(problemsIn(shown(result))).toEqual([
      'b.yaml:2:3 duplicate-key sword +a.yaml:9:3',
      'b.yaml:3:15 duplicate-key damage +a.yaml:1:15',
    ]);
  });

  const cases = `
== undeclared references
  axe: { name: Axe, rollNumerator: 1, classifiers: { rarty: common, rarity: [rar, zzz] }, attributes: { dmg: { min: 1, max: 2 } } }
-> a.yaml:10:54 unknown-reference rarty rarity
-> a.yaml:10:78 unknown-reference rar rarity rare
-> a.yaml:10:83 unknown-reference zzz rarity common rare
-> a.yaml:10:105 unknown-reference dmg damage
== names that objects inherit
  axe: { name: Axe, rollNumerator: 1, classifiers: { rarity: constructor, toString: x } }
-> a.yaml:10:62 unknown-reference constructor rarity common rare
-> a.yaml:10:75 unknown-reference toString rarity
== references beside another mistake
  axe: { name: 3, rollNumerator: 1, classifiers: { rarity: rar } }
-> a.yaml:10:16 wrong-type name
-> a.yaml:10:60 unknown-reference rar rarity rare
== an empty range
  axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 2, max: 1 } } }
-> a.yaml:10:68 empty-range damage +a.yaml:10:76
== two items with one ID
  axe: { name: Axe, rollNumerator: 1, id: x }
  bow: { name: Bow, rollNumerator: 1, id: x }
-> a.yaml:11:43 same-item-id axe bow x +a.yaml:10:43
== an ignored field that does not exist
  axe: { name: Axe, rollNumerator: 1, lifecycle: { ignoreChanges: [thumbnial] } }
-> a.yaml:10:68 unknown-field thumbnial thumbnail
== a move from a declared address
moved: [{ from: item.sword, to: item.axe }]
-> a.yaml:10:17 invalid-move item.sword
== a move to an undeclared address
moved: [{ from: item.axe, to: item.sord }]
-> a.yaml:10:31 invalid-move item.sord item.sword
== a move to another kind
moved: [{ from: classifier.x, to: item.sword }]
-> a.yaml:10:35 invalid-move
== moves in a circle
moved: [{ from: item.a, to: item.b }, { from: item.b, to: item.a }, { from: item.c, to: item.c }]
-> a.yaml:10:17 invalid-move item.a item.b item.a
-> a.yaml:10:77 invalid-move item.c item.c
== two moves to one address
moved: [{ from: item.a, to: item.sword }, { from: item.b, to: item.sword }]
-> a.yaml:10:63 invalid-move item.sword +a.yaml:10:29
== keys of the probe
  trove-probe-a: { name: A, rollNumerator: 1 }
moved: [{ from: item.trove-probe-b, to: item.sword }]
-> a.yaml:10:3 reserved-key trove-probe-a
-> a.yaml:11:17 reserved-key item.trove-probe-b
== two moves from one address
moved: [{ from: item.a, to: item.sword }, { from: item.a, to: item.x }]
-> a.yaml:10:51 invalid-move item.a +a.yaml:10:17
== equal bounds, which are valid
  axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 1, max: 1 } } }
== moves in steps, which are valid
moved: [{ from: item.a, to: item.b }, { from: item.b, to: item.sword }]
== fields that can be ignored
  axe: { name: Axe, rollNumerator: 1, lifecycle: { ignoreChanges: [name, rollNumerator, thumbnail, classifiers, attributes] } }
`;
  test.each(textCases(cases))('cover $name', async ({ text, problems }) => {
    expect(await problemsOf(base + text)).toEqual(problems);
  });

  test('refuse to ignore what is not a field value of an item', async () => {
    const axe = '  axe: { name: Axe, rollNumerator: 1, lifecycle: { ignoreChanges: [lifecycle] } }\n';
    const found = await problemsOf(base + axe);
    expect(found).toEqual([expect.stringContaining('unknown-field lifecycle name rollNumerator')]);
  });

  test('report two options with one name', async () => {
    const expected = ['a.yaml:7:21 same-option-name common rare Common +a.yaml:6:23'];
    expect(await problemsOf(base.replace('Rare,', 'Common,'))).toEqual(expected);
  });

  const wrongOptions = `
== a value
rare: { name: Rare, dropRateMultiplier: x }
-> wrong-type
== an unknown property
rare: { name: Rare, dropRateMultiplier: 1, weight: 3 }
-> unknown-property
== an option that is none
rare: 3
-> wrong-type
== a key that is none
Rare: { name: Rare, dropRateMultiplier: 1 }
-> invalid-key
`;
  test.each(textCases(wrongOptions))('cover what is certain beside $name', async ({ text, problems }) => {
    const options = `${text}\n      epic: { name: Common, dropRateMultiplier: 2 }`;
    const axe = '  axe: { name: Axe, rollNumerator: 1, classifiers: { rarity: [rare, comon] } }\n';
    const found = await problemsOf(base.replace(/rare: .*/, options) + axe);
    expect(found.map((each) => each.split(' ')[1])).toEqual([
      ...problems,
      'same-option-name',
      'unknown-reference',
    ]);
  });

  const unknown = `
== as a field
  axe: { name: *x, rollNumerator: y, classifiers: { rarity: comon }, attributes: *y }
-> a.yaml:10:16 unknown-alias &x
-> a.yaml:10:35 wrong-type rollNumerator
-> a.yaml:10:61 unknown-reference comon rarity common
-> a.yaml:10:82 unknown-alias &y
== as a part of a declaration
  axe: { <<: *tool, name: "" }
  bow: { name: Bow, rollNumerator: 1, classifiers: { rarity: [*x, comon] } }
  map: *map
  torch: { name: "", rollNumerator: 1 }
-> a.yaml:10:14 unknown-alias &tool
-> a.yaml:11:63 unknown-alias &x
-> a.yaml:11:67 unknown-reference comon rarity common
-> a.yaml:12:8 unknown-alias &map
-> a.yaml:13:18 text-length name
== where anything could be declared
  axe: { name: Axe, rollNumerator: 1, classifiers: { rarty: common } }
  <<: *more
-> a.yaml:11:7 unknown-alias &more
`;
  test.each(textCases(unknown))(
    'cover what is certain beside an unknown alias $name',
    async ({ text, problems }) => {
      expect(await problemsOf(base + text)).toEqual(problems);
    },
  );

  test('report no unknown reference to what may be a name that is no key', async () => {
    const axe = '  axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 1, max: 2 } } }\n';
    const found = await problemsOf(base.replace('damage', 'Damage') + axe);
    expect(found).toEqual(['a.yaml:1:15 invalid-key Damage damage']);
  });

  test("report no unknown reference if a file can't be read", async () => {
    const result = await catalogOf({
      'catalog/a.yaml': 'items: { axe: { name: Axe, rollNumerator: 1, classifiers: { rarity: rare } } }',
      'catalog/b.yaml': 'classifiers: [',
    });
    expect(result.ok ? [] : result.diagnostics.map(({ rule }) => rule)).toEqual(['yaml-syntax']);
  });
});
