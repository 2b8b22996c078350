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

describe('a key whose name is not sent is not taken for the option that has the name', () => {
  const shifted = [catalogText({ a: 'X', b: 'Y' }, 'a'), catalogText({ b: 'X', c: 'Y' }, 'b')] as const;

  test.each(['unsupported', 'merge-by-name'] as const)('where options are %s', async (setting) => {
    const desk = new Desk({ profile: { ...embeddedProfile, 'classifierUpdate.options': setting } });
    await desk.apply(shifted[0]);
    const { changes } = await desk.plan(shifted[1]);
    const sword = changes.filter(({ address }) => address === 'item.sword');
    expect(sword.map(({ action, requests }) => [action, requests])).toEqual([['blocked', []]]);
    expect(sword[0]?.reason).toContain('classifier.r.b still is the option "Y"');
  });

  test('... but a new name alone leaves no doubt', async () => {
    const desk = new Desk({ profile: embeddedProfile });
    await desk.apply(catalogText({ a: 'X', b: 'Y' }, 'a'));
    const plan = await desk.plan(catalogText({ a: 'X', b: 'Z' }, 'b'));
    expect(actionsOf(plan)).toEqual(['blocked classifier.r', 'update item.sword']);
  });
});

test('an option is not removed from an item that could not be assigned to the one declared in its place', async () => {
  const profile = { ...embeddedProfile, 'classifierUpdate.options': 'replace' } as const;
  const desk = new Desk({ profile: { ...profile, 'itemUpdate.classifierOptionIds': 'unsupported' } });
  await desk.apply(catalogText({ a: 'X', b: 'Y' }, 'a'));
  const { changes } = await desk.plan(catalogText({ c: 'Z', b: 'Y' }, 'c'));
  const r = changes.filter(({ address }) => address === 'classifier.r');
  expect(r.flatMap(({ fields }) => fields.map(({ path }) => path))).toContain('options.a');
  const removing = r.find(({ reason = '' }) => reason.includes('removing classifier.r.a'));
  expect(removing?.action).toBe('blocked');
});

test('an option that exists without a key gets one by its name, and nothing is sent', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  const { state } = await house.apply(catalogText({ a: 'X', b: 'Y' }, 'a'));
  const { live } = recorded(state);
  await house.loseState();
  await house.import(Object.fromEntries(Object.values(live).map(({ address, id }) => [address, id])));
  await house.apply(catalogText({ a: 'X' }, 'a'));
  const { before, state: after } = await house.apply(catalogText({ a: 'X', b: 'Y' }, 'b'));
  expect(before.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['update item.sword']);
  const sword = recorded(after).live['item.sword']?.answer as WireItem;
  expect(sword.classifiers.map(({ classifierOption }) => classifierOption.name)).toEqual(['Y']);
});

test('a protected classifier that is not replaced leaves its items with their options', async () => {
  const profile = { ...embeddedProfile, 'classifierUpdate.options': 'replace' } as const;
  const desk = new Desk({ profile });
  const isProtected = (options: Names) =>
    catalogText(options, 'a').replace('} } }\nitems', '}, lifecycle: { protect: true } } }\nitems');
  await desk.apply(isProtected({ a: 'X' }));
  const plan = await desk.plan(isProtected({ a: 'Y' }), {}, { replace: ['classifier.r'] });
  expect(actionsOf(plan)).toEqual(['blocked classifier.r']);
});

test('the name of a classifier is sent though an option with the key `name` is held back', async () => {
  const profile = { ...embeddedProfile, 'classifierUpdate.options': 'merge-by-name' } as const;
  const desk = new Desk({ profile });
  await desk.apply(catalogText({ a: 'X' }, 'a'));
  const plan = await desk.plan(catalogText({ a: 'Y', name: 'X' }, 'a').replace('name: R,', 'name: Rarity,'));
  const sent = plan.changes.filter(({ action }) => action === 'update').flatMap(({ fields }) => fields);
  expect(sent.map(({ path }) => path)).toEqual(['name']);
});

test('an assignment that was not taken is not relied on when its option is renamed', async () => {
  const profile = {
    ...embeddedProfile,
    'classifierUpdate.options': 'replace',
    'itemUpdate.assignments': 'replace',
  } as const;
  const dialect = { 'itemUpdate.assignments': 'merge', 'classifierUpdate.options': 'replaced' } as const;
  await using house = await createHouse({ profile, dialect });
  await house.apply(catalogText({ a: 'X', b: 'Y' }, '[a, b]'));
  await house.apply(catalogText({ a: 'X', b: 'Y' }, 'a'));
  const { before } = await house.apply(catalogText({ a: 'Z', b: 'Y' }, 'a'));
  expect(before.changes.find(({ address }) => address === 'classifier.r')?.action).toBe('blocked');
});
