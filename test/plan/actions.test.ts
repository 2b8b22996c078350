import { describe, expect, test } from 'vitest';
import { actionsOf, changeOf, Desk } from '../rig/desk.ts';
import { recorded } from '../rig/recorded.ts';

const rarity = `classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
`;
const sword = `items:
  sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: rare } }
`;
const nothing = { fields: [], requests: [] };

async function applied(text: string): Promise<Desk> {
  const desk = new Desk();
  await desk.apply(text);
  return desk;
}

describe('one resource', () => {
  test('create: never recorded; what only apply can know is a promise', async () => {
    const plan = await new Desk().plan(rarity + sword);
    expect(actionsOf(plan)).toEqual(['create classifier.rarity', 'create item.sword']);
    expect(changeOf(plan, 'classifier.rarity').requests).toEqual([
      {
        method: 'POST',
        path: '/classifiers',
        body: {
          name: 'Rarity',
          classifierOptions: [
            { name: 'Common', dropRateMultiplier: 1 },
            { name: 'Rare', dropRateMultiplier: 0.25 },
          ],
        },
      },
    ]);
    const item = changeOf(plan, 'item.sword');
    expect(item.requests[0]?.body.classifierOptionIds).toEqual([
      { $knownAfterApply: 'classifier.rarity.rare' },
    ]);
    expect(item).toMatchObject({ remoteId: null, source: { file: 'catalog/game.yaml', line: 8, column: 3 } });
    expect(plan.state).toEqual({ lineage: null, serial: 0 });
  });

  test('unchanged: counted, not listed', async () => {
    const plan = await (await applied(rarity + sword)).plan(rarity + sword);
    expect([plan.changes, plan.summary.unchanged]).toEqual([[], 2]);
  });

  test('update: what differs, and a body that repeats the rest', async () => {
    const desk = await applied('items: { sword: { name: Sword, rollNumerator: 40, thumbnail: a.png } }');
    const plan = await desk.plan('items: { sword: { name: Blade, rollNumerator: 40 } }');
    const id = recorded(desk.state).live['item.sword']?.id;
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      action: 'update',
      remoteId: id,
      fields: [{ path: 'name', before: 'Sword', after: 'Blade' }],
      requests: [
        {
          method: 'PUT',
          path: `/items/${id}`,
          body: { name: 'Blade', rollNumerator: 40, attributes: [], thumbnail: 'a.png' },
        },
      ],
    });
  });

  test('retire: no longer declared, nothing is sent, in classifiers before items', async () => {
    const desk = await applied(rarity + sword);
    const plan = await desk.plan('');
    expect(actionsOf(plan)).toEqual(['retire classifier.rarity', 'retire item.sword']);
    expect(plan.changes.map(({ name }) => name)).toEqual(['Rarity', 'Sword']);
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      ...nothing,
      source: null,
      remoteId: recorded(desk.state).live['item.sword']?.id,
    });
  });

  test('revive: the old id is updated, also where nothing differs', async () => {
    const desk = await applied(rarity + sword);
    const id = recorded(desk.state).live['item.sword']?.id;
    await desk.apply(rarity);
    const plan = await desk.plan(rarity + sword);
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      action: 'revive',
      remoteId: id,
      fields: [],
      requests: [{ method: 'PUT', path: `/items/${id}` }],
    });
  });

  test('revive after two records were retired at one address: the later id', async () => {
    const desk = await applied(rarity + sword);
    const record = recorded(desk.state).live['item.sword'];
    if (!record) throw new Error('not recorded');
    desk.record(
      { type: 'retired', address: 'item.sword', at: '2026-01-01T00:00:00.000Z' },
      { type: 'answered', address: 'item.sword', record: { ...record, id: 'later' } },
      { type: 'retired', address: 'item.sword', at: '2026-02-01T00:00:00.000Z' },
    );
    expect(changeOf(await desk.plan(rarity + sword), 'item.sword').remoteId).toBe('later');
  });

  test('blocked: says why and the ways out, and sends nothing', async () => {
    const desk = await applied(rarity);
    const change = changeOf(await desk.plan(rarity.replace('0.25', '0.5')), 'classifier.rarity');
    expect(change.name).toBe('Rarity');
    expect(change).toMatchObject({ action: 'blocked', requests: [] });
    expect(change.reason).toContain('(API section 4.4)');
    expect(change.remedies).toContain('put the option back as it was');
  });

  test('blocked and update: one change each, and the update leaves the blocked part as it is', async () => {
    const desk = await applied(rarity);
    const plan = await desk.plan(rarity.replace('0.25', '0.5').replace('name: Rarity', 'name: Tier'));
    expect(actionsOf(plan)).toEqual(['blocked classifier.rarity', 'update classifier.rarity']);
    expect(plan.changes[1]?.fields.map(({ path }) => path)).toEqual(['name']);
    expect(plan.changes[1]?.requests[0]?.body).toEqual({ name: 'Tier' });
    expect(plan.summary).toMatchObject({ blocked: 1, update: 1, unchanged: 0 });
  });

  test('unchanged and diverged: what the service did not take is shown and not sent again', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) => {
      const outcome = honest();
      return outcome.kind === 'answered' ? { ...outcome, body: { ...outcome.body, name: 'SWORD' } } : outcome;
    };
    const text = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
    await desk.apply(text);
    const plan = await desk.plan(text);
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      action: 'unchanged',
      fields: [{ path: 'name', before: 'SWORD', after: 'Sword', diverged: true }],
      requests: [],
    });
    expect(plan.summary).toMatchObject({ unchanged: 1, diverged: 1 });
    const edited = changeOf(await desk.plan(text.replace('name: Sword', 'name: Blade')), 'item.sword');
    expect(edited).toMatchObject({ action: 'update', fields: [{ path: 'name', after: 'Blade' }] });
    expect(edited.fields[0]?.diverged).toBeUndefined();
  });

  test('a diverged field is sent along when something else is', async () => {
    const desk = new Desk();
    desk.service.react = (_, honest) => {
      const outcome = honest();
      return outcome.kind === 'answered' ? { ...outcome, body: { ...outcome.body, name: 'SWORD' } } : outcome;
    };
    await desk.apply('items: { sword: { name: Sword, rollNumerator: 40 } }');
    const plan = await desk.plan('items: { sword: { name: Sword, rollNumerator: 50 } }');
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      action: 'update',
      fields: [{ path: 'rollNumerator' }, { path: 'name', diverged: true }],
      requests: [{ body: { name: 'Sword', rollNumerator: 50 } }],
    });
  });
});

describe('several resources', () => {
  test('classifiers before items, each in key order, whatever order they are written in', async () => {
    const plan = await new Desk().plan(`items:
  zeta: { name: Z, rollNumerator: 1 }
  alpha: { name: A, rollNumerator: 1 }
classifiers:
  tier: { name: T, options: {} }
  area: { name: A, options: {} }
`);
    expect(actionsOf(plan)).toEqual([
      'create classifier.area',
      'create classifier.tier',
      'create item.alpha',
      'create item.zeta',
    ]);
  });

  test('an item assigned to an option without an id is blocked, and the rest of it is updated', async () => {
    const desk = await applied(rarity + sword);
    const edited = `${rarity}      epic: { name: Epic, dropRateMultiplier: 0.1 }\n${sword.replace('rare', 'epic')}`;
    const profile = {
      'itemUpdate.classifierOptionIds': 'by-index',
      'itemUpdate.assignments': 'replace',
    } as const;
    const plan = await desk.plan(edited.replace('name: Sword', 'name: Blade'), profile);
    expect(actionsOf(plan)).toEqual(['blocked classifier.rarity', 'blocked item.sword', 'update item.sword']);
    expect(plan.changes[1]?.reason).toContain('classifier.rarity.epic has no remote id');
    expect(plan.changes[2]?.requests[0]?.body).toMatchObject({
      name: 'Blade',
      classifierOptionIds: { 0: 'c1-o2' },
    });
  });

  test('a new item assigned to an option without an id is not created', async () => {
    const desk = await applied(rarity);
    const edited = `${rarity}      epic: { name: Epic, dropRateMultiplier: 0.1 }\n${sword.replace('rare', 'epic')}`;
    const change = changeOf(await desk.plan(edited), 'item.sword');
    expect(change).toMatchObject({ action: 'blocked', remoteId: null, requests: [] });
  });

  test('an option that the service was sent and did not take is not waited for', async () => {
    const desk = await applied(rarity);
    const profile = { 'classifierUpdate.options': 'merge-by-name' } as const;
    const edited = `${rarity}      epic: { name: Epic, dropRateMultiplier: 0.1 }\n`;
    await desk.apply(edited, profile);
    const plan = await desk.plan(edited + sword.replace('rare', 'epic'), profile);
    expect(changeOf(plan, 'item.sword')).toMatchObject({ action: 'blocked', requests: [] });
  });

  test('an option that nobody sends, for its changes are ignored, is not waited for', async () => {
    const desk = await applied(rarity);
    const profile = { 'classifierUpdate.options': 'merge-by-name' } as const;
    const edited = `${rarity}      epic: { name: Epic, dropRateMultiplier: 0.1 }
    lifecycle: { ignoreChanges: [options] }
`;
    const plan = await desk.plan(edited + sword.replace('rare', 'epic'), profile);
    expect(changeOf(plan, 'item.sword')).toMatchObject({ action: 'blocked', requests: [] });
  });

  test('an item of a retired classifier that is declared again goes by the old ids', async () => {
    const desk = await applied(rarity);
    await desk.apply('');
    const plan = await desk.plan(rarity + sword);
    expect(actionsOf(plan)).toEqual(['revive classifier.rarity', 'create item.sword']);
    expect(plan.changes[1]?.requests[0]?.body.classifierOptionIds).toEqual(['c1-o2']);
  });

  test('the same inputs give the same plan', async () => {
    const desk = await applied(rarity);
    expect(await desk.plan(rarity + sword)).toEqual(await desk.plan(rarity + sword));
  });
});

describe('lifecycle', () => {
  const protectedSword = (protect: boolean) =>
    `items: { sword: { name: Sword, rollNumerator: 40, lifecycle: { protect: ${protect} } } }`;

  test('protect: retiring is blocked, until it was applied once without', async () => {
    const desk = await applied(protectedSword(true));
    const change = changeOf(await desk.plan(''), 'item.sword');
    expect(change).toMatchObject({ action: 'blocked', requests: [], source: null });
    expect(change.reason).toContain('protect: true');
    await desk.apply('');
    expect(recorded(desk.state).live['item.sword']).toBeDefined();

    const { plan } = await desk.apply(protectedSword(false));
    expect(plan.changes).toEqual([]);
    expect(desk.service.received).toHaveLength(1);
    expect(actionsOf(await desk.plan(''))).toEqual(['retire item.sword']);
  });

  test('protect set on a record that exists holds from the next apply on', async () => {
    const desk = await applied(protectedSword(false));
    await desk.apply(protectedSword(true));
    expect(actionsOf(await desk.plan(''))).toEqual(['blocked item.sword']);
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
  const edits: Readonly<Record<string, readonly [from: string, to: string, was: unknown]>> = {
    name: ['name: Sword', 'name: Blade', 'Sword'],
    rollNumerator: ['rollNumerator: 40', 'rollNumerator: 50', 40],
    thumbnail: ['a.png', 'b.png', 'a.png'],
    classifiers: ['rarity: rare }', 'rarity: common }', { rarity: ['rare'] }],
    attributes: ['max: 2', 'max: 3', [{ attributeId: 'attr_01', min: 1, max: 2 }]],
  };

  test.each(Object.entries(edits))('ignoreChanges: [%s] keeps that as it was', async (field, [from, to]) => {
    const desk = await applied(everything);
    const edited = everything.replace(from, to);
    expect(edited).not.toBe(everything);
    expect((await desk.plan(edited)).changes).not.toEqual([]);
    const ignoring = `${edited}    lifecycle: { ignoreChanges: [${field}] }\n`;
    expect((await desk.plan(ignoring)).changes).toEqual([]);
  });

  test.each(Object.entries(edits))(
    'ignoreChanges: [%s] repeats what is recorded when something else is sent',
    async (field, [from, to]) => {
      const desk = await applied(everything);
      const shape = {
        'itemUpdate.classifierOptionIds': 'by-index',
        'itemUpdate.assignments': 'replace',
      } as const;
      const other =
        field === 'name' ? ['rollNumerator: 40', 'rollNumerator: 41'] : ['name: Sword', 'name: Saber'];
      const text = everything.replace(from, to).replace(other[0] ?? '', other[1] ?? '');
      const ignoring = await desk.plan(`${text}    lifecycle: { ignoreChanges: [${field}] }\n`, shape);
      const plain = await desk.plan(everything.replace(other[0] ?? '', other[1] ?? ''), shape);
      expect(changeOf(ignoring, 'item.sword').requests).toEqual(changeOf(plain, 'item.sword').requests);
    },
  );

  test.each([
    ['name', 'name: Rarity', 'name: Tier'],
    ['options', '0.25', '0.5'],
  ])('ignoreChanges: [%s] of a classifier', async (field, from, to) => {
    const desk = await applied(rarity);
    expect((await desk.plan(rarity.replace(from, to))).changes).toHaveLength(1);
    const ignoring = `${rarity.replace(from, to)}    lifecycle: { ignoreChanges: [${field}] }\n`;
    expect((await desk.plan(ignoring)).changes).toEqual([]);
  });

  test('a create sends what later changes of are ignored', async () => {
    const text = `${everything}    lifecycle: { ignoreChanges: [thumbnail, name] }\n`;
    expect(changeOf(await new Desk().plan(text), 'item.sword').requests[0]?.body).toMatchObject({
      name: 'Sword',
      thumbnail: 'a.png',
    });
  });
});
