import { describe, expect, test } from 'vitest';
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
    ],
    ['a range that is not there', 'overrides: { items: { axe: { attributes: { damage: null } } } }'],
    [
      'half a range that is not there',
      'overrides: { items: { axe: { attributes: { damage: { max: 3 }, speed: {} } } } }',
    ],
    [
      'wrong types and limits',
      `overrides:
  items:
    sword: { name: 3, rollNumerator: many, thumbnial: x, attributes: { damage: { max: high, mid: 1 } } }
    axe: { name: "", classifiers: { rarity: 3 }, thumbnail: ${'x'.repeat(192)}, lifecycle: { protect: maybe } }
  classifiers: { rarity: { options: { rare: null, common: { dropRateMultiplier: "1" } } } }
  attributes: {}`,
    ],
    [
      'a minimum above the maximum',
      'overrides: { items: { sword: { attributes: { damage: { min: 9 } } } } }',
    ],
    [
      'a maximum below the minimum',
      'overrides: { items: { sword: { attributes: { damage: { max: 1 } } } } }',
    ],
    [
      'references to nothing',
      'overrides: { items: { sword: { classifiers: { rarity: [common, raer], slto: hand } } } }',
    ],
    [
      'an option with the name of another, which stands after it',
      'overrides: { classifiers: { rarity: { options: { common: { name: Rare } } } } }',
    ],
    [
      'an item with the id of another, which stands after it',
      'overrides: { items: { axe: { id: id-sword } } }',
    ],
    ['ignored fields', 'overrides: { items: { sword: { lifecycle: { ignoreChanges: [thumbnial] } } } }'],
    [
      'a line that may hold a secret, at the other end',
      'overrides:\n  items:\n    axe: { id: x } # token hunter2\n    sword: { id: x }',
    ],
  ])('%s', async (_, lines) => {
    const said = await complaints(lines);
    expect(said).toMatchSnapshot();
    expect(said).not.toContain('hunter2');
  });
});

describe('a part of the catalog that is wrong', () => {
  test.each([
    ['nothing in it', 'only: []'],
    ['patterns that match nothing', 'only: [ "item.swrod", "items.*", "item.axe", "Item.*" ]'],
    ['patterns that match nothing, by their form', 'only: [ "item.swrod", "items.*", "item.axe" ]'],
    ['the same twice', 'only: [ "item.*", "classifier.*", "item.*" ]'],
    ['items without their classifiers', 'only: [ "item.*", "classifier.slot" ]'],
    [
      'items without classifiers that an override assigns',
      'only: [ "item.axe", "classifier.slot" ]\noverrides: { items: { axe: { classifiers: { rarity: common } } } }',
    ],
    [
      'overrides of what is left out',
      'only: [ "classifier.rarity", "item.sword" ]\noverrides: { items: { axe: { name: X } }, classifiers: { slot: { name: X } } }',
    ],
  ])('%s', async (_, lines) => {
    expect(await complaints(lines)).toMatchSnapshot();
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
  expect((await project.run('validate')).stderr).toMatchSnapshot();
});

test('an override that an alias or a merge key brings in is found where it stands', async () => {
  const lines = `overrides:
  items:
    axe: &strong { attributes: { damage: { min: 9, max: 8 } } }
    sword: { <<: *strong, name: Strong Sword }`;
  expect(await complaints(lines)).toMatchSnapshot();
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
