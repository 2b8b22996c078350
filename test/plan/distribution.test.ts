import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/contract/profile.ts';
import { type Distribution, distribution, rollSpread } from '../../src/plan/distribution.ts';
import { Desk } from '../rig/desk.ts';

const rarity = `classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
  slot:
    name: Slot
    options: { head: { name: Head, dropRateMultiplier: 1 }, feet: { name: Feet, dropRateMultiplier: 1 } }
`;
const before = `${rarity}items:
  crown: { name: Crown, rollNumerator: 10, classifiers: { rarity: rare, slot: head } }
  hood: { name: Hood, rollNumerator: 40, classifiers: { rarity: common, slot: head } }
  boots: { name: Boots, rollNumerator: 30, classifiers: { rarity: common } }
`;
const after = `${rarity}items:
  crown: { name: Crown, rollNumerator: 20, classifiers: { rarity: common, slot: [feet, head] } }
  boots: { name: Boots, rollNumerator: 30 }
  sandals: { name: Sandals, rollNumerator: 12, classifiers: { rarity: common, slot: feet } }
`;
const willing: Partial<Profile> = {
  'itemUpdate.classifierOptionIds': 'by-classifier',
  'itemUpdate.assignments': 'replace',
};

/** These tests are not about resources that look alike. */
const anew = { confirmNew: 'all' } as const;

async function distributionOf(desk: Desk, text: string, profile: Partial<Profile> = {}) {
  const { catalog } = await desk.inputs(text, profile);
  return distribution(await desk.plan(text, profile, anew), catalog, desk.state);
}

/** `Rarity: Common 2 -> 3, Rare 1 -> 0` */
function sentences({ classifiers }: Distribution): readonly string[] {
  return classifiers.map(
    ({ name, options }) =>
      `${name}: ${options.map((option) => `${option.name} ${option.items.before} -> ${option.items.after}`).join(', ')}`,
  );
}

describe('the number of items per option', () => {
  test('includes additions, moves and retirements, and keeps unmanaged assignments', async () => {
    const desk = await Desk.applied(before, { profile: willing });
    const found = await distributionOf(desk, after);
    expect(found.items).toEqual({ before: 3, after: 3 });
    expect(sentences(found)).toEqual([
      'Rarity: Common 2 -> 3, Rare 1 -> 0',
      'Slot: Head 2 -> 1, Feet 0 -> 2',
    ]);
  });

  test('belongs to the last key of an option that was moved twice', async () => {
    const desk = await Desk.applied(before, { profile: willing });
    const moves =
      'moved: [{ from: classifier.rarity, to: classifier.r }, { from: classifier.r, to: classifier.tier }]';
    const found = await distributionOf(desk, `${before.replaceAll('rarity:', 'tier:')}\n${moves}\n`);
    expect(sentences(found)[0]).toBe('Rarity: Common 2 -> 2, Rare 1 -> 1');
  });

  test('does not include blocked changes', async () => {
    const edited = after.replace('rollNumerator: 20', 'rollNumerator: 10');
    const found = sentences(await distributionOf(await Desk.applied(before), edited));
    expect(found).toEqual(['Rarity: Common 2 -> 2, Rare 1 -> 1', 'Slot: Head 2 -> 1, Feet 0 -> 1']);
  });

  test.each([
    ['everything can be sent', willing],
    ['much is blocked', {}],
  ])('is the recorded number after an apply if %s', async (_, profile) => {
    const desk = await Desk.applied(before, { profile });
    for (const next of [after, before, rarity, before]) {
      const promised = await distributionOf(desk, next);
      await desk.apply(next, {}, anew);
      const found = await distributionOf(desk, next);
      expect(counts(found, 'before')).toEqual(counts(promised, 'after'));
    }
  });

  test('stays the same if a classifier is replaced', async () => {
    const desk = await Desk.applied(before, { profile: willing });
    const replace = { replace: ['classifier.rarity'] } as const;
    const { catalog } = await desk.inputs(before);
    const found = distribution(await desk.plan(before, {}, replace), catalog, desk.state);
    expect(sentences(found)).toEqual([
      'Rarity: Common 2 -> 2, Rare 1 -> 1',
      'Slot: Head 2 -> 2, Feet 0 -> 0',
    ]);
  });
});

/** Without options that have no items. */
function counts({ items, classifiers, rolls }: Distribution, side: 'before' | 'after') {
  const tallies = classifiers.flatMap(({ key, options }) =>
    options.map((option) => [`${key}.${option.key}`, option.items[side]] as const),
  );
  const bins = rolls?.bins.reduce((sum, bin) => sum + bin[side], 0) ?? 0;
  return { items: items[side], bins, tallies: tallies.filter(([, count]) => count > 0) };
}

describe('the bins of roll numerators', () => {
  const edges = (values: readonly number[]) => {
    const bins = rollSpread([], values)?.bins ?? [];
    return [...bins.map(({ from }) => from), ...bins.slice(-1).map(({ to }) => to)];
  };

  test('contain every value once, before and after', () => {
    const found = rollSpread([5, 10, 20], [10, 20, 20, 40]);
    const sum = (side: 'before' | 'after') => found?.bins.reduce((total, bin) => total + bin[side], 0);
    expect([sum('before'), sum('after')]).toEqual([3, 4]);
    expect(found?.bins.find(({ to }) => to === 20)).toMatchObject({ before: 1, after: 2 });
  });

  test.each([
    ['few values', [0, 1], [-1, 0, 1]],
    ['values from one', [1, 100], [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]],
    ['values from zero', [0, 150], [-1, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150]],
    ['fractions', [0.5, 4], [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]],
    ['one value', [40], [39, 40]],
    ['negative values', [-10, 150], [-20, 0, 20, 40, 60, 80, 100, 120, 140, 160]],
    ['values over orders of magnitude', [1, 900], [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]],
    ['values far apart', [1e-3, 1e9], [1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]],
    ['no values', [], []],
    ['a range beyond all numbers', [-1.7e308, 1.7e308], []],
  ])('have round edges for %s', (_, values, expected) => {
    expect(edges(values)).toEqual(expected);
  });

  test('are at most 16, whatever the values are', () => {
    for (const high of [1e-300, 0.3, 7, 199, 201, 1e5, 1e20, 1e300, Number.MAX_VALUE]) {
      for (const before of [[high / 150, 0.1 * high], [high / 1e5]])
        expect(edges([...before, high]).length).toBeLessThanOrEqual(17);
    }
  });
});
