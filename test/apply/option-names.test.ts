import { describe, expect, test } from 'vitest';
import type { WireClassifier, WireItem } from '../../src/contract/api.ts';
import { embeddedProfile, type Profile } from '../../src/contract/profile.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import type { State } from '../../src/state/model.ts';
import { actionsOf, Desk } from '../rig/desk.ts';
import { createHouse, type House } from '../rig/in-process.ts';
import { otherwise, unseen } from '../rig/memory-service.ts';
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

/** The same with more about the classifier. */
function withR(text: string, more: string): string {
  return text.replace('} } }\nitems', `}, ${more} } }\nitems`);
}

/** Applies catalogs in turn to a real service that takes options in an update, the last one until nothing is sent. */
async function edited(setting: 'replace' | 'merge-by-name', texts: readonly string[]) {
  const dialect = setting === 'replace' ? ('replaced' as const) : ('merged-by-name' as const);
  const profile: Profile = { ...embeddedProfile, 'classifierUpdate.options': setting };
  await using house = await createHouse({ profile, dialect: { 'classifierUpdate.options': dialect } });
  for (const text of texts.slice(0, -1)) await house.apply(text);
  const last = texts.at(-1) ?? '';
  const { before: plan, report } = await house.apply(last);
  await house.apply(last);
  const { state, after } = await house.apply(last);
  const { live } = recorded(state);
  const r = live['classifier.r']?.answer as WireClassifier;
  return {
    actions: actionsOf(plan),
    moved: plan.moved,
    results: report.results.map(({ result }) => result),
    options: r.classifierOptions.map(({ name }) => name).sort(),
    assigned: swordIn(state).slice(1),
    sentAgain: after.changes.flatMap(({ requests }) => requests),
  };
}

const update = { r: 'update classifier.r', sword: 'update item.sword' };
const blocked = 'blocked classifier.r';

describe('options that are replaced', () => {
  test.each<[string, Names, string, Names, string, string[]]>([
    ['a free one is renamed', { a: 'X', b: 'Y' }, 'a', { a: 'X', b: 'Z' }, 'a', [update.r]],
    [
      'a free one is renamed and assigned',
      { a: 'X', b: 'Y' },
      'a',
      { a: 'X', b: 'Z' },
      'b',
      [update.r, 'waiting item.sword'],
    ],
    ['a free one is removed', { a: 'X', b: 'Y' }, 'a', { a: 'X' }, 'a', [update.r]],
    ['one is freed and removed', { a: 'X', b: 'Y' }, 'a', { b: 'Y' }, 'b', [blocked, update.sword]],
    ['one is added and assigned', { a: 'X' }, 'a', { a: 'X', b: 'Y' }, 'b', [update.r, update.sword]],
    ['a key is renamed', { a: 'X', b: 'Y' }, 'a', { gold: 'X', b: 'Y' }, 'gold', []],
    ['a key is renamed, and the item drops it', { a: 'X' }, 'a', { gold: 'X' }, '', [update.sword]],
  ])('end as declared: %s', async (_, before, had, after, has, actions) => {
    const found = await edited('replace', [catalogText(before, had), catalogText(after, has)]);
    const assigned = [after[has]].filter((name) => name !== undefined);
    expect(found).toEqual({
      ...found,
      actions,
      options: Object.values(after).sort(),
      assigned,
      sentAgain: [],
    });
  });

  test.each<[string, Names, Names, string, string[]]>([
    ['it is renamed', { a: 'X' }, { a: 'Y' }, 'a', [blocked]],
    ['two swap their names', { a: 'X', b: 'Y' }, { a: 'Y', b: 'X' }, 'b', [blocked, 'blocked item.sword']],
    ['another key takes over its name', { a: 'X' }, { a: 'Y', b: 'X' }, 'b', [blocked, 'blocked item.sword']],
    ['its key and its name change', { a: 'X' }, { b: 'Y' }, 'b', [blocked, update.r, update.sword]],
  ])('leave an item the option that it has: %s', async (_, before, after, has, actions) => {
    const found = await edited('replace', [catalogText(before, 'a'), catalogText(after, has)]);
    expect(found).toMatchObject({ actions, sentAgain: [] });
    expect(found.assigned).toEqual([actions.includes(update.sword) ? after[has] : 'X']);
  });

  test('are renamed in steps: a new one, assigned, and then the old one removed', async () => {
    const steps = [
      catalogText({ a: 'X' }, 'a'),
      catalogText({ a: 'X', b: 'Y' }, 'b'),
      catalogText({ b: 'Y' }, 'b'),
    ];
    expect(await edited('replace', steps)).toMatchObject({ options: ['Y'], assigned: ['Y'], sentAgain: [] });
  });

  test('are all created anew, if the classifier is declared so', async () => {
    const anew = (name: string) => withR(catalogText({ a: name }, 'a'), 'lifecycle: { onBlocked: replace }');
    const found = await edited('replace', [anew('X'), anew('Y')]);
    expect(found).toMatchObject({
      actions: ['replace classifier.r', update.sword],
      assigned: ['Y'],
      sentAgain: [],
    });
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

/** Applies a catalog, loses the state, and imports the records without the IDs of their options. */
async function importedAgain(house: House, text: string): Promise<void> {
  const { live } = recorded((await house.apply(text)).state);
  await house.loseState();
  await house.import(Object.fromEntries(Object.values(live).map(({ address, id }) => [address, id])));
}

/** The name of the sword and of its options, in order. */
function swordIn(state: State): readonly string[] {
  const { answer } = recorded(state).live['item.sword'] ?? {};
  const { name, classifiers } = answer as WireItem;
  return [name, ...classifiers.map(({ classifierOption }) => classifierOption.name).sort()];
}

test('an option that no key has stays assigned when something else of its item is updated', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  const all = catalogText({ common: 'Common', rare: 'Rare', legendary: 'Legendary' }, '[rare, legendary]');
  await importedAgain(house, all);
  const part = `classifiers: { r: { name: R, options: { common: { name: Common, dropRateMultiplier: 1 }, rare: { name: Rare, dropRateMultiplier: 1 } }, lifecycle: { ignoreChanges: [options] } } }
items: { sword: { name: Sword, rollNumerator: 1 } }
`;
  await house.apply(part);
  const { state: after } = await house.apply(part.replace('name: Sword', 'name: Blade'));
  expect(swordIn(after)).toEqual(['Blade', 'Legendary', 'Rare']);
});

type Setting = Profile['classifierUpdate.options'];

function deskWith(setting: Setting, applied: string): Promise<Desk> {
  return Desk.applied(applied, { profile: { ...embeddedProfile, 'classifierUpdate.options': setting } });
}

const protect = 'lifecycle: { protect: true }';
const ignore = 'lifecycle: { ignoreChanges: [options] }';
const replaceR: Partial<PlanOptions> = { replace: ['classifier.r'] };
const bothBlocked = [blocked, 'blocked item.sword'];
const [ab, bc] = [catalogText({ a: 'X', b: 'Y' }, 'a'), catalogText({ b: 'X', c: 'Y' }, 'b')];
const [two, one] = [catalogText({ a: 'Rare', b: 'Epic' }, '[a, b]'), catalogText({ b: 'Rare' }, 'b')];

/** A key whose name is not sent is not taken for the option that has the name; a new name alone leaves no doubt. */
test.each<[string, Setting, string, string, Partial<PlanOptions>, readonly string[]]>([
  ['options are unsupported', 'unsupported', ab, bc, {}, bothBlocked],
  ['options are merged by name', 'merge-by-name', ab, bc, {}, bothBlocked],
  ['they are left to others', 'replace', withR(ab, ignore), withR(bc, ignore), {}, ['blocked item.sword']],
  ['r is not to be replaced', 'replace', withR(ab, protect), withR(bc, protect), replaceR, bothBlocked],
  [
    'r is not to be replaced, one option',
    'replace',
    withR(catalogText({ a: 'X' }, 'a'), protect),
    withR(catalogText({ a: 'Y' }, 'a'), protect),
    replaceR,
    [blocked],
  ],
  [
    'only a name is new',
    'unsupported',
    ab,
    catalogText({ a: 'X', b: 'Z' }, 'b'),
    {},
    [blocked, update.sword],
  ],
  ['a key takes over a name, unsupported', 'unsupported', two, one, {}, bothBlocked],
  ['a key takes over a name, merged', 'merge-by-name', two, one, {}, bothBlocked],
  ['a key takes over a name, replaced', 'replace', two, one, {}, bothBlocked],
])('%s', async (_, setting, before, after, planOptions, actions) => {
  const desk = await deskWith(setting, before);
  const plan = await desk.plan(after, {}, planOptions);
  expect(actionsOf(plan)).toEqual(actions);
  for (const { action, requests } of plan.changes) if (action === 'blocked') expect(requests).toEqual([]);
});

test('what is blocked by a name that is not sent tells which option the key still is', async () => {
  const desk = await Desk.applied(ab, { profile: embeddedProfile });
  const { reason } = await desk.change('item.sword', bc);
  expect(reason).toContain('classifier.r.b is still the option "Y"');
});

test('an option that exists without a key gets one by its name, and nothing is sent', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  await importedAgain(house, catalogText({ a: 'X', b: 'Y' }, 'a'));
  await house.apply(catalogText({ a: 'X' }, 'a'));
  const { before, state: after } = await house.apply(catalogText({ a: 'X', b: 'Y' }, 'b'));
  expect(actionsOf(before)).toEqual(['update item.sword']);
  expect(swordIn(after)).toEqual(['Sword', 'Y']);
});

test('the name of a classifier is sent though an option with the key `name` is held back', async () => {
  const desk = await deskWith('merge-by-name', catalogText({ a: 'X' }, 'a'));
  const plan = await desk.plan(catalogText({ a: 'Y', name: 'X' }, 'a').replace('name: R,', 'name: Rarity,'));
  const sent = plan.changes.filter(({ action }) => action === 'update').flatMap(({ fields }) => fields);
  expect(sent.map(({ path }) => path)).toEqual(['name']);
});

test('an option that goes by its ID stays while the one declared in its place is blocked', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  await importedAgain(house, catalogText({ legendary: 'Legendary' }, 'legendary'));
  const other = catalogText({ legendary: 'Legend' }, 'legendary');
  for (let times = 0; times < 3; times++) await house.apply(other);
  const { before, state: after } = await house.apply(other);
  expect(actionsOf(before)).toEqual(bothBlocked);
  expect(swordIn(after)).toEqual(['Sword', 'Legendary']);
});

test('a retired record that is declared again, and blocked, is replaced at once if it is declared so', async () => {
  const desk = new Desk({ profile: embeddedProfile });
  const r = (options: string) =>
    `classifiers: { r: { name: R, options: { ${options} }, lifecycle: { onBlocked: replace } } }\n`;
  await desk.apply(r('a: { name: X, dropRateMultiplier: 1 }'));
  await desk.apply('');
  const other = r('b: { name: Y, dropRateMultiplier: 1 }');
  const { plan } = await desk.apply(other);
  expect(actionsOf(plan)).toEqual(['replace classifier.r']);
  expect(await desk.actions(other)).toEqual([]);
});

test.each(['imported', 'forgotten'] as const)(
  'an item that is %s may have the option that is renamed',
  async (type) => {
    const desk = await deskWith('replace', catalogText({ a: 'X' }, 'a'));
    const id = desk.idOf('item.sword');
    const at = '2026-03-02T08:00:00.000Z';
    desk.record({ type: 'forgotten', address: 'item.sword', at });
    if (type === 'imported') desk.record({ type, address: 'item.sword', at, id });
    const { changes } = await desk.plan(catalogText({ a: 'Y' }, 'a'));
    expect(changes.find(({ address }) => address === 'classifier.r')?.action).toBe('blocked');
  },
);

test('an item may have an option that was sent with an update whose outcome is unknown', async () => {
  const desk = await deskWith('replace', catalogText({ a: 'X', b: 'Z' }, ''));
  desk.service.react = unseen;
  await desk.apply(catalogText({ a: 'X', b: 'Z' }, 'a'));
  const actionFor = async (options: Names) => {
    const { changes } = await desk.plan(catalogText(options, ''));
    return changes.find(({ address }) => address === 'classifier.r')?.action;
  };
  expect(await actionFor({ a: 'Y', b: 'Z' })).toBe('blocked');
  expect(await actionFor({ b: 'Z' })).toBe('blocked');
  expect(await actionFor({ a: 'X', b: 'Y' })).toBe('update');
});

test('the update that confirms an imported item leaves assignments alone that are left to others', async () => {
  const desk = await Desk.applied(catalogText({ a: 'X' }, 'a'), { profile: embeddedProfile });
  const id = desk.idOf('item.sword');
  const at = '2026-03-02T08:00:00.000Z';
  desk.record(
    { type: 'forgotten', address: 'item.sword', at },
    { type: 'imported', address: 'item.sword', at, id },
  );
  const ignored = catalogText({ a: 'X' }, '').replace(
    'classifiers: {  } }',
    'classifiers: {}, lifecycle: { ignoreChanges: [classifiers] } }',
  );
  const { changes } = await desk.plan(ignored);
  const adopted = changes.find(({ action }) => action === 'adopt');
  expect(adopted?.requests[0]?.body).not.toHaveProperty('classifierOptionIds');
});

test('a rename that was not taken is not sent again with another change: an item may have the option by now', async () => {
  const desk = await deskWith('replace', catalogText({ a: 'X' }, ''));
  desk.service.react = ({ kind }, honest) =>
    kind === 'item'
      ? honest()
      : otherwise<WireClassifier>(honest(), ({ classifierOptions }) => ({
          classifierOptions: classifierOptions.map((option) => ({ ...option, name: 'X' })),
        }));
  await desk.apply(catalogText({ a: 'Y' }, ''));
  await desk.apply(catalogText({ a: 'Y' }, 'a'));
  const plan = await desk.plan(catalogText({ a: 'Y' }, 'a').replace('name: R,', 'name: Rarity,'));
  expect(plan.changes.map(({ requests }) => requests.map(({ body }) => body))).toEqual([
    [{ name: 'Rarity', classifierOptions: [{ name: 'X', dropRateMultiplier: 1 }] }],
  ]);
});
