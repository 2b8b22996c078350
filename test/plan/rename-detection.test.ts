import { describe, expect, test } from 'vitest';
import { looksOf } from '../../src/plan/rename-detection.ts';
import { fields } from '../../src/resources/fields.ts';
import { actionsOf, changeOf, Desk, now } from '../rig/desk.ts';
import { unseen } from '../rig/memory-service.ts';

const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
const renamed = sword.replace('sword:', 'blade:');
const two = 'items: { a: { name: Sword, rollNumerator: 1 }, b: { name: Sword, rollNumerator: 1 } }';
const move = 'moved: [{ from: item.sword, to: item.blade }]';
const blockedBoth = 'blocked item.blade, blocked item.sword';
const doneBoth = 'create item.blade, retire item.sword';

const thumbnail = 'thumbnail: https://cdn.example/s.png';
const ranges = 'attributes: { damage: { min: 1, max: 7.4 }, speed: { min: 1, max: 2 } }';
const telling = `attributes: { damage: {}, speed: {} }\n${sword.replace('40', `40, ${thumbnail}, ${ranges}`)}`;
const asBlade = (text: string) => text.replace('sword: { name: Sword', 'blade: { name: Blade');

/** Items with these keys, which differ only in their names. */
function alike(keys: string): string {
  const items = [...keys].map(
    (key) => `${key}: { name: ${key}, rollNumerator: 1, classifiers: { r: a, s: b } }`,
  );
  return `classifiers:
  r: { name: R, options: { a: { name: A, dropRateMultiplier: 1 } } }
  s: { name: S, options: { b: { name: B, dropRateMultiplier: 1 } } }
items: { ${items.join(', ')} }`;
}

async function planned(desk: Desk, ...args: Parameters<Desk['plan']>): Promise<string> {
  return (await desk.actions(...args)).join(', ');
}

describe('a rename', () => {
  const respelt = renamed.replace('Sword', '" SWORD"').replace('40', '41');
  const guarded = sword.replace('40', '40, lifecycle: { protect: true }');
  const both = `${sword.slice(0, -1)}, ${renamed.slice('items: {'.length)}`;

  test.each([
    ['suspected for the same name', sword, renamed, blockedBoth],
    ['suspected for another spelling and another number', sword, respelt, blockedBoth],
    ['suspected if all but the name is the same and distinctive', telling, asBlade(telling), blockedBoth],
    [
      'suspected for each of several removed items',
      two,
      renamed,
      'blocked item.blade, blocked item.a, blocked item.b',
    ],
    [
      'suspected for each of several new items',
      sword,
      two,
      'blocked item.a, blocked item.b, blocked item.sword',
    ],
    ['suspected for a protected item', guarded, renamed, blockedBoth],
    ['not suspected for another name without distinctive fields', sword, asBlade(sword), doneBoth],
    [
      'not suspected if a distinctive field differs',
      telling,
      asBlade(telling).replace('max: 2', 'max: 3'),
      doneBoth,
    ],
    ['not suspected if nothing is removed', sword, both, 'create item.blade'],
    [
      'not suspected for a look that remaining items share',
      alike('abc'),
      alike('abd'),
      'create item.d, retire item.c',
    ],
    ['not suspected once the catalog declares it', sword, `${renamed}\n${move}`, ''],
  ])('is %s', async (_, before, after, expected) => {
    expect(await planned(await Desk.applied(before), after)).toBe(expected);
  });

  const axe = 'sword: { name: Axe, rollNumerator: 7 }';
  const blade = renamed.slice('items: { '.length, -2);
  test.each([
    [
      'suspected if a new resource looks like the old one',
      `items: { ${axe}, ${blade} }`,
      'blocked item.blade, blocked item.sword',
    ],
    [
      'not suspected if a distinctive field differs',
      `items: { ${axe}, ${blade.replace('}', `, ${thumbnail} }`)} }`,
      'create item.blade, update item.sword',
    ],
    [
      'not suspected if the key keeps its name',
      `items: { ${axe.replace('Axe', 'sword')}, ${blade} }`,
      'create item.blade, update item.sword',
    ],
  ])('of a reused key is %s', async (_, edited, expected) => {
    const desk = await Desk.applied(sword);
    expect(await planned(desk, edited)).toBe(expected);
    expect(await planned(desk, edited, {}, { confirmNew: ['item.blade'] })).toBe(
      'create item.blade, update item.sword',
    );
  });

  test('of a reused key takes another key, so that a recovery finds both', async () => {
    const profile = { 'itemCreate.clientId': 'honoured', 'update.unknownId': 'rejected' } as const;
    const desk = await Desk.applied(sword, { profile });
    const change = await desk.change('item.sword', `items: { ${axe}, ${blade} }`);
    expect(change).toMatchObject({
      reason: expect.stringContaining(
        'item.sword now has another name, and item.blade is new and looks as item.sword did',
      ),
      remedies: [
        `if so, give what item.sword declares now another key, and add at the top level of a catalog file: \`${move}\``,
        'if it is a different one: trove apply -e staging --confirm-new item.blade',
      ],
      fields: [{ path: 'name' }, { path: 'rollNumerator' }],
    });
    const edited = `items: { ${axe.replace('sword:', 'axe:')}, ${blade} }\n${move}`;
    expect(await planned(desk, edited)).toBe('create item.axe');
    await desk.apply(edited);
    desk.state = undefined;
    await desk.apply(edited, {}, { recover: true });
    expect(await planned(desk, edited)).toBe('');
    expect([...desk.service.items.values()].map(({ name }) => name)).toEqual(['Sword', 'Axe']);
  });

  test('can be declared, or refused with --confirm-new for one or all', async () => {
    const desk = await Desk.applied(sword);
    expect(await desk.change('item.blade', renamed)).toMatchObject({
      reason: expect.stringContaining('item.sword is no longer declared'),
      remedies: [
        'if so, add at the top level of a catalog file: `moved: [{ from: item.sword, to: item.blade }]`',
        'if it is a different one (this retires item.sword): trove apply -e staging --confirm-new item.blade',
      ],
    });
    expect(await planned(desk, renamed, {}, { confirmNew: ['item.blade'] })).toBe(doneBoth);
    expect(await planned(desk, renamed, {}, { confirmNew: 'all' })).toBe(doneBoth);
    expect(await planned(desk, renamed, {}, { targets: ['item.blade'] })).toBe('blocked item.blade');
    await desk.apply('');
    expect(await planned(desk, renamed)).toBe('blocked item.blade');
  });

  test('is not suspected because of defaults, numbers or flags', () => {
    const look = (rest: object) =>
      looksOf(fields([], Object.entries({ name: 'Sword', rollNumerator: 1, ...rest })));
    const telling = { thumbnail: 'https://cdn.example/s.png', 'attributes.damage': { min: 1, max: 2 } };
    const zero = { min: 0, max: 0 };
    expect([look({}).length, look(telling).length]).toEqual([1, 2]);
    expect(look({ thumbnail: null, tradable: false, tags: [], note: '', limits: {} })).toEqual(look({}));
    expect(look({ weight: 3, tradable: true, stack: 1, level: 0 })).toHaveLength(1);
    expect(look({ 'attributes.damage': zero, 'attributes.speed': zero })).toHaveLength(1);
    expect(look({ ...telling, tradable: true, rollNumerator: 2 })).toEqual(look(telling));
    expect(look({ ...telling, 'attributes.damage': { min: 1, max: 3 } })).not.toEqual(look(telling));
  });

  const rounded = [
    { id: 'r1', itemId: 'i1', attributeId: 'attr_01', min: 1, max: 7 },
    { id: 'r2', itemId: 'i1', attributeId: 'attr_02', min: 1, max: 2 },
  ];
  test.each([
    ['the name', sword.replace('Sword', 'Sword & Co'), { name: 'Sword &amp; Co' }, 'Sword & Co'],
    ['a value', telling, { attributes: rounded }, 'Blade'],
    ['an undeclared field', telling.replace(`${thumbnail}, `, ''), { thumbnail: 'default.png' }, 'Blade'],
  ])('is suspected even if the service changed %s', async (_, text, answer, name) => {
    const desk = new Desk();
    desk.service.answerWith(answer);
    await desk.apply(text);
    const edited = text.replace(/sword: \{ name: [^,]+/, `blade: { name: ${name}`);
    expect(await planned(desk, edited)).toBe(blockedBoth);
  });

  test('is suspected even if a remaining record differs only in its thumbnail', async () => {
    const ranges = 'attributes: { damage: { min: 1, max: 7 }, speed: { min: 1, max: 2 } }';
    const stays = `club: { name: Club, rollNumerator: 1, thumbnail: https://cdn.example/c.png, ${ranges} }`;
    const text = (one: string) =>
      `attributes: { damage: {}, speed: {} }\nitems: { ${one}, rollNumerator: 1, ${ranges} }, ${stays} }`;
    const desk = await Desk.applied(text('axe: { name: Axe'));
    const plan = await desk.plan(text('war-axe: { name: War Axe'));
    expect(actionsOf(plan)).toEqual(['blocked item.war-axe', 'blocked item.axe']);
  });

  test('is suspected even if ignored fields differ', async () => {
    const lifecycle = 'lifecycle: { ignoreChanges: [name, thumbnail] }';
    const ignoring = telling.replace('rollNumerator', `${lifecycle}, rollNumerator`);
    const desk = await Desk.applied(ignoring);
    const edited = asBlade(ignoring).replace(thumbnail, 'thumbnail: https://cdn.example/other.png');
    expect(await planned(desk, edited)).toBe(blockedBoth);
  });

  test('is suspected for a name from an unknown update', async () => {
    const desk = await Desk.applied(sword);
    desk.service.react = unseen;
    await desk.apply(sword.replace('name: Sword', 'name: Blade'));
    expect(await planned(desk, asBlade(sword))).toBe(blockedBoth);
  });

  test('of an unconfirmed imported ID is suspected for every new item', async () => {
    const desk = new Desk();
    desk.record({ type: 'imported', address: 'item.sword', id: 'x', at: now });
    const plan = await desk.plan(renamed);
    expect(actionsOf(plan).join(', ')).toBe(blockedBoth);
    expect(changeOf(plan, 'item.blade').reason).toContain('only the imported ID of item.sword');
    expect(await desk.actions(`${renamed}\n${move}`)).toEqual(['adopt item.blade']);
    const items = Array.from({ length: 50 }, (_, n) => `i${n}: { name: I ${n}, rollNumerator: 1 }`);
    const many = `items: { ${items.join(', ')} }`;
    expect((await desk.plan(many)).summary).toMatchObject({ blocked: 51, create: 0 });
    const confirmed = await desk.plan(many, {}, { confirmNew: 'all' });
    expect(confirmed.summary).toMatchObject({ blocked: 1, create: 50 });
  });

  test('of a pending create is suspected, since its record may exist', async () => {
    const desk = new Desk();
    const rarity = 'classifiers: { rarity: { name: Rarity, options: {} } }';
    desk.service.react = unseen;
    await desk.apply(rarity);
    const tier = rarity.replace('rarity:', 'tier:');
    expect(await desk.actions(tier)).toEqual(['blocked classifier.tier', 'unknown classifier.rarity']);
    const moved = `${tier}\nmoved: [{ from: classifier.rarity, to: classifier.tier }]`;
    expect(await desk.actions(moved)).toEqual(['unknown classifier.tier']);
  });
});

/** Ash and Birch, or others, with some fields that tell them apart. */
const trees = {
  item: (keys: Readonly<Record<string, string>>) =>
    `items: { ${Object.entries(keys).map(([key, name]) => `${key}: { name: ${name}, rollNumerator: 1, thumbnail: ${name}.png }`)} }`,
  classifier: (keys: Readonly<Record<string, string>>) =>
    `classifiers: { ${Object.entries(keys).map(([key, name]) => `${key}: { name: ${name}, options: { x: { name: X${name}, dropRateMultiplier: 1 } } }`)} }`,
};

describe.each(['item', 'classifier'] as const)('a key of one %s that another one gets', (kind) => {
  const text = trees[kind];
  const both = text({ ash: 'Ash', birch: 'Birch' });
  const [ash, birch, oak] = [`${kind}.ash`, `${kind}.birch`, `${kind}.oak`] as const;
  const toAsh = `\nmoved: [{ from: ${birch}, to: ${ash} }]`;

  async function known(status: string): Promise<Desk> {
    const desk = new Desk();
    if (status === 'pending')
      desk.service.react = ({ request: { body } }, honest) => (body.name === 'Ash' ? unseen() : honest());
    await desk.apply(both);
    desk.service.react = (_, honest) => honest();
    if (status === 'retired') await desk.apply(text({ birch: 'Birch' }));
    if (status === 'forgotten') desk.record({ type: 'forgotten', address: ash, at: now });
    return desk;
  }

  test.each([
    ['live', `blocked ${ash}, blocked ${oak}`],
    ['retired', `blocked ${ash}, blocked ${oak}`],
    ['forgotten', `blocked ${ash}, blocked ${oak}`],
    ['pending', `unknown ${ash}, blocked ${oak}`],
  ])('keeps a %s record from being created again', async (status, expected) => {
    const desk = await known(status);
    const honored = { 'itemCreate.clientId': 'honoured' } as const;
    const edited = text({ ash: 'Cedar', birch: 'Birch', oak: 'Ash' });
    expect(await planned(desk, edited)).toBe(expected);
    expect(await planned(desk, edited, honored)).toBe(expected);
    expect(await planned(desk, edited, {}, { confirmNew: [oak] })).toContain(`create ${oak}`);
  });

  test('by `moved` keeps a retired record from being created again', async () => {
    const desk = await known('retired');
    await desk.apply(text({ ash: 'Birch' }) + toAsh);
    const { id } = desk.recorded.retired[0] ?? {};
    const edited = text({ ash: 'Birch', oak: 'Ash' }) + toAsh;
    const change = await desk.change(oak, edited);
    expect(change).toMatchObject({
      action: 'blocked',
      reason: `${oak} is new and looks like record ${id}, which ${ash} had before ${desk.idOf(ash)}: is it the same?`,
    });
    expect(change.remedies?.[0]).toContain(`trove state forget ${ash} -e staging && `);
    expect(await planned(desk, edited)).toBe(`blocked ${oak}`);
    // Those are its steps.
    const current = desk.idOf(ash);
    desk.record({ type: 'forgotten', address: ash, at: now });
    desk.record({ type: 'imported', address: ash, id: current, at: now });
    desk.record({ type: 'imported', address: oak, id: id ?? '', at: now });
    await desk.apply(edited);
    expect([desk.idOf(ash), desk.idOf(oak)]).toEqual([current, id]);
    expect(await planned(desk, edited)).toBe('');
  });

  test.each(['moved', 'imported'])(
    'keeps a forgotten one from being created again if it was %s',
    async (how) => {
      const desk = await known('forgotten');
      const id = desk.idOf(birch);
      if (how === 'imported') {
        desk.record({ type: 'forgotten', address: birch, at: now });
        desk.record({ type: 'imported', address: ash, id, at: now });
      } else desk.record({ type: 'moved', from: birch, to: ash });
      await desk.apply(text({ ash: 'Birch' }));
      await desk.apply(text({ ash: 'Birch' }), {}, { reassert: [ash] });
      const edited = text({ ash: 'Birch', oak: 'Ash' });
      expect(await planned(desk, edited)).toBe(`blocked ${oak}`);
      const lost = desk.recorded.forgotten[ash]?.id ?? '';
      expect((await desk.change(oak, edited)).remedies?.[0]).toContain(`import -e staging ${oak} ${lost}`);
      desk.record({ type: 'imported', address: oak, id: lost, at: now });
      expect(await planned(desk, edited)).toBe(`adopt ${oak}`);
    },
  );

  test.each([
    ['retired', `blocked ${ash}, blocked ${birch}`],
    ['pending', `unknown ${ash}, blocked ${birch}`],
  ])('without `moved` does not overwrite a %s record', async (status, expected) => {
    const desk = await known(status);
    const honored = { 'itemCreate.clientId': 'honoured' } as const;
    expect(await planned(desk, text({ ash: 'Birch' }), honored)).toBe(expected);
    expect(await planned(desk, text({ oak: 'Birch' }))).toContain(`blocked ${birch}`);
  });

  test('without `moved` does not overwrite an imported record', async () => {
    const desk = await Desk.applied(text({ birch: 'Birch' }));
    desk.record({ type: 'imported', address: ash, id: 'given', at: now });
    const edited = text({ ash: 'Birch' });
    expect(await planned(desk, edited)).toBe(`blocked ${ash}, blocked ${birch}`);
    expect((await desk.change(ash, edited)).remedies?.[0]).toContain(`trove state forget ${ash}`);
    desk.record({ type: 'forgotten', address: ash, at: now });
    expect(await planned(desk, edited + toAsh)).toBe('');
    expect(await planned(desk, text({ ash: 'Ash', birch: 'Birch' }))).toBe(`blocked ${ash}`);
  });

  test('is no reason to block what another record of the same name stands for', async () => {
    const desk = await Desk.applied(both);
    await desk.apply(both, {}, { replace: [ash] });
    expect(await planned(desk, text({ ash: 'Ash', birch: 'Birch', oak: 'Ash' }))).toBe(`create ${oak}`);
  });
});

describe('a forgotten record', () => {
  const text =
    'classifiers: { rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 } } } }\nitems: { sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: common } } }';
  const rarity = 'classifier.rarity';
  const forgotten = (address: typeof rarity | 'item.sword') =>
    ({ type: 'forgotten', address, at: now }) as const;

  test('is not created again without --confirm-new', async () => {
    const desk = await Desk.applied(text);
    const id = desk.idOf(rarity);
    desk.record(forgotten(rarity), forgotten('item.sword'));
    const plan = await desk.plan(text);
    expect(actionsOf(plan)).toEqual([`blocked ${rarity}`, 'blocked item.sword']);
    expect(changeOf(plan, rarity)).toMatchObject({
      reason: expect.stringContaining(`recorded as ${id} until it was forgotten at ${now}`),
      remedies: [
        expect.stringContaining(`trove import -e staging ${rarity} ${id}`),
        `if it does not: trove apply -e staging --confirm-new ${rarity}`,
      ],
    });
    const confirmed = await desk.actions(text, {}, { confirmNew: 'all' });
    expect(confirmed).toEqual([`create ${rarity}`, 'create item.sword']);
    const moved = `${text.replaceAll('rarity: ', 'rank: ')}\nmoved: [{ from: ${rarity}, to: classifier.rank }]`;
    expect((await desk.change('classifier.rank', moved)).action).toBe('blocked');
  });

  test('blocks its key for each ID that was let go of there, until all are held again', async () => {
    const two = 'items: { ash: { name: Ash, rollNumerator: 1 }, birch: { name: Birch, rollNumerator: 2 } }';
    const desk = await Desk.applied(two);
    const [ash, birch] = [desk.idOf('item.ash'), desk.idOf('item.birch')];
    desk.record({ type: 'forgotten', address: 'item.ash', at: now });
    desk.record({ type: 'moved', from: 'item.birch', to: 'item.ash' });
    desk.record({ type: 'forgotten', address: 'item.ash', at: now });
    desk.record({ type: 'imported', address: 'item.birch', id: birch, at: now });
    const change = await desk.change('item.ash', two);
    expect([change.action, change.reason]).toEqual(['blocked', expect.stringContaining(ash)]);
    const elsewhere = two.replace('ash: { name: Ash', 'oak: { name: Ash');
    const renamed = await desk.change('item.oak', elsewhere);
    expect([renamed.action, renamed.reason]).toEqual(['blocked', expect.stringContaining(ash)]);
  });

  test('is not what a person imports under another key', async () => {
    const desk = await Desk.applied(text);
    const id = desk.idOf('item.sword');
    desk.record(forgotten('item.sword'), {
      type: 'imported',
      address: 'item.blade',
      id: `${id.slice(0, -4)}0000`,
      at: now,
    });
    expect((await desk.change('item.blade', text.replace('sword:', 'blade:'))).action).toBe('adopt');
  });

  test('is not created again under another key', async () => {
    const desk = await Desk.applied(text);
    const id = desk.idOf(rarity);
    desk.record(forgotten(rarity));
    const renamed = text.replaceAll('rarity: ', 'rank: ');
    const plan = await desk.plan(renamed);
    expect(actionsOf(plan)).toEqual(['blocked classifier.rank', 'waiting item.sword']);
    expect(changeOf(plan, 'classifier.rank')).toMatchObject({
      reason: expect.stringContaining(`it looks like ${rarity}, which was recorded as ${id} until`),
      remedies: [
        expect.stringContaining(`trove import -e staging classifier.rank ${id}`),
        'if it does not: trove apply -e staging --confirm-new classifier.rank',
      ],
    });
    const other = renamed.replace('name: Rarity', 'name: Rank');
    expect(await desk.actions(other)).toContain('create classifier.rank');
    expect(await desk.actions(renamed, {}, { confirmNew: 'all' })).toContain('create classifier.rank');
    desk.record({ type: 'imported', address: 'classifier.rank', id, at: now });
    await desk.apply(renamed);
    // With its ID back it is no longer missing, and another one may have its name.
    const twin = renamed.replace('{ rank: {', '{ tier: { name: Rarity, options: {} }, rank: {');
    expect(await desk.actions(twin)).toEqual(['create classifier.tier']);
  });

  test('is not created again after a move', async () => {
    const desk = await Desk.applied(text);
    desk.record({ type: 'moved', from: rarity, to: 'classifier.rare' });
    desk.record({ type: 'forgotten', address: 'classifier.rare', at: now });
    expect(await desk.actions(text)).toContain(`blocked ${rarity}`);
  });

  test('whose ID has another address since holds nothing back', async () => {
    const desk = await Desk.applied(text);
    const id = desk.idOf(rarity);
    desk.record(forgotten(rarity), { type: 'imported', address: 'classifier.rank', id, at: now });
    const both = text.replace('{ rarity: {', '{ rank: { name: Rarity, options: {} }, rarity: {');
    const other = both.replace('rarity: { name: Rarity', 'rarity: { name: Grade');
    expect(await desk.actions(other)).toContain(`create ${rarity}`);
  });

  test('is as before once its ID is imported, and its items wait until then', async () => {
    const desk = await Desk.applied(text);
    const id = desk.idOf(rarity);
    desk.record(forgotten(rarity));
    const bow = 'items: { bow: { name: Bow, rollNumerator: 1, classifiers: { rarity: common } },';
    const more = text.replace('items: {', bow);
    const reason = `depends on ${rarity} (blocked)`;
    expect(await desk.change('item.bow', more)).toMatchObject({ action: 'waiting', reason });
    desk.record({ type: 'imported', address: rarity, id, at: now });
    await desk.apply(more);
    expect(desk.recorded.forgotten).toEqual({});
    expect(await desk.actions(more)).toEqual([]);
  });
});
