import { expect, test } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import { compareEnvironments, type Side } from '../../src/plan/compare-environments.ts';
import { folderWith } from '../catalog/folder.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { unwrap } from '../state/results.ts';

/** A side that declares the small catalog with some edits, and has no state. */
async function sideWith(...edits: readonly (readonly [from: string, to: string])[]): Promise<Side> {
  const text = edits.reduce(
    (before, [from, to]) => before.replace(from, to),
    smallCatalog['catalog/game.yaml'],
  );
  const cwd = await folderWith({ 'catalog/game.yaml': text });
  const catalog = unwrap(await loadCatalog('catalog', { cwd }));
  const environment = unwrap(await loadEnvironment('local', { catalogFolder: 'catalog', cwd }));
  return { catalog, environment, state: undefined };
}

test('a comparison lists what two environments declare differently, in both directions', async () => {
  const one = await sideWith();
  const other = await sideWith(
    ['rollNumerator: 40', 'rollNumerator: 60'],
    ['    thumbnail: https://cdn.example/iron-sword.png\n', ''],
    ['slot: [main-hand, off-hand]', 'slot: off-hand'],
    ['dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5'],
    ['  oak-bow:\n', '  elm-bow:\n'],
    ['rollNumerator: 100', 'rollNumerator: 100\n    classifiers: {}\n    lifecycle: { protect: true }'],
  );
  const { settings, declared, recorded } = compareEnvironments(one, other);
  const shown = declared.map(({ address, one, other, fields }) =>
    fields.length === 0
      ? `${address}: ${one}, ${other}`
      : fields.map(({ path, one, other }) => `${address} ${path}: ${JSON.stringify([one, other])}`),
  );
  expect(shown.flat()).toEqual([
    'classifier.rarity options.rare: [{"name":"Rare","dropRateMultiplier":0.25},{"name":"Rare","dropRateMultiplier":0.5}]',
    'item.elm-bow: absent, declared',
    'item.iron-sword rollNumerator: [40,60]',
    'item.iron-sword thumbnail: ["https://cdn.example/iron-sword.png",{"$notManaged":true}]',
    'item.iron-sword classifiers.slot: [["main-hand","off-hand"],["off-hand"]]',
    'item.oak-bow: declared, absent',
    'item.torch lifecycle.protect: [null,true]',
    'item.torch classifiers: [{"$notManaged":true},null]',
  ]);
  expect([settings, recorded]).toEqual([[], []]);
  const swapped = compareEnvironments(other, one).declared;
  const sizes = (differences: typeof declared) =>
    differences.map(({ address, fields }) => [address, fields.length]);
  expect(sizes(swapped)).toEqual(sizes(declared));
  expect(compareEnvironments(one, await sideWith())).toEqual({ settings: [], declared: [], recorded: [] });
});
