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

describe('options that an update replaces', () => {
  test.each<[string, Names, string, Names, string, string[]]>([
    ['an unused one is renamed', { a: 'X', b: 'Y' }, 'a', { a: 'X', b: 'Z' }, 'a', [update.r]],
    [
      'an unused one is renamed and assigned',
      { a: 'X', b: 'Y' },
      'a',
      { a: 'X', b: 'Z' },
      'b',
      [update.r, 'waiting item.sword'],
    ],
    ['an unused one is removed', { a: 'X', b: 'Y' }, 'a', { a: 'X' }, 'a', [update.r]],
    ['one is freed and removed', { a: 'X', b: 'Y' }, 'a', { b: 'Y' }, 'b', [blocked, update.sword]],
    ['one is added and assigned', { a: 'X' }, 'a', { a: 'X', b: 'Y' }, 'b', [update.r, update.sword]],
    ['a key is renamed', { a: 'X', b: 'Y' }, 'a', { gold: 'X', b: 'Y' }, 'gold', []],
    ['a key is renamed and the item drops it', { a: 'X' }, 'a', { gold: 'X' }, '', [update.sword]],
  ])('end as declared if %s', async (_, before, had, after, has, actions) => {
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
    ['one is renamed', { a: 'X' }, { a: 'Y' }, 'a', [blocked]],
    ['two swap their names', { a: 'X', b: 'Y' }, { a: 'Y', b: 'X' }, 'b', [blocked, 'blocked item.sword']],
    ['another key takes over its name', { a: 'X' }, { a: 'Y', b: 'X' }, 'b', [blocked, 'blocked item.sword']],
    ['the key and the name of one change', { a: 'X' }, { b: 'Y' }, 'b', [blocked, update.r, update.sword]],
  ])('do not change meaning for their items if %s', async (_, before, after, has, actions) => {
    const found = await edited('replace', [catalogText(before, 'a'), catalogText(after, has)]);
    expect(found).toMatchObject({ actions, sentAgain: [] });
    expect(found.assigned).toEqual([actions.includes(update.sword) ? after[has] : 'X']);
  });

  test('can be renamed in three steps: add, assign, remove', async () => {
    const steps = [
      catalogText({ a: 'X' }, 'a'),
      catalogText({ a: 'X', b: 'Y' }, 'b'),
      catalogText({ b: 'Y' }, 'b'),
    ];
    expect(await edited('replace', steps)).toMatchObject({ options: ['Y'], assigned: ['Y'], sentAgain: [] });
  });

  test('are replaced with their classifier if onBlocked is replace', async () => {
    const anew = (name: string) => withR(catalogText({ a: name }, 'a'), 'lifecycle: { onBlocked: replace }');
    const found = await edited('replace', [anew('X'), anew('Y')]);
    expect(found).toMatchObject({
      actions: ['replace classifier.r', update.sword],
      assigned: ['Y'],
      sentAgain: [],
    });
  });
});

describe('options that an update merges by name', () => {
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

  test('are not added with a name that another one keeps', async () => {
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

test('an undeclared option stays assigned if its item is updated', async () => {
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

/** If the name of a key is not sent, the key does not mean the option with that name; a new name leaves no doubt. */
test.each<[string, Setting, string, string, Partial<PlanOptions>, readonly string[]]>([
  ['shifted names are blocked if options are unsupported', 'unsupported', ab, bc, {}, bothBlocked],
  ['shifted names are blocked if options are merged by name', 'merge-by-name', ab, bc, {}, bothBlocked],
  [
    'shifted names block the item if options are ignored',
    'replace',
    withR(ab, ignore),
    withR(bc, ignore),
    {},
    ['blocked item.sword'],
  ],
  [
    'shifted names are blocked if the classifier is protected',
    'replace',
    withR(ab, protect),
    withR(bc, protect),
    replaceR,
    bothBlocked,
  ],
  [
    'a new name is blocked if the classifier is protected',
    'replace',
    withR(catalogText({ a: 'X' }, 'a'), protect),
    withR(catalogText({ a: 'Y' }, 'a'), protect),
    replaceR,
    [blocked],
  ],
  [
    'an item is updated if only the name of another option is new',
    'unsupported',
    ab,
    catalogText({ a: 'X', b: 'Z' }, 'b'),
    {},
    [blocked, update.sword],
  ],
  [
    'a key that takes over a name is blocked if options are unsupported',
    'unsupported',
    two,
    one,
    {},
    bothBlocked,
  ],
  [
    'a key that takes over a name is blocked if options are merged',
    'merge-by-name',
    two,
    one,
    {},
    bothBlocked,
  ],
  ['a key that takes over a name is blocked if options are replaced', 'replace', two, one, {}, bothBlocked],
])('%s', async (_, setting, before, after, planOptions, actions) => {
  const desk = await deskWith(setting, before);
  const plan = await desk.plan(after, {}, planOptions);
  expect(actionsOf(plan)).toEqual(actions);
  for (const { action, requests } of plan.changes) if (action === 'blocked') expect(requests).toEqual([]);
});

test('a change blocked by an unsent name shows which option the key still means', async () => {
  const desk = await Desk.applied(ab, { profile: embeddedProfile });
  const { reason } = await desk.change('item.sword', bc);
  expect(reason).toContain('classifier.r.b is still the option "Y"');
});

test('an existing option gets a declared key by its name, without a request for it', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  await importedAgain(house, catalogText({ a: 'X', b: 'Y' }, 'a'));
  await house.apply(catalogText({ a: 'X' }, 'a'));
  const { before, state: after } = await house.apply(catalogText({ a: 'X', b: 'Y' }, 'b'));
  expect(actionsOf(before)).toEqual(['update item.sword']);
  expect(swordIn(after)).toEqual(['Sword', 'Y']);
});

test('the name of a classifier is sent even if an option with the key `name` is blocked', async () => {
  const desk = await deskWith('merge-by-name', catalogText({ a: 'X' }, 'a'));
  const plan = await desk.plan(catalogText({ a: 'Y', name: 'X' }, 'a').replace('name: R,', 'name: Rarity,'));
  const sent = plan.changes.filter(({ action }) => action === 'update').flatMap(({ fields }) => fields);
  expect(sent.map(({ path }) => path)).toEqual(['name']);
});

test('an undeclared option stays assigned while the one declared instead is blocked', async () => {
  await using house = await createHouse({ profile: embeddedProfile });
  await importedAgain(house, catalogText({ legendary: 'Legendary' }, 'legendary'));
  const other = catalogText({ legendary: 'Legend' }, 'legendary');
  for (let times = 0; times < 3; times++) await house.apply(other);
  const { before, state: after } = await house.apply(other);
  expect(actionsOf(before)).toEqual(bothBlocked);
  expect(swordIn(after)).toEqual(['Sword', 'Legendary']);
});

test('a revived classifier that is blocked is replaced at once if onBlocked is replace', async () => {
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
  'a rename is blocked if an item that is %s may have the option',
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

test('a rename is blocked if an unknown update may have assigned the option', async () => {
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

test('the update that confirms an imported item contains no ignored assignments', async () => {
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

test('a diverged rename is not resent if an item may have the option by now', async () => {
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
