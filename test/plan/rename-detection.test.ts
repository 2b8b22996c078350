import { describe, expect, test } from 'vitest';
import { looksOf } from '../../src/plan/rename-detection.ts';
import { fields } from '../../src/resources/fields.ts';
import { actionsOf, changeOf, Desk, now } from '../rig/desk.ts';
import { unseen } from '../rig/memory-service.ts';

const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
const applied = (text: string) => Desk.applied(text);

describe('a suspected rename', () => {
  const renamed = sword.replace('sword:', 'blade:');

  test('is neither created nor retired until a person says what it is', async () => {
    const desk = await applied(sword);
    const plan = await desk.plan(renamed);
    expect(actionsOf(plan)).toEqual(['blocked item.blade', 'blocked item.sword']);
    expect(changeOf(plan, 'item.blade')).toMatchObject({
      reason: expect.stringContaining('item.sword is no longer declared'),
      remedies: [
        'if it is, add to the catalog: `moved: [{ from: item.sword, to: item.blade }]`',
        'if it is another one: trove apply -e staging --confirm-new item.blade',
      ],
    });
    const moved = `${renamed}\nmoved: [{ from: item.sword, to: item.blade }]`;
    expect(await desk.actions(moved)).toEqual([]);
    const both = ['create item.blade', 'retire item.sword'];
    expect(await desk.actions(renamed, {}, { confirmNew: ['item.blade'] })).toEqual(both);
    expect(await desk.actions(renamed, {}, { confirmNew: 'all' })).toEqual(both);
  });

  test('is one where all but the name is the same and telling', async () => {
    const long = 'thumbnail: https://cdn.example/s.png, attributes: { damage: { min: 1, max: 2 } } }';
    const text = `attributes: { damage: {} }\n${sword.replace('40 }', `40, ${long}`)}`;
    const desk = await applied(text);
    const edited = text.replace('sword: { name: Sword', 'blade: { name: Blade');
    expect(await desk.actions(edited)).toEqual(['blocked item.blade', 'blocked item.sword']);
    expect(await desk.actions(edited.replace('max: 2', 'max: 3'))).toEqual([
      'create item.blade',
      'retire item.sword',
    ]);
  });

  test('does not depend on how many fields there are: defaults, numbers and flags tell nothing', () => {
    const look = (rest: object) =>
      looksOf(fields([], Object.entries({ name: 'Sword', rollNumerator: 1, ...rest })));
    const telling = { thumbnail: 'https://cdn.example/s.png', 'attributes.damage': { min: 1, max: 2 } };
    expect(look({})).toHaveLength(1);
    expect(look({ thumbnail: null, tradable: false, tags: [], note: '', limits: {} })).toEqual(look({}));
    expect(look({ weight: 3, tradable: true, stack: 1, level: 0 })).toHaveLength(1);
    expect(look(telling)).toHaveLength(2);
    expect(look({ ...telling, tradable: false })).toEqual(look(telling));
    expect(look({ ...telling, tradable: true, rollNumerator: 2 })).toEqual(look(telling));
    expect(look({ ...telling, 'attributes.damage': { min: 1, max: 3 } })).not.toEqual(look(telling));
    expect(
      look({ 'attributes.damage': { min: 0, max: 0 }, 'attributes.speed': { min: 0, max: 0 } }),
    ).toHaveLength(1);
  });

  test.each([
    ['another name', renamed.replace('name: Sword', 'name: Blade')],
    ['no removal', sword.replace('}', '}, blade: { name: Sword, rollNumerator: 40 }')],
  ])('is none with %s', async (_, text) => {
    const plan = await (await applied(sword)).plan(text);
    expect(plan.summary.blocked).toBe(0);
  });

  test('is one with each of several that look alike, removed or new', async () => {
    const two = 'items: { a: { name: Sword, rollNumerator: 1 }, b: { name: Sword, rollNumerator: 1 } }';
    const removed = await (await applied(two)).plan(renamed);
    expect(actionsOf(removed)).toEqual(['blocked item.blade', 'blocked item.a', 'blocked item.b']);
    const added = await (await applied(sword)).plan(two);
    expect(actionsOf(added)).toEqual(['blocked item.a', 'blocked item.b', 'blocked item.sword']);
  });

  test('is one with another spelling, another number, and what was retired before', async () => {
    const desk = await applied(sword);
    const other = renamed.replace('name: Sword', 'name: " SWORD"').replace('40', '41');
    expect(await desk.actions(other)).toEqual(['blocked item.blade', 'blocked item.sword']);
    await desk.apply('');
    expect(await desk.actions(renamed)).toEqual(['blocked item.blade']);
  });

  test('is none with a look that others share which stay', async () => {
    const rarity =
      'classifiers: { r: { name: R, options: { a: { name: A, dropRateMultiplier: 1 } } }, s: { name: S, options: { b: { name: B, dropRateMultiplier: 1 } } } }';
    const item = (key: string) => `${key}: { name: ${key}, rollNumerator: 1, classifiers: { r: a, s: b } }`;
    const items = (...keys: string[]) => `${rarity}\nitems: { ${keys.map(item).join(', ')} }`;
    const desk = await applied(items('axe', 'bow', 'cap'));
    expect(await desk.actions(items('axe', 'bow', 'dart'))).toEqual(['create item.dart', 'retire item.cap']);
    expect(await desk.actions(items('dart'))).toEqual(expect.arrayContaining(['blocked item.dart']));
  });

  test('is one also where only the new one is targeted, or the old one is protected', async () => {
    const targets = ['item.blade'] as const;
    const desk = await applied(sword);
    expect(await desk.actions(renamed, {}, { targets })).toEqual(['blocked item.blade']);
    const guarded = await applied(sword.replace('40 }', '40, lifecycle: { protect: true } }'));
    const plan = await guarded.plan(renamed);
    expect(actionsOf(plan)).toEqual(['blocked item.blade', 'blocked item.sword']);
    expect(changeOf(plan, 'item.sword').reason).toContain('protect: true');
  });

  test('is one where the service put the name in another form', async () => {
    const desk = new Desk();
    desk.service.answerWith({ name: 'Sword &amp; Co' });
    const text = sword.replace('name: Sword', 'name: Sword & Co');
    await desk.apply(text);
    const plan = await desk.plan(text.replace('sword:', 'blade:'));
    expect(actionsOf(plan)).toEqual(['blocked item.blade', 'blocked item.sword']);
  });

  test('is one where the service made something else of a value, or of what is not declared', async () => {
    const ranges = 'attributes: { damage: { min: 1, max: 7.4 }, speed: { min: 1, max: 2 } }';
    const text = `attributes: { damage: {}, speed: {} }\n${sword.replace('40 }', `40, ${ranges} }`)}`;
    const desk = new Desk();
    desk.service.answerWith({
      thumbnail: 'https://cdn.example/default.png',
      attributes: [
        { attributeId: 'attr_01', min: 1, max: 7 },
        { attributeId: 'attr_02', min: 1, max: 2 },
      ],
    });
    await desk.apply(text);
    const plan = await desk.plan(text.replace('sword: { name: Sword', 'blade: { name: Blade'));
    expect(actionsOf(plan)).toEqual(['blocked item.blade', 'blocked item.sword']);
  });

  test('is one also where a record that stays looks the same but for a thumbnail', async () => {
    const ranges = 'attributes: { damage: { min: 1, max: 7 }, speed: { min: 1, max: 2 } }';
    const stays = `club: { name: Club, rollNumerator: 1, thumbnail: https://cdn.example/c.png, ${ranges} }`;
    const text = (one: string) =>
      `attributes: { damage: {}, speed: {} }\nitems: { ${one}, rollNumerator: 1, ${ranges} }, ${stays} }`;
    const desk = await applied(text('axe: { name: Axe'));
    const plan = await desk.plan(text('war-axe: { name: War Axe'));
    expect(actionsOf(plan)).toEqual(['blocked item.war-axe', 'blocked item.axe']);
  });

  test('is one by a name that was sent, with an outcome that was not seen', async () => {
    const desk = await applied(sword);
    desk.service.react = unseen;
    await desk.apply(sword.replace('name: Sword', 'name: Blade'));
    const plan = await desk.plan(renamed.replace('name: Sword', 'name: Blade'));
    expect(actionsOf(plan)).toEqual(['blocked item.blade', 'blocked item.sword']);
  });

  test('of an imported id, of which nobody knows what it looks like', async () => {
    const desk = new Desk();
    desk.record({ type: 'imported', address: 'item.sword', id: 'x', at: now });
    const plan = await desk.plan(renamed);
    expect(actionsOf(plan)).toEqual(['blocked item.blade', 'blocked item.sword']);
    expect(changeOf(plan, 'item.blade').reason).toContain('only the imported id is known of item.sword');
    const moved = `${renamed}\nmoved: [{ from: item.sword, to: item.blade }]`;
    expect(await desk.actions(moved)).toEqual(['adopt item.blade']);
    const confirmed = await desk.plan(renamed, {}, { confirmNew: ['item.blade'] });
    expect(actionsOf(confirmed)).toEqual(['create item.blade', 'blocked item.sword']);
  });

  test('of an imported id may be any of those that are new', async () => {
    const desk = new Desk();
    desk.record({ type: 'imported', address: 'item.sword', id: 'x', at: now });
    const items = Array.from({ length: 50 }, (_, n) => `i${n}: { name: I ${n}, rollNumerator: 1 }`);
    const plan = await desk.plan(`items: { ${items.join(', ')} }`);
    expect(plan.summary).toMatchObject({ blocked: 51, create: 0 });
    const confirmed = await desk.plan(`items: { ${items.join(', ')} }`, {}, { confirmNew: 'all' });
    expect(confirmed.summary).toMatchObject({ blocked: 1, create: 50 });
  });

  test('of a create whose outcome was not seen, which the service may have carried out', async () => {
    const desk = new Desk();
    const rarity = 'classifiers: { rarity: { name: Rarity, options: {} } }';
    desk.service.react = unseen;
    await desk.apply(rarity);
    const plan = await desk.plan(rarity.replace('rarity:', 'tier:'));
    expect(actionsOf(plan)).toEqual(['blocked classifier.tier', 'unknown classifier.rarity']);
    const moved = `${rarity.replace('rarity:', 'tier:')}\nmoved: [{ from: classifier.rarity, to: classifier.tier }]`;
    expect(await desk.actions(moved)).toEqual(['unknown classifier.tier']);
  });
});

describe('what was forgotten', () => {
  const text =
    'classifiers: { rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 } } } }\nitems: { sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: common } } }';
  const rarity = 'classifier.rarity';

  test('is not created a second time before a person says so', async () => {
    const desk = await applied(text);
    const id = desk.idOf(rarity);
    desk.record(
      { type: 'forgotten', address: rarity, at: now },
      { type: 'forgotten', address: 'item.sword', at: now },
    );
    const plan = await desk.plan(text);
    expect(actionsOf(plan)).toEqual([`blocked ${rarity}`, 'blocked item.sword']);
    expect(changeOf(plan, rarity)).toMatchObject({
      reason: expect.stringContaining(`recorded as ${id} until that was forgotten at ${now}`),
      remedies: [
        expect.stringContaining(`trove import -e staging ${rarity} ${id}`),
        `if it has not: trove apply -e staging --confirm-new ${rarity}`,
      ],
    });
    const confirmed = await desk.plan(text, {}, { confirmNew: 'all' });
    expect(actionsOf(confirmed)).toEqual([`create ${rarity}`, 'create item.sword']);
  });

  test('nor under another key', async () => {
    const desk = await applied(text);
    desk.record({ type: 'forgotten', address: rarity, at: now });
    const renamed = `${text.replace('{ rarity: {', '{ rank: {').replace('rarity: common', 'rank: common')}\nmoved: [{ from: ${rarity}, to: classifier.rank }]`;
    expect((await desk.change('classifier.rank', renamed)).action).toBe('blocked');
  });

  test('is as before once its id is back, and what needs it waits until then', async () => {
    const desk = await applied(text);
    const id = desk.idOf(rarity);
    desk.record({ type: 'forgotten', address: rarity, at: now });
    const more = text.replace(
      'items: {',
      'items: { bow: { name: Bow, rollNumerator: 1, classifiers: { rarity: common } },',
    );
    expect(await desk.change('item.bow', more)).toMatchObject({
      action: 'waiting',
      reason: `waits for ${rarity} (blocked)`,
    });
    desk.record({ type: 'imported', address: rarity, id, at: now });
    await desk.apply(more);
    expect(desk.recorded.forgotten).toEqual({});
    expect(await desk.actions(more)).toEqual([]);
  });
});
