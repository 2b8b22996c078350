import { describe, expect, test } from 'vitest';
import { problemsIn } from '../catalog/folder.ts';
import { createProject } from '../rig/project.ts';
import { textCases } from '../rig/text-cases.ts';

const catalog = `attributes: { damage: {}, speed: {} }
classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
  slot:
    name: Slot
    options: { hand: { name: Hand, dropRateMultiplier: 1 } }
items:
  axe: { name: Axe, rollNumerator: 1, id: id-axe, classifiers: { rarity: rare, slot: hand } }
  sword:
    name: Sword
    rollNumerator: 40
    id: id-sword
    thumbnail: https://cdn.example/sword.png
    classifiers: { rarity: common }
    attributes: { damage: { min: 3, max: 7 } }
moved:
  - { from: item.blade, to: item.hatchet }
  - { from: item.hatchet, to: item.axe }
`;
const remote =
  'baseUrl: https://game.example/api\nteamId: team_7\nattributes: { damage: attr_1, speed: attr_2 }\n';

/** A project whose environment, staging, has this file; `files` are there too. */
function projectWith(staging: string, files: Readonly<Record<string, string>> = {}) {
  const all = { 'catalog/game.yaml': catalog, ...files, 'catalog/environments/staging.yaml': staging };
  return createProject(all);
}

const wrong = `
== undeclared names
overrides:
  items:
    swrod: { name: X }
    sword: { attributes: { dmage: { min: 1, max: 2 }, zzz: null } }
  classifiers:
    rarty: { name: X }
    rarity: { options: { raer: { name: X } } }
-> staging.yaml:6:5 unknown-reference swrod sword
-> staging.yaml:7:28 unknown-reference dmage damage
-> staging.yaml:7:55 unknown-reference zzz damage speed
-> staging.yaml:9:5 unknown-reference rarty rarity
-> staging.yaml:10:26 unknown-reference raer rarity rare
== an inexact number beside other mistakes
overrides:
  items:
    axe: { rollNumerator: 9007199254740993 }
    swrod: { name: X }
only: [ "item.*", "clasifier.*" ]
-> staging.yaml:6:27 inexact-number … …
-> staging.yaml:7:5 unknown-reference …
-> staging.yaml:8:19 matches-nothing clasifier.*
== the removal of a missing range
overrides: { items: { axe: { attributes: { damage: null } } } }
-> staging.yaml:4:44 nothing-to-take axe damage +game.yaml:12:3
== half of a missing range
overrides: { items: { axe: { attributes: { damage: { max: 3 }, speed: {} } } } }
-> staging.yaml:4:44 missing-property damage min axe +game.yaml:12:3
-> staging.yaml:4:64 missing-property speed min max axe +game.yaml:12:3
== wrong types and limits
overrides:
  items:
    sword: { name: 3, rollNumerator: many, thumbnial: x, attributes: { damage: { max: high, mid: 1 } } }
    axe: { name: "", classifiers: { rarity: 3 }, thumbnail: ${'x'.repeat(192)}, lifecycle: { protect: maybe } }
  classifiers: { rarity: { options: { rare: null, common: { dropRateMultiplier: "1" } } } }
  attributes: {}
-> staging.yaml:6:20 wrong-type name
-> staging.yaml:6:38 wrong-type rollNumerator
-> staging.yaml:6:44 unknown-property thumbnial thumbnail
-> staging.yaml:6:87 wrong-type max
-> staging.yaml:6:93 unknown-property mid min
-> staging.yaml:7:18 text-length name
-> staging.yaml:7:45 wrong-type …
-> staging.yaml:7:61 text-length thumbnail
-> staging.yaml:7:277 wrong-type protect
-> staging.yaml:8:45 wrong-type …
-> staging.yaml:8:81 wrong-type dropRateMultiplier
-> staging.yaml:9:3 unknown-property attributes classifiers items
== a minimum above the maximum
overrides: { items: { sword: { attributes: { damage: { min: 9 } } } } }
-> staging.yaml:4:61 empty-range damage +game.yaml:19:42
== a maximum below the minimum
overrides: { items: { sword: { attributes: { damage: { max: 1 } } } } }
-> staging.yaml:4:61 empty-range damage +game.yaml:19:34
== undeclared references
overrides: { items: { sword: { classifiers: { rarity: [common, raer], slto: hand } } } }
-> staging.yaml:4:64 unknown-reference raer rarity rare
-> staging.yaml:4:71 unknown-reference slto slot
== an option with the name of a later one
overrides: { classifiers: { rarity: { options: { common: { name: Rare } } } } }
-> staging.yaml:4:66 same-option-name common rare Rare +game.yaml:7:21
== an item with the ID of a later one
overrides: { items: { axe: { id: id-sword } } }
-> staging.yaml:4:34 same-item-id axe sword id-sword +game.yaml:16:9
== unknown fields to ignore
overrides: { items: { sword: { lifecycle: { ignoreChanges: [thumbnial] } } } }
-> staging.yaml:4:61 unknown-field thumbnial thumbnail
== a related line with a possible secret
overrides:
  items:
    axe: { id: x } # token hunter2
    sword: { id: x }
-> staging.yaml:7:18 same-item-id axe sword x +staging.yaml:6:16
== values from an alias or a merge key
overrides:
  items:
    axe: &strong { attributes: { damage: { min: 9, max: 8 } } }
    sword: { <<: *strong, name: Strong Sword }
-> staging.yaml:6:49 empty-range damage +staging.yaml:6:57
== an empty selection
only: []
-> staging.yaml:4:7 invalid-value only
== patterns with a wrong form
only: [ "item.swrod", "items.*", "item.axe", "Item.*" ]
-> staging.yaml:4:46 invalid-value Item.* only[3]
-> staging.yaml:4:9 matches-nothing …
-> staging.yaml:4:23 matches-nothing items.*
== patterns that match nothing
only: [ "item.swrod", "items.*", "item.axe" ]
-> staging.yaml:4:9 matches-nothing item.swrod item.sword
-> staging.yaml:4:23 matches-nothing items.* classifier.KEY item.KEY *
-> staging.yaml:4:34 left-out only item.axe classifier.rarity classifier.rarity only +game.yaml:12:74
-> staging.yaml:4:34 left-out only item.axe classifier.slot classifier.slot only +game.yaml:12:86
== the same pattern twice
only: [ "item.*", "classifier.*", "item.*" ]
-> staging.yaml:4:35 repeated-value item.* only +staging.yaml:4:9
== items without their classifiers
only: [ "item.*", "classifier.slot" ]
-> staging.yaml:4:9 left-out only item.axe classifier.rarity classifier.rarity only +game.yaml:12:74
== overridden items without classifiers
only: [ "item.axe", "classifier.slot" ]
overrides: { items: { axe: { classifiers: { rarity: common } } } }
-> staging.yaml:4:9 left-out only item.axe classifier.rarity classifier.rarity only +staging.yaml:5:53
== overrides of what is left out
only: [ "classifier.rarity", "item.sword" ]
overrides: { items: { axe: { name: X } }, classifiers: { slot: { name: X } } }
-> staging.yaml:5:23 left-out only axe item.axe only +staging.yaml:4:1
-> staging.yaml:5:58 left-out only slot classifier.slot only +staging.yaml:4:1
`;

const fine = `
== empty overrides
overrides: { items: { sword: {} }, classifiers: {} }
== every field
overrides:
  items:
    sword:
      name: Staging Sword
      rollNumerator: 60
      thumbnail: null
      classifiers: { rarity: [], slot: [hand] }
      attributes: { damage: null, speed: { min: 1, max: 1 } }
      lifecycle: { protect: true, ignoreChanges: [name], onBlocked: replace }
      id: another-id
      createdAt: "2026-01-01"
      updatedAt: null
  classifiers:
    rarity: { name: Scarcity, lifecycle: { protect: false }, options: { rare: { name: Rarer, dropRateMultiplier: 0 } } }
== two items that swap IDs
overrides: { items: { axe: { id: id-sword }, sword: { id: id-axe } } }
== the ID of an item that is left out
only: [ "item.sword", "classifier.*" ]
overrides: { items: { sword: { id: id-axe } } }
== an item freed of a left-out classifier
only: [ "item.*", "classifier.rarity" ]
overrides: { items: { axe: { classifiers: { slot: [] } } } }
== a pattern in the middle
only: [ "classifier.*", "item.*w*r*" ]
`;

describe('validate checks', () => {
  test.each(textCases(wrong + fine))('$name', async ({ text, problems }) => {
    await using project = await projectWith(`${remote}${text}\n`);
    const { stderr, code } = await project.run('validate');
    expect([code, problemsIn(stderr)]).toEqual([problems.length > 0 ? 1 : 0, problems]);
    expect(stderr).not.toContain('hunter2');
  });
});

test('validate reports a shared team beside other problems of the file', async () => {
  await using project = await projectWith(`${remote}limits: { maxCreates: -1 }\n`, {
    'catalog/environments/prod.yaml': remote,
  });
  expect(problemsIn((await project.run('validate')).stderr)).toEqual([
    'staging.yaml:4:23 invalid-value maxCreates',
    'staging.yaml:2:9 shared-team staging prod +prod.yaml:2:9',
  ]);
});

test('validate reports all environments at once, and shared problems only once', async () => {
  const prod = remote.replace('damage: attr_1, ', '');
  const of = (team: string, text: string) => text.replace('team_7', team);
  await using project = await projectWith(`${of('team_st', remote)}only: [ "item.swrod" ]\n`, {
    'catalog/environments/prod.yaml': prod,
    'catalog/environments/qa.yaml': `${of('team_qa', prod)}overrides: { items: { axe: { attributes: { damage: null } } } }\n`,
    'catalog/environments/small.yaml': `${of('team_sm', prod)}only: [ "classifier.*", "item.axe" ]\n`,
  });
  expect(problemsIn((await project.run('validate')).stderr)).toEqual([
    'game.yaml:1:15 unbound-attribute damage damage: ID attributes:',
    'qa.yaml:4:44 nothing-to-take axe damage +game.yaml:12:3',
    'staging.yaml:4:9 matches-nothing item.swrod item.sword',
  ]);
});

/** Rule and line of every problem, sorted; what is in a catalog file has its name before them. */
async function told(staging: string, command: string, files: Readonly<Record<string, string>> = {}) {
  await using project = await projectWith(staging, files);
  const { stderr, code } = await project.run(command);
  expect(code).toBe(1);
  const problems = problemsIn(stderr).map((problem) => {
    const [, file, line, rule] = /^(.+):(\d+):\d+ (\S+)/.exec(problem) ?? [];
    return `${file === 'staging.yaml' ? '' : `${file} `}${rule} ${line}`;
  });
  return problems.toSorted();
}

const commands = ['plan -e staging', 'apply -e staging --yes', 'validate'];

describe('a wrong catalog', () => {
  const file = `baseUrl: https://game.example/api
teamId: team_7
attributes: { damge: attr_1, other: 3 }
overrides:
  items:
    swrod: { name: X }
    sword: { rollNumerator: many, classifiers: { slot: hnad }, attributes: { speed: { min: 2, max: 1 } } }
  classifiers: { rarity: { name: X, options: { raer: { name: X } } } }
only: [item.sword, classifier.rarity, item.zzzzzz]
`;
  const maybeDeclared = ['matches-nothing 9', 'unknown-reference 3', 'unknown-reference 6'];
  const inAnyCase =
    'empty-range 7, left-out 9, unknown-reference 7, unknown-reference 8, wrong-type 3, wrong-type 7'.split(
      ', ',
    );

  test.each(commands)('does not hide the mistakes of its environment from %s', async (command) => {
    // Of the attributes, only the one that is not misspelled.
    const expected = ['game.yaml unbound-attribute 1', ...maybeDeclared, ...inAnyCase].toSorted();
    expect(await told(file, command)).toEqual(expected);
    const wrongCatalog = { 'catalog/game.yaml': catalog.replace('min: 3, max: 7', 'min: 3, max: 1') };
    expect(await told(file, command, wrongCatalog)).toEqual(
      ['game.yaml empty-range 19', ...expected].toSorted(),
    );
  });

  const [selection, attribute, item] = ['matches-nothing 9', 'unknown-reference 3', 'unknown-reference 6'];

  test.each([
    ['a file that is not YAML', 'items: [', 'yaml-syntax', []],
    ['a section that is not a mapping', 'items: 3', 'wrong-type', [attribute]],
    ['a section with another name', 'itms: {}', 'unknown-property', [attribute]],
    ['attributes with another name', 'atributes: {}', 'unknown-property', [selection, item]],
    ['a section with a name like none', 'weapons: {}', 'unknown-property', []],
    ['moves with another name', 'movd: []', 'unknown-property', maybeDeclared],
    ['a text with a name like none', 'notes: text', 'unknown-property', maybeDeclared],
  ])('causes no error about names that it may declare in %s', async (_, more, rule, certain) => {
    const problems = await told(file, 'validate', { 'catalog/more.yaml': more });
    expect(problems).toContainEqual(expect.stringMatching(`^more.yaml ${rule} `));
    const others = problems.filter((each) => !/^(?:game|more)/.test(each));
    expect(others).toEqual([...certain, ...inAnyCase].toSorted());
  });

  const damage = (key: string, range: string) => `items: { ${key}: { attributes: { damage: ${range} } } }`;
  const options = 'classifiers: { rarity: { options: { rare: { name: X }, common: { name: Y } } } }';
  test.each([
    ['a range', 'min: 3, max: 7', 'min: low, max: 7', damage('sword', '{ max: 9 }')],
    ['a range to remove', 'attributes: { damage: {', 'atributes: { damage: {', damage('sword', 'null')],
    ['options', 'common: { name: Common, dropRateMultiplier: 1 }', 'common: 3', options],
    ['a declaration', 'axe: {', 'axe: 3\n  bow: {', damage('axe', '{ max: 9 }')],
  ])('causes no error in an override of %s', async (_, from, to, overrides) => {
    const files = { 'catalog/game.yaml': catalog.replace(from, to) };
    const problems = await told(`${remote}overrides: { ${overrides} }\n`, 'validate', files);
    expect(problems).toContainEqual(expect.anything());
    for (const each of problems) expect(each).toMatch(/^game.yaml/);
  });
});

describe('a wrong environment file', () => {
  test.each(commands)('has all problems reported at once by %s', async (command) => {
    const file = `baseUrl: ftp://game.example
teamId: ""
attributes: { damage: attr_1, speed: attr_2 }
overrides:
  items:
    swrod: { name: X }
    sword: { rollNumerator: many }
only: ["item.*", "classifier.*", "item.swrod"]
`;
    expect(await told(file, command)).toEqual([
      'base-url 1',
      'matches-nothing 8',
      'text-length 2',
      'unknown-reference 6',
      'wrong-type 7',
    ]);
  });

  const mistakes = `
== an attribute
attributes: { damage: 3, speed: attr_2 }
== a selection
attributes: { speed: attr_2 }
only: [item.axe, 3]
== a key of the attributes
attributes: { Damage: a, speed: b }
== a property of an override that frees an item
attributes: { damage: a, speed: b }
only: ["item.*", classifier.rarity]
overrides: { items: { axe: { clasifiers: { slot: [] } } } }
== the backend of the state
attributes: { damage: a, speed: b }
state: { bakend: git, remote: origin }
== an override that another one needs
attributes: { damage: attr_1, speed: attr_2 }
overrides: { items: { sword: { id: id-axe }, axe: { id: id-other, name: 3 } } }
== the name of the attributes
atributes: { damage: attr_1, speed: attr_2 }
== the name of the selection
attributes: { speed: attr_2 }
onyl: [classifier.*]
`;
  test.each(textCases(mistakes))('causes no follow-up error from a mistake in $name', async ({ text }) => {
    const file = `baseUrl: https://game.example/api\nteamId: team_7\n${text}\n`;
    expect(await told(file, 'plan -e staging')).toEqual([
      expect.stringMatching(/^(wrong-type|unknown-property|invalid-key) /),
    ]);
  });

  test('causes no follow-up error about teams or IDs from a mistake in the service', async () => {
    const file = 'service: embeded\nattributes: { speed: attr_2 }\n';
    expect(await told(file, 'validate', { 'catalog/environments/prod.yaml': file })).toEqual([
      'invalid-value 1',
      'prod.yaml invalid-value 1',
    ]);
  });

  test('reports a misspelt attribute beside a misspelt service', async () => {
    const file = 'basUrl: https://game.example/api\nteamId: team_7\nattributes: { damge: attr_2 }\n';
    const problems = await told(file, 'validate');
    expect(problems).toEqual(['one-service 1', 'unknown-property 1', 'unknown-reference 3']);
  });

  const certain = `
== a key that is none
  items:
    Axe: { name: X }
    axe: { classifiers: { rarity: raer } }
    swrod: { name: X }
  classifiers: { rarity: { options: { comon: { name: X } } } }
-> 6 invalid-key, 7 unknown-reference, 8 unknown-reference, 9 unknown-reference
== a property
  items:
    sword: { rolNumerator: 3, classifiers: { rarity: comon }, attributes: { luck: { min: 1, max: 2 }, damage: { min: 9 }, speed: { min: 1 } } }
-> 6 unknown-property, 6 unknown-reference, 6 unknown-reference, 6 empty-range, 6 missing-property
== a value
  classifiers: { rarity: { options: { common: { dropRateMultiplier: x }, comon: { name: X } } } }
  items: { sword: { attributes: { damage: { max: x }, luck: { min: 1, max: 2 } } } }
-> 5 wrong-type, 5 unknown-reference, 6 wrong-type, 6 unknown-reference
== an alias without an anchor
  items: { sword: { name: *name, classifiers: { rarity: comon } }, swrod: { name: X } }
limits: { <<: *limits, maxUpdates: many }
only: ["item.*", *more, item.lmp]
-> 5 unknown-alias, 5 unknown-reference, 5 unknown-reference, 6 unknown-alias, 7 unknown-alias, 7 matches-nothing
== a list
  items: { sword: { classifiers: { rarity: [3, comon] }, lifecycle: { ignoreChanges: [3, nmae] } } }
-> 5 wrong-type, 5 unknown-reference, 5 wrong-type, 5 unknown-field
== patterns
  items: { axe: { name: X } }
only: ["item.*", "classifier.*", item.lmp, "item.*", 3]
-> 6 repeated-value, 6 wrong-type, 6 matches-nothing
== a pattern among those that select an item
  items: { axe: { attributes: { speed: { min: 1 } } } }
only: [item.axe, 3]
-> 5 missing-property, 6 wrong-type
`;
  test.each(textCases(certain))('has everything else reported beside $name', async ({ text, problems }) => {
    const expected = (problems[0] ?? '').split(', ').map((each) => each.split(' ').toReversed().join(' '));
    expect(await told(`${remote}overrides:\n${text}\n`, 'validate')).toEqual(expected.toSorted());
  });
});
