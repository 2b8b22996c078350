import { describe, expect, test } from 'vitest';
import { embeddedProfile, type Profile } from '../../src/contract/profile.ts';
import type { WireClassifier, WireItem } from '../../src/contract/wire.ts';
import { actionsOf, Desk } from '../rig/desk.ts';
import { createHouse } from '../rig/in-process.ts';
import { recorded } from '../rig/recorded.ts';

type Names = Readonly<Record<string, string>>;

/** Options by key and name, and the option keys of a sword. */
function catalogText(options: Names, assigned: string): string {
  const declared = Object.entries(options).map(
    ([key, name]) => `${key}: { name: ${name}, dropRateMultiplier: 1 }`,
  );
  return `classifiers: { r: { name: R, options: { ${declared.join(', ')} } } }
items: { sword: { name: Sword, rollNumerator: 1, classifiers: { ${assigned && `r: ${assigned}`} } } }
`;
}

/** Applies two catalogs to a real service that takes options in an update, and then the second one again. */
async function edited(setting: 'replace' | 'merge-by-name', [before, after]: readonly [string, string]) {
  const dialect = setting === 'replace' ? ('replaced' as const) : ('merged-by-name' as const);
  const profile: Profile = { ...embeddedProfile, 'classifierUpdate.options': setting };
  await using house = await createHouse({ profile, dialect: { 'classifierUpdate.options': dialect } });
  await house.apply(before);
  const { before: plan, state, report } = await house.apply(after);
  const { live } = recorded(state);
  const r = live['classifier.r']?.answer as WireClassifier;
  const sword = live['item.sword']?.answer as WireItem;
  const again = await house.apply(after);
  return {
    actions: plan.changes.map(({ action, address }) => `${action} ${address}`),
    moved: plan.moved,
    results: report.results.map(({ result }) => result),
    options: r.classifierOptions.map(({ name }) => name).sort(),
    assigned: sword.classifiers.map(({ classifierOption }) => classifierOption.name),
    sentAgain: again.before.changes.flatMap(({ requests }) => requests),
  };
}

describe('options that are replaced are told apart by name', () => {
  test.each<[string, Names, Names, string, string, string[]]>([
    ['two swap their names', { a: 'X', b: 'Y' }, { a: 'Y', b: 'X' }, 'a', 'a', ['Y']],
    ['a new key takes over a name', { a: 'Rare' }, { a: 'Epic', b: 'Rare' }, 'a', 'a', ['Epic']],
    ['the name of a removed key is taken over', { a: 'X', b: 'Y' }, { a: 'Y' }, 'a', 'a', ['Y']],
    ['... and the item had the removed one', { a: 'X', b: 'Y' }, { a: 'Y' }, 'b', '', []],
    ['a key is renamed', { a: 'Rare', b: 'X' }, { gold: 'Rare', b: 'X' }, 'a', 'gold', ['Rare']],
    ['a key is renamed, and the item drops it', { a: 'Rare' }, { gold: 'Rare' }, 'a', '', []],
  ])('%s', async (_, before, after, had, has, assigned) => {
    const texts = [catalogText(before, had), catalogText(after, has)] as const;
    const found = await edited('replace', texts);
    expect(found).toMatchObject({ options: Object.values(after).sort(), assigned, sentAgain: [] });
    expect(found.results.filter((result) => result !== 'applied')).toEqual([]);
  });

  test('a name that stays in use, since its rename is held back, is not sent twice', async () => {
    const held = '{ r: a }, lifecycle: { ignoreChanges: [classifiers] } }';
    const texts = [
      catalogText({ a: 'Rare' }, 'a').replace('{ r: a } }', held),
      catalogText({ a: 'Epic', b: 'Rare' }, 'a').replace('{ r: a } }', held),
    ] as const;
    const found = await edited('replace', texts);
    expect(found).toMatchObject({ actions: ['blocked classifier.r'], options: ['Rare'], sentAgain: [] });
  });
});

describe('options that are merged by name', () => {
  test('keep their ID under another key, and nothing is sent', async () => {
    const found = await edited('merge-by-name', [
      catalogText({ a: 'Rare' }, 'a'),
      catalogText({ gold: 'Rare' }, 'gold'),
    ]);
    expect(found).toMatchObject({
      actions: [],
      moved: [{ from: 'classifier.r.a', to: 'classifier.r.gold' }],
      options: ['Rare'],
    });
  });

  test('are not added under a name that another one keeps', async () => {
    const found = await edited('merge-by-name', [
      catalogText({ a: 'Rare' }, 'a'),
      catalogText({ a: 'Epic', b: 'Rare' }, 'b'),
    ]);
    expect(found).toMatchObject({
      actions: ['blocked classifier.r', 'blocked item.sword'],
      options: ['Rare'],
      assigned: ['Rare'],
    });
  });
});

test('an option that no key has stays assigned when something else of its item is updated', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  const all = catalogText({ common: 'Common', rare: 'Rare', legendary: 'Legendary' }, '[rare, legendary]');
  const { state } = await house.apply(all);
  const { live } = recorded(state);
  await house.loseState();
  await house.import(Object.fromEntries(Object.values(live).map(({ address, id }) => [address, id])));
  const part = `classifiers: { r: { name: R, options: { common: { name: Common, dropRateMultiplier: 1 }, rare: { name: Rare, dropRateMultiplier: 1 } }, lifecycle: { ignoreChanges: [options] } } }
items: { sword: { name: Sword, rollNumerator: 1 } }
`;
  await house.apply(part);
  const { state: after } = await house.apply(part.replace('name: Sword', 'name: Blade'));
  const blade = recorded(after).live['item.sword']?.answer as WireItem;
  const names = blade.classifiers.map(({ classifierOption }) => classifierOption.name).sort();
  expect([blade.name, names]).toEqual(['Blade', ['Legendary', 'Rare']]);
});

test('an option whose rename is sent again is assigned again in the same plan', async () => {
  const profile = {
    'classifierUpdate.options': 'replace',
    'itemUpdate.classifierOptionIds': 'by-classifier',
    'itemUpdate.assignments': 'replace',
  } as const;
  const desk = new Desk({ profile });
  await desk.apply(catalogText({ a: 'X' }, 'a'));
  const renamed = catalogText({ a: 'Y' }, 'a');
  // The service takes no options of an update, so the rename is not taken.
  await desk.apply(renamed);
  expect(actionsOf(await desk.plan(renamed)).filter((each) => each.startsWith('update'))).toEqual([]);
  const again = await desk.plan(renamed, {}, { reassert: ['classifier.r'] });
  expect(actionsOf(again)).toContain('update item.sword');
});
