import { expect, test } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import { compareEnvironments, type Side } from '../../src/plan/compare-environments.ts';
import { folderWith } from '../catalog/folder.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { unwrap } from '../state/results.ts';

/** A side that declares the small catalog with some of its text otherwise, and has recorded nothing. */
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

test('what two sides declare differently, in both directions', async () => {
  const one = await sideWith();
  const other = await sideWith(
    ['rollNumerator: 40', 'rollNumerator: 60'],
    ['    thumbnail: https://cdn.example/iron-sword.png\n', ''],
    ['slot: [main-hand, off-hand]', 'slot: off-hand'],
    ['dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5'],
    ['  oak-bow:\n', '  elm-bow:\n'],
    ['rollNumerator: 100', 'rollNumerator: 100\n    classifiers: {}\n    lifecycle: { protect: true }'],
  );
  const declared = [
    {
      address: 'classifier.rarity',
      one: 'declared',
      other: 'declared',
      fields: [
        {
          path: 'options.rare',
          one: { name: 'Rare', dropRateMultiplier: 0.25 },
          other: { name: 'Rare', dropRateMultiplier: 0.5 },
        },
      ],
    },
    { address: 'item.elm-bow', one: 'absent', other: 'declared', fields: [] },
    {
      address: 'item.iron-sword',
      one: 'declared',
      other: 'declared',
      fields: [
        { path: 'rollNumerator', one: 40, other: 60 },
        { path: 'thumbnail', one: 'https://cdn.example/iron-sword.png', other: { $notManaged: true } },
        { path: 'classifiers.slot', one: ['main-hand', 'off-hand'], other: ['off-hand'] },
      ],
    },
    { address: 'item.oak-bow', one: 'declared', other: 'absent', fields: [] },
    {
      address: 'item.torch',
      one: 'declared',
      other: 'declared',
      fields: [
        { path: 'lifecycle.protect', one: null, other: true },
        { path: 'classifiers', one: { $notManaged: true }, other: null },
      ],
    },
  ];
  expect(compareEnvironments(one, other)).toEqual({ settings: [], declared, recorded: [] });
  const swapped = compareEnvironments(other, one).declared;
  expect(swapped.map(({ address, fields }) => [address, fields.length])).toEqual(
    declared.map(({ address, fields }) => [address, fields.length]),
  );
  expect(compareEnvironments(one, await sideWith())).toEqual({ settings: [], declared: [], recorded: [] });
});
