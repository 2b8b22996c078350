import { describe, expect, test } from 'vitest';
import { problemsIn } from '../catalog/folder.ts';
import { createProject } from '../rig/project.ts';

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

/** What `validate` says of an environment with these lines more; empty where nothing is wrong. */
async function complaints(lines: string): Promise<string> {
  const files = { 'catalog/game.yaml': catalog, 'catalog/environments/staging.yaml': `${remote}${lines}\n` };
  await using project = await createProject(files);
  const { stderr, code } = await project.run('validate');
  expect(code).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

describe('overrides that are wrong', () => {
  test.each([
    [
      'resources, options and attributes that are not declared',
      `overrides:
  items:
    swrod: { name: X }
    sword: { attributes: { dmage: { min: 1, max: 2 }, zzz: null } }
  classifiers:
    rarty: { name: X }
    rarity: { options: { raer: { name: X } } }`,
      [
        'staging.yaml:6:5 unknown-reference swrod sword',
        'staging.yaml:7:28 unknown-reference dmage damage',
        'staging.yaml:7:55 unknown-reference zzz damage speed',
        'staging.yaml:9:5 unknown-reference rarty rarity',
        'staging.yaml:10:26 unknown-reference raer rarity rare',
      ],
    ],
    [
      'a range that is not there',
      'overrides: { items: { axe: { attributes: { damage: null } } } }',
      ['staging.yaml:4:44 nothing-to-take axe damage +game.yaml:12:3'],
    ],
    [
      'half a range that is not there',
      'overrides: { items: { axe: { attributes: { damage: { max: 3 }, speed: {} } } } }',
      [
        'staging.yaml:4:44 missing-property damage min axe +game.yaml:12:3',
        'staging.yaml:4:64 missing-property speed min max axe +game.yaml:12:3',
      ],
    ],
    [
      'wrong types and limits',
      `overrides:
  items:
    sword: { name: 3, rollNumerator: many, thumbnial: x, attributes: { damage: { max: high, mid: 1 } } }
    axe: { name: "", classifiers: { rarity: 3 }, thumbnail: ${'x'.repeat(192)}, lifecycle: { protect: maybe } }
  classifiers: { rarity: { options: { rare: null, common: { dropRateMultiplier: "1" } } } }
  attributes: {}`,
      [
        'staging.yaml:6:20 wrong-type name',
        'staging.yaml:6:38 wrong-type rollNumerator',
        'staging.yaml:6:44 unknown-property thumbnial thumbnail',
        'staging.yaml:6:87 wrong-type max',
        'staging.yaml:6:93 unknown-property mid min',
        'staging.yaml:7:18 text-length name',
        'staging.yaml:7:45 wrong-type …',
        'staging.yaml:7:61 text-length thumbnail',
        'staging.yaml:7:277 wrong-type protect',
        'staging.yaml:8:45 wrong-type …',
        'staging.yaml:8:81 wrong-type dropRateMultiplier',
        'staging.yaml:9:3 unknown-property attributes classifiers items',
      ],
    ],
    [
      'a minimum above the maximum',
      'overrides: { items: { sword: { attributes: { damage: { min: 9 } } } } }',
      ['staging.yaml:4:61 empty-range damage +game.yaml:19:42'],
    ],
    [
      'a maximum below the minimum',
      'overrides: { items: { sword: { attributes: { damage: { max: 1 } } } } }',
      ['staging.yaml:4:61 empty-range damage +game.yaml:19:34'],
    ],
    [
      'references to nothing',
      'overrides: { items: { sword: { classifiers: { rarity: [common, raer], slto: hand } } } }',
      [
        'staging.yaml:4:64 unknown-reference raer rarity rare',
        'staging.yaml:4:71 unknown-reference slto slot',
      ],
    ],
    [
      'an option with the name of another, which stands after it',
      'overrides: { classifiers: { rarity: { options: { common: { name: Rare } } } } }',
      ['staging.yaml:4:66 same-option-name common rare Rare +game.yaml:7:21'],
    ],
    [
      'an item with the id of another, which stands after it',
      'overrides: { items: { axe: { id: id-sword } } }',
      ['staging.yaml:4:34 same-item-id axe sword id-sword +game.yaml:16:9'],
    ],
    [
      'ignored fields',
      'overrides: { items: { sword: { lifecycle: { ignoreChanges: [thumbnial] } } } }',
      ['staging.yaml:4:61 unknown-field thumbnial thumbnail'],
    ],
    [
      'a line that may hold a secret, at the other end',
      'overrides:\n  items:\n    axe: { id: x } # token hunter2\n    sword: { id: x }',
      ['staging.yaml:7:18 same-item-id axe sword x +staging.yaml:6:16'],
    ],
  ])('%s', async (_, lines, expected) => {
    const said = await complaints(lines);
    expect(problemsIn(said)).toEqual(expected);
    expect(said).not.toContain('hunter2');
  });
});

describe('a part of the catalog that is wrong', () => {
  test.each([
    ['nothing in it', 'only: []', ['staging.yaml:4:7 invalid-value only']],
    [
      'patterns that match nothing',
      'only: [ "item.swrod", "items.*", "item.axe", "Item.*" ]',
      ['staging.yaml:4:46 invalid-value only[3] Item.*'],
    ],
    [
      'patterns that match nothing, by their form',
      'only: [ "item.swrod", "items.*", "item.axe" ]',
      [
        'staging.yaml:4:9 matches-nothing item.swrod item.sword',
        'staging.yaml:4:23 matches-nothing items.* classifier.KEY item.KEY *',
        'staging.yaml:4:34 left-out only item.axe classifier.rarity classifier.rarity only +game.yaml:12:74',
        'staging.yaml:4:34 left-out only item.axe classifier.slot classifier.slot only +game.yaml:12:86',
      ],
    ],
    [
      'the same twice',
      'only: [ "item.*", "classifier.*", "item.*" ]',
      ['staging.yaml:4:35 repeated-value item.* only +staging.yaml:4:9'],
    ],
    [
      'items without their classifiers',
      'only: [ "item.*", "classifier.slot" ]',
      ['staging.yaml:4:9 left-out only item.axe classifier.rarity classifier.rarity only +game.yaml:12:74'],
    ],
    [
      'items without classifiers that an override assigns',
      'only: [ "item.axe", "classifier.slot" ]\noverrides: { items: { axe: { classifiers: { rarity: common } } } }',
      ['staging.yaml:4:9 left-out only item.axe classifier.rarity classifier.rarity only +staging.yaml:5:53'],
    ],
    [
      'overrides of what is left out',
      'only: [ "classifier.rarity", "item.sword" ]\noverrides: { items: { axe: { name: X } }, classifiers: { slot: { name: X } } }',
      [
        'staging.yaml:5:23 left-out only axe item.axe only +staging.yaml:4:1',
        'staging.yaml:5:58 left-out only slot classifier.slot only +staging.yaml:4:1',
      ],
    ],
  ])('%s', async (_, lines, expected) => {
    expect(problemsIn(await complaints(lines))).toEqual(expected);
  });
});

describe('what is fine', () => {
  test.each([
    ['empty overrides', 'overrides: { items: { sword: {} }, classifiers: {} }'],
    [
      'every field',
      `overrides:
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
    rarity: { name: Scarcity, lifecycle: { protect: false }, options: { rare: { name: Rarer, dropRateMultiplier: 0 } } }`,
    ],
    [
      'two items whose ids change places',
      'overrides: { items: { axe: { id: id-sword }, sword: { id: id-axe } } }',
    ],
    [
      'the id of an item that is left out',
      'only: [ "item.sword", "classifier.*" ]\noverrides: { items: { sword: { id: id-axe } } }',
    ],
    [
      'an item that is freed of a classifier that is left out',
      'only: [ "item.*", "classifier.rarity" ]\noverrides: { items: { axe: { classifiers: { slot: [] } } } }',
    ],
    ['a pattern in the middle', 'only: [ "classifier.*", "item.*w*r*" ]'],
  ])('%s', async (_, lines) => {
    expect(await complaints(lines)).toBe('');
  });
});

test('validate tells of every environment at once, and once what several have in common', async () => {
  const prod = remote.replace('damage: attr_1, ', '');
  const of = (team: string, text: string) => text.replace('team_7', team);
  await using project = await createProject({
    'catalog/game.yaml': catalog,
    'catalog/environments/prod.yaml': prod,
    'catalog/environments/qa.yaml': `${of('team_qa', prod)}overrides: { items: { axe: { attributes: { damage: null } } } }\n`,
    'catalog/environments/staging.yaml': `${of('team_st', remote)}only: [ "item.swrod" ]\n`,
    'catalog/environments/small.yaml': `${of('team_sm', prod)}only: [ "classifier.*", "item.axe" ]\n`,
  });
  expect(problemsIn((await project.run('validate')).stderr)).toMatchInlineSnapshot(`
    [
      "game.yaml:1:15 unbound-attribute damage damage: ID attributes:",
      "qa.yaml:4:44 nothing-to-take axe damage +game.yaml:12:3",
      "staging.yaml:4:9 matches-nothing item.swrod item.sword",
    ]
  `);
});

test('an override that an alias or a merge key brings in is found where it stands', async () => {
  const lines = `overrides:
  items:
    axe: &strong { attributes: { damage: { min: 9, max: 8 } } }
    sword: { <<: *strong, name: Strong Sword }`;
  expect(problemsIn(await complaints(lines))).toMatchInlineSnapshot(`
    [
      "staging.yaml:6:49 empty-range damage +staging.yaml:6:57",
    ]
  `);
});

/** Rule and line of every problem; what is in a catalog file has its name before them. */
async function told(file: string, command: string, catalogFiles: Readonly<Record<string, string>> = {}) {
  const files = { 'catalog/game.yaml': catalog, ...catalogFiles, 'catalog/environments/staging.yaml': file };
  await using project = await createProject(files);
  const { stderr, code } = await project.run(command);
  const places = [
    ...stderr.matchAll(/\[([a-z-]+)\]\n *-+> catalog\/(?:environments\/staging.yaml|([^:]+)):(\d+)/g),
  ];
  return { code, problems: places.map(([, rule, of, line]) => `${of ? `${of} ` : ''}${rule} ${line}`) };
}

describe('a catalog that is wrong by itself', () => {
  const wrong = catalog.replace('min: 3, max: 7', 'min: 3, max: 1');
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
  const ofFile = [
    'wrong-type 3',
    'wrong-type 7',
    'left-out 9',
    'empty-range 7',
    'unknown-reference 7',
    'unknown-reference 6',
    'unknown-reference 8',
    'matches-nothing 9',
    'unknown-reference 3',
  ];

  test.each(['plan -e staging', 'apply -e staging --yes', 'validate'])(
    '%s tells what is wrong with an environment for it in the same run',
    async (command) => {
      const { code, problems } = await told(file, command, { 'catalog/game.yaml': wrong });
      expect(code).toBe(1);
      // Of the attributes only the one that is not misspelt.
      const ofCatalog = ['game.yaml empty-range 19', 'game.yaml unbound-attribute 1'];
      expect(problems.toSorted()).toEqual([...ofCatalog, ...ofFile].toSorted());
      const sound = await told(file, command);
      expect(sound.problems.toSorted()).toEqual(
        problems.filter((each) => each !== 'game.yaml empty-range 19').toSorted(),
      );
    },
  );

  test.each([
    ['a file that is no YAML', { 'catalog/more.yaml': 'items: [' }, 'yaml-syntax'],
    ['a section that is no mapping', { 'catalog/more.yaml': 'items: 3' }, 'wrong-type'],
    ['a section with another name', { 'catalog/more.yaml': 'itms: {}' }, 'unknown-property'],
  ])('%s may declare what the environment names', async (_, files, rule) => {
    const { problems } = await told(file, 'validate', files);
    expect(problems[0]).toMatch(new RegExp(`^more.yaml ${rule} `));
    const kept = [
      'wrong-type 3',
      'wrong-type 7',
      'left-out 9',
      'empty-range 7',
      'unknown-reference 7',
      'unknown-reference 8',
    ];
    const others = problems.slice(1).filter((each) => !each.startsWith('game'));
    expect(others.toSorted()).toEqual(kept.toSorted());
  });

  test.each<[string, string, string, string]>([
    [
      'a range',
      'min: 3, max: 7',
      'min: low, max: 7',
      'items: { sword: { attributes: { damage: { max: 9 } } } }',
    ],
    [
      'a range to take away',
      'attributes: { damage: {',
      'atributes: { damage: {',
      'items: { sword: { attributes: { damage: null } } }',
    ],
    [
      'options',
      'common: { name: Common, dropRateMultiplier: 1 }',
      'common: 3',
      'classifiers: { rarity: { options: { rare: { name: X }, raer: { name: X } } } }',
    ],
    ['a declaration', 'axe: {', 'axe: 3\n  bow: {', 'items: { axe: { attributes: { damage: { max: 9 } } } }'],
  ])('%s that is wrong in the catalog may be what an override needs', async (_, from, to, overrides) => {
    const text = `${remote}overrides: { ${overrides} }\n`;
    const { problems } = await told(text, 'validate', { 'catalog/game.yaml': catalog.replace(from, to) });
    expect(problems.filter((each) => !each.startsWith('game.yaml'))).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe('a file that is wrong by itself and for this catalog', () => {
  test.each(['plan -e staging', 'apply -e staging --yes', 'validate'])(
    '%s tells all of it at once',
    async (command) => {
      const file = `baseUrl: ftp://game.example
teamId: ""
attributes: { damage: attr_1, speed: attr_2 }
overrides:
  items:
    swrod: { name: X }
    sword: { rollNumerator: many }
only: ["item.*", "classifier.*", "item.swrod"]
`;
      expect(await told(file, command)).toEqual({
        code: 1,
        problems: ['base-url 1', 'text-length 2', 'wrong-type 7', 'unknown-reference 6', 'matches-nothing 8'],
      });
    },
  );

  test.each([
    ['an attribute', 'attributes: { damage: 3, speed: attr_2 }'],
    ['a part of what it takes', 'attributes: { speed: attr_2 }\nonly: [item.axe, 3]'],
    [
      'a pattern that may be for a classifier',
      'attributes: { damage: a, speed: b }\nonly: [item.axe, "clasifier.*", 3]',
    ],
    [
      'an override that another one needs',
      `attributes: { damage: attr_1, speed: attr_2 }
overrides: { items: { sword: { id: id-axe }, axe: { id: id-other, name: 3 } } }`,
    ],
    ['the name of attributes', 'atributes: { damage: attr_1, speed: attr_2 }'],
    ['the name of what it takes', 'attributes: { speed: attr_2 }\nonyl: [classifier.*]'],
  ])('what may follow from %s that is wrong is not told', async (_, lines) => {
    const { problems } = await told(
      `baseUrl: https://game.example/api\nteamId: team_7\n${lines}\n`,
      'plan -e staging',
    );
    expect(problems.map((each) => each.split(' ')[0])).toEqual([
      expect.stringMatching(/^(wrong-type|unknown-property)$/),
    ]);
  });
});
