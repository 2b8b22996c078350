import { describe, expect, test } from 'vitest';
import { actionsOf, changeOf, Desk } from '../rig/desk.ts';

const rarity = `classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
`;
const epic = `${rarity}      epic: { name: Epic, dropRateMultiplier: 0.1 }\n`;
const sword = `items:
  sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: rare } }
`;
const shape = { 'itemUpdate.classifierOptionIds': 'by-index', 'itemUpdate.assignments': 'replace' } as const;
const applied = (text: string) => Desk.applied(text);

describe('a plan for one resource', () => {
  test('creates what is not recorded, with references for IDs that only apply gets', async () => {
    const plan = await new Desk().plan(rarity + sword);
    expect(actionsOf(plan)).toEqual(['create classifier.rarity', 'create item.sword']);
    const [common, rare] = ['Common', 'Rare'].map((name, at) => ({
      name,
      dropRateMultiplier: [1, 0.25][at],
    }));
    expect(changeOf(plan, 'classifier.rarity').requests).toEqual([
      { method: 'POST', path: '/classifiers', body: { name: 'Rarity', classifierOptions: [common, rare] } },
    ]);
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      remoteId: null,
      requests: [{ body: { classifierOptionIds: [{ $knownAfterApply: 'classifier.rarity.rare' }] } }],
      source: { file: 'catalog/game.yaml', line: 8, column: 3 },
    });
    expect(plan.state).toEqual({ lineage: null, serial: 0 });
  });

  test('counts what is unchanged, without listing it', async () => {
    const plan = await (await applied(rarity + sword)).plan(rarity + sword);
    expect([plan.changes, plan.summary.unchanged]).toEqual([[], 2]);
  });

  test('updates what differs, with a body that repeats the rest', async () => {
    const desk = await applied('items: { sword: { name: Sword, rollNumerator: 40, thumbnail: a.png } }');
    const id = desk.idOf('item.sword');
    const body = { name: 'Blade', rollNumerator: 40, attributes: [], thumbnail: 'a.png' };
    const edited = 'items: { sword: { name: Blade, rollNumerator: 40 } }';
    expect(await desk.change('item.sword', edited)).toMatchObject({
      action: 'update',
      remoteId: id,
      fields: [{ path: 'name', before: 'Sword', after: 'Blade' }],
      requests: [{ method: 'PUT', path: `/items/${id}`, body }],
    });
  });

  test('retires what is no longer declared, classifiers first, and sends nothing', async () => {
    const desk = await applied(rarity + sword);
    const plan = await desk.plan('');
    expect(actionsOf(plan)).toEqual(['retire classifier.rarity', 'retire item.sword']);
    const nothing = { fields: [], requests: [], source: null };
    const remoteId = desk.idOf('item.sword');
    expect(plan.changes).toMatchObject([{ name: 'Rarity' }, { name: 'Sword', remoteId, ...nothing }]);
  });

  test('revives a record by an update of its ID, even if nothing differs', async () => {
    const desk = await applied(rarity + sword);
    const id = desk.idOf('item.sword');
    await desk.apply(rarity);
    expect(await desk.change('item.sword', rarity + sword)).toMatchObject({
      action: 'revive',
      remoteId: id,
      fields: [],
      requests: [{ method: 'PUT', path: `/items/${id}` }],
    });
  });

  test('revives the later of two records that were retired at one address', async () => {
    const desk = await applied(rarity + sword);
    const { 'item.sword': record } = desk.recorded.live;
    if (!record) throw new Error('not recorded');
    desk.record(
      { type: 'retired', address: 'item.sword', at: '2026-01-01T00:00:00.000Z' },
      { type: 'answered', address: 'item.sword', record: { ...record, id: 'later' } },
      { type: 'retired', address: 'item.sword', at: '2026-02-01T00:00:00.000Z' },
    );
    expect(await desk.change('item.sword', rarity + sword)).toMatchObject({ remoteId: 'later' });
  });

  test('blocks an impossible change, with remedies, and updates the rest separately', async () => {
    const desk = await applied(rarity);
    const plan = await desk.plan(rarity.replace('0.25', '0.5').replace('name: Rarity', 'name: Tier'));
    expect(plan.changes).toMatchObject([
      {
        address: 'classifier.rarity',
        action: 'blocked',
        requests: [],
        reason: expect.stringContaining('(API section 4.4)'),
        remedies: expect.arrayContaining(['undo the change in the catalog']),
      },
      { action: 'update', fields: [{ path: 'name' }], requests: [{ body: { name: 'Tier' } }] },
    ]);
    expect(plan.summary).toMatchObject({ blocked: 1, update: 1, unchanged: 0 });
  });

  test('shows a diverged field, and sends it again only with another change', async () => {
    const desk = new Desk();
    desk.service.answerWith({ name: 'SWORD' });
    const text = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
    await desk.apply(text);
    const plan = await desk.plan(text);
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      action: 'unchanged',
      fields: [{ path: 'name', before: 'SWORD', after: 'Sword', diverged: true }],
      requests: [],
    });
    expect(plan.summary).toMatchObject({ unchanged: 1, diverged: 1 });
    const renamed = await desk.change('item.sword', text.replace('name: Sword', 'name: Blade'));
    expect(renamed).toMatchObject({ action: 'update', fields: [{ path: 'name', after: 'Blade' }] });
    expect(renamed.fields[0]?.diverged).toBeUndefined();
    expect(await desk.change('item.sword', text.replace('40', '50'))).toMatchObject({
      action: 'update',
      fields: [{ path: 'rollNumerator' }, { path: 'name', diverged: true }],
      requests: [{ body: { name: 'Sword', rollNumerator: 50 } }],
    });
  });
});

describe('a plan for several resources', () => {
  test('lists classifiers before items, each in key order', async () => {
    const text = `items:
  zeta: { name: Z, rollNumerator: 1 }
  alpha: { name: A, rollNumerator: 1 }
classifiers: { tier: { name: T, options: {} }, area: { name: A, options: {} } }
`;
    const addresses = ['classifier.area', 'classifier.tier', 'item.alpha', 'item.zeta'];
    expect(await new Desk().actions(text)).toEqual(addresses.map((address) => `create ${address}`));
  });

  test('blocks the assignment of an option without an ID, and updates the rest', async () => {
    const desk = await applied(rarity + sword);
    const edited = epic + sword.replace('rare', 'epic').replace('name: Sword', 'name: Blade');
    const plan = await desk.plan(edited, shape);
    expect(actionsOf(plan)).toEqual(['blocked classifier.rarity', 'blocked item.sword', 'update item.sword']);
    expect(plan.changes[1]?.reason).toContain('classifier.rarity.epic has no ID');
    expect(plan.changes[2]?.requests[0]?.body).toMatchObject({
      name: 'Blade',
      classifierOptionIds: { 0: 'c1-o2' },
    });
  });

  const ignoringOptions = `${epic}    lifecycle: { ignoreChanges: [options] }\n`;
  const merging = { 'classifierUpdate.options': 'merge-by-name' } as const;
  test.each([
    ['has no ID', epic, {}, false],
    ['was sent and not taken', epic, merging, true],
    ['is never sent, since its changes are ignored', ignoringOptions, merging, false],
  ])('creates no item while an option that it needs %s', async (_, edited, profile, isSent) => {
    const desk = await applied(rarity);
    if (isSent) await desk.apply(edited, profile);
    const change = await desk.change('item.sword', edited + sword.replace('rare', 'epic'), profile);
    expect(change).toMatchObject({ action: 'blocked', remoteId: null, requests: [] });
  });

  test('creates an item with the old option IDs of its revived classifier', async () => {
    const desk = await Desk.applied([rarity, '']);
    const plan = await desk.plan(rarity + sword);
    expect(actionsOf(plan)).toEqual(['revive classifier.rarity', 'create item.sword']);
    expect(plan.changes[1]?.requests[0]?.body.classifierOptionIds).toEqual(['c1-o2']);
  });
});

describe('lifecycle', () => {
  const protectedSword = (protect: boolean) =>
    `items: { sword: { name: Sword, rollNumerator: 40, lifecycle: { protect: ${protect} } } }`;

  test('protect blocks a retirement until an apply without it', async () => {
    const desk = await applied(protectedSword(true));
    expect(await desk.change('item.sword', '')).toMatchObject({
      action: 'blocked',
      requests: [],
      source: null,
      reason: expect.stringContaining('protect: true'),
    });
    await desk.apply('');
    expect(desk.recorded.live['item.sword']).toBeDefined();

    const { plan } = await desk.apply(protectedSword(false));
    expect([plan.changes, desk.service.received]).toEqual([[], []]);
    expect(await desk.actions('')).toEqual(['retire item.sword']);
    await desk.apply(protectedSword(true));
    expect(await desk.actions('')).toEqual(['blocked item.sword']);
  });

  const everything = `attributes: { damage: {} }
${rarity}items:
  sword:
    name: Sword
    rollNumerator: 40
    thumbnail: a.png
    classifiers: { rarity: rare }
    attributes: { damage: { min: 1, max: 2 } }
`;
  test.each([
    ['name', 'name: Sword', 'name: Blade', '40', '41'],
    ['rollNumerator', 'rollNumerator: 40', 'rollNumerator: 50', 'Sword', 'Saber'],
    ['thumbnail', 'a.png', 'b.png', 'Sword', 'Saber'],
    ['classifiers', 'rarity: rare }', 'rarity: common }', 'Sword', 'Saber'],
    ['attributes', 'max: 2', 'max: 3', 'Sword', 'Saber'],
  ])('ignoreChanges: [%s] keeps "%s", and repeats it in other updates', async (field, from, to, was, is) => {
    const desk = await applied(everything);
    const edited = everything.replace(from, to);
    expect((await desk.plan(edited)).changes).not.toEqual([]);
    const ignoring = `${edited}    lifecycle: { ignoreChanges: [${field}] }\n`;
    expect((await desk.plan(ignoring)).changes).toEqual([]);
    const { requests } = await desk.change('item.sword', ignoring.replace(was, is), shape);
    const plain = await desk.change('item.sword', everything.replace(was, is), shape);
    expect(requests).toEqual(plain.requests);
  });

  test.each([
    ['name', 'name: Rarity', 'name: Tier'],
    ['options', '0.25', '0.5'],
  ])('ignoreChanges: [%s] also works for a classifier', async (field, from, to) => {
    const desk = await applied(rarity);
    const edited = rarity.replace(from, to);
    expect((await desk.plan(edited)).changes).toHaveLength(1);
    expect((await desk.plan(`${edited}    lifecycle: { ignoreChanges: [${field}] }\n`)).changes).toEqual([]);
  });

  test('ignoreChanges has no effect on a create', async () => {
    const text = `${everything}    lifecycle: { ignoreChanges: [thumbnail, name] }\n`;
    expect((await new Desk().change('item.sword', text)).requests[0]?.body).toMatchObject({
      name: 'Sword',
      thumbnail: 'a.png',
    });
  });
});
