import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Catalog } from '../../src/catalog/model.ts';
import { applyOverrides, mergePatch } from '../../src/environment/apply-overrides.ts';
import { readEnvironment } from '../../src/environment/load.ts';
import { matcher } from '../../src/environment/select-resources.ts';
import { SourceText } from '../../src/text/source.ts';
import { shown } from '../catalog/folder.ts';
import { catalogFrom } from '../rig/desk.ts';
import { generatedCatalog, toYaml } from '../rig/generated-catalog.ts';
import { createProject } from '../rig/project.ts';
import fc from '../rig/property.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

const { 'catalog/game.yaml': small } = smallCatalog;

async function environmentWith(settings: object) {
  const text = stringify({ service: 'embedded', ...settings }, { aliasDuplicateObjects: false });
  const about = { name: 'local', folder: '/catalog', digest: 'sha256:0' };
  const result = await readEnvironment(new SourceText('local.yaml', text), about);
  if (!result.ok) throw new Error(shown(result));
  return result.value;
}

function declarations({ classifiers, items }: Catalog) {
  return [...classifiers.values(), ...items.values()].map(({ key, declaration }) => [key, declaration]);
}

describe('a patch', () => {
  test.each([
    [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: 4 } }, { a: 1, b: { c: 4, d: 3 } }],
    [{ a: { b: 1 } }, { a: null }, { a: null }],
    [{ a: { b: 1 } }, { a: 'text' }, { a: 'text' }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: 'text' }, { a: [] }, { a: [] }],
    [{ a: { b: 1 } }, { a: {} }, { a: { b: 1 } }],
    [{}, { a: {} }, {}],
    [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: 1 }, { toString: { b: 1 } }, { a: 1, toString: { b: 1 } }],
  ])('changes %j by %j to %j', (base, patch, merged) => {
    const before = structuredClone(base);
    expect(mergePatch(base, patch)).toEqual(merged);
    expect(base).toEqual(before);
  });

  test('equal to the values of the catalog changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(generatedCatalog, async (generated) => {
        const catalog = await catalogFrom(toYaml(generated));
        const { attributes: _, ...overrides } = generated;
        const overridden = applyOverrides(catalog, await environmentWith({ overrides }));
        expect(overridden.problems).toEqual([]);
        expect(JSON.stringify(declarations(overridden.catalog))).toBe(JSON.stringify(declarations(catalog)));
      }),
      { numRuns: 50 },
    );
  });

  test('shares what it does not change', async () => {
    const catalog = await catalogFrom(small);
    expect(applyOverrides(catalog, await environmentWith({})).catalog).toBe(catalog);
    const overrides = { items: { torch: { rollNumerator: 1 } } };
    const { catalog: patched } = applyOverrides(catalog, await environmentWith({ overrides }));
    expect(patched.classifiers).toBe(catalog.classifiers);
    expect(patched.items.get('oak-bow')).toBe(catalog.items.get('oak-bow'));
    expect(patched.items.get('torch')?.declaration).toEqual({ name: 'Torch', rollNumerator: 1 });
    expect(catalog.items.get('torch')?.declaration.rollNumerator).toBe(100);
  });
});

describe('a selection', () => {
  const moved = `moved:
  - { from: item.stick, to: item.brand }
  - { from: item.brand, to: item.torch }
  - { from: item.twig, to: item.oak-bow }
`;

  test('contains what the patterns match, with the moves that end there', async () => {
    const catalog = await catalogFrom(small + moved);
    const only = ['classifier.rarity', 'item.*-bow'];
    const { catalog: part, problems } = applyOverrides(catalog, await environmentWith({ only }));
    expect(problems).toEqual([]);
    expect([...part.classifiers.keys(), ...part.items.keys()]).toEqual(['rarity', 'oak-bow']);
    expect(part.moved.map(({ from, to }) => [from, to])).toEqual([['item.twig', 'item.oak-bow']]);
  });

  test('follows moves to their end', async () => {
    const catalog = await catalogFrom(small + moved);
    const { catalog: part } = applyOverrides(catalog, await environmentWith({ only: ['item.torch'] }));
    expect(part.moved.map(({ from }) => from)).toEqual(['item.stick', 'item.brand']);
  });

  test('is the whole catalog for the pattern *', async () => {
    const catalog = await catalogFrom(small + moved);
    const { catalog: all } = applyOverrides(catalog, await environmentWith({ only: ['*'] }));
    expect(declarations(all)).toEqual(declarations(catalog));
    expect(all.moved).toEqual(catalog.moved);
  });

  test('matches as a regular expression would', () => {
    const letters = (unit: string) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 8 });
    fc.assert(
      fc.property(letters('ab.*'), letters('ab.'), (pattern, address) => {
        const pieces = pattern.split('*').map((piece) => piece.replaceAll('.', '\\.'));
        expect(matcher(pattern)(address)).toBe(new RegExp(`^${pieces.join('.*')}$`).test(address));
      }),
      { numRuns: 2000 },
    );
  });
});

test('a plan with overrides equals a plan of the catalog edited by hand', async () => {
  const overrides = `service: embedded
overrides:
  classifiers:
    rarity: { name: Scarcity, options: { rare: { dropRateMultiplier: 0.5 } } }
  items:
    iron-sword: { thumbnail: null, classifiers: { slot: main-hand }, lifecycle: { protect: true } }
    torch: { rollNumerator: 60, id: torch-1, classifiers: { rarity: [rare] } }
`;
  const edits = [
    ['name: Rarity', 'name: Scarcity'],
    ['dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5'],
    ['thumbnail: https://cdn.example/iron-sword.png', 'thumbnail: null'],
    ['slot: [main-hand, off-hand] }', 'slot: main-hand }\n    lifecycle: { protect: true }'],
    ['rollNumerator: 100', 'rollNumerator: 60\n    id: torch-1\n    classifiers: { rarity: [rare] }'],
  ] as const;
  const withOverrides = { ...smallCatalog, 'catalog/environments/local.yaml': overrides };
  await using patched = await createProject(withOverrides);
  await using edited = await createProject(smallCatalog);
  for (const [from, to] of edits) await edited.edit('catalog/game.yaml', from, to);
  const planned = async ({ run }: typeof patched) => {
    const { catalog: _, changes, ...plan } = JSON.parse((await run('plan --format json')).stdout);
    return { ...plan, changes: changes.map(({ source: __, ...change }: { source: object }) => change) };
  };
  const [one, other] = [await planned(patched), await planned(edited)];
  expect(one.changes).toHaveLength(5);
  expect(one).toEqual(other);
});

test('a resource that `only` leaves out is retired, and comes back with its ID', async () => {
  await using project = await createProject(smallCatalog);
  await project.run('apply --yes');
  const ids = async () =>
    Object.fromEntries(Object.entries(recorded(await project.state()).live).map(([at, { id }]) => [at, id]));
  const before = await ids();
  const part = 'service: embedded\nonly: [ "classifier.rarity", "item.oak-bow" ]\n';
  await project.write('catalog/environments/local.yaml', part);
  expect((await project.run('apply --yes')).stdout).toContain('3 retired');
  expect(Object.keys(await ids())).toEqual(['classifier.rarity', 'item.oak-bow']);
  const forgotten = await project.run('state forget item.torch --yes');
  expect(forgotten.stdout).toContain('once the catalog declares it');
  expect(forgotten.stdout).not.toContain('The catalog declares item.torch');
  await project.write('catalog/environments/local.yaml', 'service: embedded\n');
  await project.run('apply --yes');
  const { 'item.torch': _, ...rest } = before;
  expect(await ids()).toMatchObject(rest);
});

test('the schema of overrides has the shapes of the catalog, with nothing required', () => {
  const schemaOf = (name: string) => JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'));
  const catalog = schemaOf('catalog').$defs;
  const environment = schemaOf('environment').$defs;
  const isOverridden = /#\/\$defs\/(option|range)"/g;
  for (const kind of ['classifier', 'option', 'item', 'range']) {
    const { required: _, ...optional } = bare(catalog[kind]);
    const expected = JSON.parse(JSON.stringify(optional).replaceAll(isOverridden, '#/$defs/$1Override"'));
    if (kind === 'range') expected.type = ['object', 'null'];
    expect(bare(environment[`${kind}Override`])).toEqual(expected);
  }
  // src/catalog/template.ts looks for the mark in the fields of items and nowhere else.
  const marks = JSON.stringify(catalog).split('x-trove-interpolated').length - 1;
  expect([marks, catalog.item.properties.thumbnail['x-trove-interpolated']]).toEqual([1, true]);
  for (const name of ['key', 'text', 'lifecycle']) expect(environment[name]).toEqual(catalog[name]);
});

/** A schema without its titles, descriptions and examples. */
function bare(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isWord = (key: string, value: unknown) =>
    key === 'examples' || (['title', 'description'].includes(key) && typeof value === 'string');
  return JSON.parse(JSON.stringify(schema, (key, value) => (isWord(key, value) ? undefined : value)));
}

test('an overridden resource has each value at the place in its own file', async () => {
  const catalog = await catalogFrom(small);
  const overrides = { items: { torch: { name: 'Fire', rollNumerator: 1 } } };
  const torch = applyOverrides(catalog, await environmentWith({ overrides })).catalog.items.get('torch');
  const fileOf = (...path: string[]) => torch?.document.locate(['items', 'torch', ...path]).source.path;
  const [game, local] = ['catalog/game.yaml', 'local.yaml'];
  expect([fileOf(), fileOf('name'), fileOf('thumbnail')]).toEqual([game, local, game]);
});
