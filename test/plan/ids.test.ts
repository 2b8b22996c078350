import { describe, expect, test } from 'vitest';
import { unknownProfile } from '../../src/contract/profile.ts';
import { uuid5 } from '../../src/environment/defaults.ts';
import { clientIds } from '../../src/plan/client-id.ts';
import { explainPlan } from '../../src/render/messages/explain-plan.ts';
import { actionsOf, changeOf, Desk, namespace, now } from '../rig/desk.ts';
import { unseen } from '../rig/memory-service.ts';
import { itemRecord } from '../state/events.ts';

const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
const blade = 'items: { blade: { name: Sword, rollNumerator: 40 } }';
const honoured = { 'itemCreate.clientId': 'honoured' } as const;
const ignored = { 'itemCreate.clientId': 'ignored' } as const;
const both = 'items: { blade: { name: B, rollNumerator: 1 }, sword: { name: S, rollNumerator: 1 } }';
const moved = `${blade}\nmoved: [{ from: item.sword, to: item.blade }]`;
const withId = (id: string) => sword.replace(' }', `, id: ${id} }`);
const idOf = (key: string) => uuid5(namespace, key);

/** An item create of an earlier run, with an unknown outcome. */
async function interrupted(text: string, profile = {}): Promise<Desk> {
  const desk = new Desk({ profile });
  desk.service.react = unseen;
  await desk.apply(text);
  desk.service.received.length = 0;
  desk.service.react = (_, honest) => honest();
  return desk;
}

describe('a create', () => {
  test.each([
    ['an ID derived from the namespace and the key', sword, {}, idOf('sword')],
    ['a derived ID if IDs are honored', sword, honoured, idOf('sword')],
    ['no ID if IDs are ignored', sword, ignored, undefined],
    ['the declared ID', withId('my-id'), {}, 'my-id'],
    ['the declared ID, even if IDs are ignored', withId('my-id'), ignored, 'my-id'],
  ])('requests %s', async (_, text, profile, id) => {
    const body = changeOf(await new Desk().plan(text, profile), 'item.sword').requests[0]?.body ?? {};
    expect(body.id).toBe(id);
    expect(Object.hasOwn(body, 'id')).toBe(id !== undefined);
  });

  test('requests the next generation if moved records have the earlier ones', async () => {
    const desk = await Desk.applied(sword);
    await desk.apply(moved);
    expect(desk.idOf('item.blade')).toBe(idOf('sword'));
    await desk.apply(both);
    expect(desk.idOf('item.sword')).toBe(idOf('sword#2'));
    await desk.apply(`${both.replace('sword:', 'axe:')}\nmoved: [{ from: item.sword, to: item.axe }]`);
    expect((await desk.change('item.sword', sword)).requests[0]?.body.id).toBe(idOf('sword#3'));
  });

  test('requests the next generation if another item declares the first', async () => {
    const copied = `items: { blade: { name: Blade, rollNumerator: 1, id: ${idOf('sword')} }, sword: { name: Sword, rollNumerator: 40 } }`;
    const plan = await new Desk({ profile: honoured }).plan(copied);
    expect(changeOf(plan, 'item.sword').requests[0]?.body.id).toBe(idOf('sword#2'));
    expect(changeOf(plan, 'item.blade').requests[0]?.body.id).toBe(idOf('sword'));
  });

  test('requests the next generation if a moved record with the first was forgotten', async () => {
    const desk = await Desk.applied([sword, moved]);
    desk.record({ type: 'forgotten', address: 'item.blade', at: now });
    const another = sword.replace('Sword', 'Axe').replace('40', '7');
    expect((await desk.change('item.sword', another)).requests[0]?.body.id).toBe(idOf('sword#2'));
  });

  test('requests the second generation again if it was forgotten with the first', async () => {
    const desk = await Desk.applied(sword);
    await desk.apply(sword, {}, { replace: ['item.sword'] });
    desk.record({ type: 'forgotten', address: 'item.sword', at: now });
    const again = await desk.plan(sword, {}, { confirmNew: ['item.sword'] });
    expect(changeOf(again, 'item.sword').requests[0]?.body.id).toBe(idOf('sword#2'));
  });

  test('of a replacement requests the next generation if the first was forgotten elsewhere', async () => {
    const desk = await Desk.applied([sword, moved]);
    desk.record({ type: 'forgotten', address: 'item.blade', at: now });
    desk.record({ type: 'answered', address: 'item.sword', record: itemRecord('there') });
    const again = await desk.change('item.sword', sword, {}, { replace: ['item.sword'] });
    expect(again.requests[0]?.body.id).toBe(idOf('sword#2'));
  });

  test.each([
    ['was imported again', { type: 'imported', address: 'item.sword', at: now, id: idOf('sword#2') }],
    ['was replaced by a moved one', { type: 'moved', from: 'item.bow', to: 'item.sword' }],
  ] as const)('of a replacement requests no ID that was retired before the record %s', async (_, event) => {
    const desk = await Desk.applied(sword);
    await desk.apply(sword, {}, { replace: ['item.sword'] });
    desk.record({ type: 'answered', address: 'item.bow', record: itemRecord('there') });
    desk.record({ type: 'forgotten', address: 'item.sword', at: now });
    desk.record(event);
    if (event.type === 'imported')
      desk.record({ type: 'answered', address: 'item.sword', record: itemRecord(event.id) });
    const again = await desk.change('item.sword', sword, {}, { replace: ['item.sword'] });
    expect(again.requests[0]?.body.id).toBe(idOf('sword#3'));
  });

  test('requests the next generation if a moved pending create requested the first', async () => {
    const desk = await interrupted(sword);
    await desk.apply(moved, honoured);
    expect((await desk.change('item.sword', both, honoured)).requests[0]?.body.id).toBe(idOf('sword#2'));
  });
});

test('a pending create is not resent if another address has its ID', async () => {
  const desk = await interrupted(sword, honoured);
  desk.record({ type: 'imported', address: 'item.bow', at: now, id: idOf('sword') });
  const change = await desk.change('item.sword', sword, honoured);
  expect(change).toMatchObject({ action: 'unknown', requests: [] });
});

test('an item that declares the ID of a pending create waits until that create is settled', async () => {
  const desk = await interrupted(sword, honoured);
  const taken = `${sword.slice(0, -1)}, bow: { name: Bow, rollNumerator: 1, id: ${idOf('sword')} } }`;
  const change = await desk.change('item.bow', taken, honoured);
  expect(change).toMatchObject({ action: 'blocked', requests: [], reasons: [{ code: 'id-held' }] });
  expect((await desk.apply(taken, honoured)).report.results).toMatchObject([
    { address: 'item.bow', result: 'blocked' },
    { address: 'item.sword', result: 'applied' },
  ]);
});

test('a declared ID is not looked for if another address has it', async () => {
  const desk = await Desk.applied(sword);
  const taken = `${sword.slice(0, -1)}, bow: { name: Bow, rollNumerator: 1, id: ${idOf('sword')} } }`;
  const profile = { ...honoured, 'update.unknownId': 'rejected' } as const;
  const change = await desk.change('item.bow', taken, profile, { recover: true });
  expect(change).toMatchObject({ action: 'blocked', requests: [], reasons: [{ code: 'id-held' }, {}] });
});

describe('an ID', () => {
  const isHonoured = (desk: Desk, clientId: 'unknown' | 'honoured' | 'ignored' = 'unknown') =>
    clientIds(
      { idNamespace: namespace, profile: { ...unknownProfile, 'itemCreate.clientId': clientId } },
      desk.state,
    ).honoured;

  test('is honored or ignored as the profile states', () => {
    expect([isHonoured(new Desk(), 'honoured'), isHonoured(new Desk(), 'ignored')]).toEqual([true, false]);
  });

  test('counts as honored once a record has the ID that it requested', async () => {
    const desk = new Desk();
    expect(isHonoured(desk)).toBe(false);
    await desk.apply(sword);
    expect(isHonoured(desk)).toBe(true);
    await desk.apply(sword.replace('40', '41'));
    expect(isHonoured(desk)).toBe(true);
  });

  test('does not count as honored if it is declared but made by the service', async () => {
    const desk = new Desk();
    desk.service.answerWith({ id: 'made-up' });
    await desk.apply(sword);
    const { environment } = await desk.inputs(withId('made-up'));
    expect(clientIds(environment, desk.state).honoured).toBe(false);
  });

  test('no longer counts as honored once one was ignored', async () => {
    const desk = await Desk.applied(sword);
    desk.service.answerWith({ id: 'made-up' });
    await desk.apply(`${sword.slice(0, -1)}, bow: { name: Bow, rollNumerator: 1 } }`);
    expect(isHonoured(desk)).toBe(false);
  });
});

describe('a pending create', () => {
  test('is resent with the same ID if IDs are honored', async () => {
    const desk = await interrupted(sword);
    expect(await desk.change('item.sword', sword, honoured)).toMatchObject({
      action: 'create',
      requests: [{ body: { id: idOf('sword') } }],
      reason: expect.stringContaining('; resending the same ID creates no second record'),
    });
  });

  test('stays unknown, with both remedies, if the profile is unknown', async () => {
    const desk = await interrupted(sword);
    const change = await desk.change('item.sword', sword);
    expect(change).toMatchObject({ action: 'unknown', remoteId: null, fields: [], requests: [] });
    expect(change.reason).toMatch(new RegExp(`sent at ${now}.*timeout`));
    expect(change.remedies).toEqual([
      expect.stringContaining('trove resolve item.sword -e staging --id ID'),
      expect.stringContaining('trove resolve item.sword -e staging --not-created'),
    ]);
    const another = await desk.actions(withId('another'), honoured);
    expect(another, 'of another id, even where ids are honoured').toEqual(['unknown item.sword']);
  });

  test('of a run that may be active has a remedy to wait for it', async () => {
    const desk = await interrupted(sword);
    const [create] = desk.recorded.pending;
    if (!desk.state || !create) throw new Error('nothing is pending');
    const { reason: _, ...open } = create;
    desk.state = { ...desk.state, entries: [open] };
    const change = await desk.change('item.sword', sword);
    expect(change.reason).toContain('the outcome is unknown: no response is recorded');
    expect(change.remedies?.[0]).toBe(
      'if its run is still active, wait for it to end: trove doctor -e staging',
    );
    expect(change.remedies).toHaveLength(3);
    // With the lock, that run has certainly ended.
    const plan = explainPlan(await desk.plan(sword), ' -e staging', { isLocked: true });
    expect(plan.changes[0]?.remedies).toEqual(change.remedies?.slice(1));
  });

  test('with a distrusted response stays unknown, even if IDs are honored', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.teamId = 'team_8';
    await desk.apply(sword);
    expect(desk.recorded.pending[0]?.answer?.id).toBe(idOf('sword'));
    const reason = expect.stringContaining('team_8');
    expect(await desk.change('item.sword', sword)).toMatchObject({ action: 'unknown', reason });
  });

  test('of an undeclared item stays unknown', async () => {
    const desk = await interrupted(sword);
    const unknown = { action: 'unknown', source: null, requests: [] };
    expect(await desk.change('item.sword', '', honoured)).toMatchObject(unknown);
  });

  test('that cannot be resent as declared stays unknown, with the obstacle', async () => {
    const option = (key: string) => `${key}: { name: ${key}, dropRateMultiplier: 1 }`;
    const text = (classifier: string, options: string, assigned: string) =>
      `classifiers: { ${classifier}: { name: R, options: { ${options} } } }
items: { sword: { name: Sword, rollNumerator: 40, classifiers: { ${classifier}: ${assigned} } } }`;
    const desk = await Desk.applied(text('r', option('a'), 'a').replace(/items.*/, ''), {
      profile: honoured,
    });
    desk.service.react = unseen;
    await desk.apply(text('r', option('a'), 'a'));
    const resolving = ['--id ID', '--not-created'].map((word) => expect.stringContaining(word));
    expect(await desk.change('item.sword', text('r', `${option('a')}, ${option('b')}`, 'b'))).toMatchObject({
      action: 'unknown',
      requests: [],
      reason: expect.stringMatching(/^its create was sent at .*; option classifier\.r\.b has no ID/),
      remedies: [
        ...resolving,
        'assign an option that exists',
        expect.stringContaining('--reassert'),
        expect.stringContaining('--replace'),
      ],
    });
    expect(await desk.change('item.sword', text('s', option('a'), 'a'))).toMatchObject({
      action: 'unknown',
      reason: expect.stringContaining('; depends on classifier.s (blocked)'),
      remedies: resolving,
    });
  });

  test('of a classifier delays what is assigned to it, and nothing else', async () => {
    const text = `classifiers: { rarity: { name: R, options: { rare: { name: Rare, dropRateMultiplier: 1 } } } }
items:
  sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: rare } }
  torch: { name: Torch, rollNumerator: 1 }
`;
    const desk = await Desk.applied(sword);
    const create = { method: 'POST', path: '/classifiers', body: { name: 'R' } } as const;
    desk.record({ type: 'create-intent', address: 'classifier.rarity', at: now, request: create });
    const shape = { 'itemUpdate.classifierOptionIds': 'by-index' } as const;
    const plan = await desk.plan(text.replace('name: Sword', 'name: Blade'), shape);
    expect(actionsOf(plan)).toEqual([
      'unknown classifier.rarity',
      'waiting item.sword',
      'update item.sword',
      'create item.torch',
    ]);
    expect(plan.changes[1]?.reason).toBe('depends on classifier.rarity (unknown)');
    expect(plan.changes[2]?.requests[0]?.body.classifierOptionIds).toEqual({});
  });
});
