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

/** An item create of an earlier run whose outcome nobody saw. */
async function interrupted(text: string, profile = {}): Promise<Desk> {
  const desk = new Desk({ profile });
  desk.service.react = unseen;
  await desk.apply(text);
  desk.service.received.length = 0;
  desk.service.react = (_, honest) => honest();
  return desk;
}

describe('the id that a create asks for', () => {
  test.each([
    ['derived from the namespace and the key', sword, {}, idOf('sword')],
    ['derived, where ids are known to be honoured', sword, honoured, idOf('sword')],
    ['none, where ids are known to be ignored', sword, ignored, undefined],
    ['the declared one', withId('my-id'), {}, 'my-id'],
    ['the declared one, even where ids are ignored', withId('my-id'), ignored, 'my-id'],
  ])('%s', async (_, text, profile, id) => {
    const body = changeOf(await new Desk().plan(text, profile), 'item.sword').requests[0]?.body ?? {};
    expect(body.id).toBe(id);
    expect(Object.hasOwn(body, 'id')).toBe(id !== undefined);
  });

  test('the next generation, where a moved record holds the first one, and so on', async () => {
    const desk = await Desk.applied(sword);
    await desk.apply(moved);
    expect(desk.idOf('item.blade')).toBe(idOf('sword'));
    await desk.apply(both);
    expect(desk.idOf('item.sword')).toBe(idOf('sword#2'));
    await desk.apply(`${both.replace('sword:', 'axe:')}\nmoved: [{ from: item.sword, to: item.axe }]`);
    expect((await desk.change('item.sword', sword)).requests[0]?.body.id).toBe(idOf('sword#3'));
  });

  test('the next generation, where another item declares the first one', async () => {
    const copied = `items: { blade: { name: Blade, rollNumerator: 1, id: ${idOf('sword')} }, sword: { name: Sword, rollNumerator: 40 } }`;
    const plan = await new Desk({ profile: honoured }).plan(copied);
    expect(changeOf(plan, 'item.sword').requests[0]?.body.id).toBe(idOf('sword#2'));
    expect(changeOf(plan, 'item.blade').requests[0]?.body.id).toBe(idOf('sword'));
  });

  test('the next generation, where a moved record with the first one was forgotten', async () => {
    const desk = await Desk.applied([sword, moved]);
    desk.record({ type: 'forgotten', address: 'item.blade', at: now });
    const another = sword.replace('Sword', 'Axe').replace('40', '7');
    expect((await desk.change('item.sword', another)).requests[0]?.body.id).toBe(idOf('sword#2'));
  });

  test('the next generation, where the first one was retired and forgotten with the record after it', async () => {
    const desk = await Desk.applied(sword);
    await desk.apply(sword, {}, { replace: ['item.sword'] });
    desk.record({ type: 'forgotten', address: 'item.sword', at: now });
    const again = await desk.plan(sword, {}, { confirmNew: ['item.sword'] });
    expect(changeOf(again, 'item.sword').requests[0]?.body.id).toBe(idOf('sword#2'));
  });

  test('of a replacement: the next generation, where the first one was forgotten under another key', async () => {
    const desk = await Desk.applied([sword, moved]);
    desk.record({ type: 'forgotten', address: 'item.blade', at: now });
    desk.record({ type: 'answered', address: 'item.sword', record: itemRecord('there') });
    const again = await desk.change('item.sword', sword, {}, { replace: ['item.sword'] });
    expect(again.requests[0]?.body.id).toBe(idOf('sword#2'));
  });

  test.each([
    ['was imported again', { type: 'imported', address: 'item.sword', at: now, id: idOf('sword#2') }],
    ['was succeeded by a record under another key', { type: 'moved', from: 'item.bow', to: 'item.sword' }],
  ] as const)('of a replacement: not the one that was retired before the record %s', async (_, event) => {
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

  test('the next generation, where a moved create whose outcome is open asked for the first one', async () => {
    const desk = await interrupted(sword);
    await desk.apply(moved, honoured);
    expect((await desk.change('item.sword', both, honoured)).requests[0]?.body.id).toBe(idOf('sword#2'));
  });
});

test('a pending create that asks for the id of another address is not sent again: an update would follow', async () => {
  const desk = await interrupted(sword, honoured);
  desk.record({ type: 'imported', address: 'item.bow', at: now, id: idOf('sword') });
  const change = await desk.change('item.sword', sword, honoured);
  expect(change).toMatchObject({ action: 'unknown', requests: [] });
});

test('an item that declares the ID of a pending create waits until that is settled', async () => {
  const desk = await interrupted(sword, honoured);
  const taken = `${sword.slice(0, -1)}, bow: { name: Bow, rollNumerator: 1, id: ${idOf('sword')} } }`;
  const change = await desk.change('item.bow', taken, honoured);
  expect(change).toMatchObject({ action: 'blocked', requests: [], reasons: [{ code: 'id-held' }] });
  expect((await desk.apply(taken, honoured)).report.results).toMatchObject([
    { address: 'item.bow', result: 'blocked' },
    { address: 'item.sword', result: 'applied' },
  ]);
});

test('a declared id of another address is not even looked for: that would change the other record', async () => {
  const desk = await Desk.applied(sword);
  const taken = `${sword.slice(0, -1)}, bow: { name: Bow, rollNumerator: 1, id: ${idOf('sword')} } }`;
  const profile = { ...honoured, 'update.unknownId': 'rejected' } as const;
  const change = await desk.change('item.bow', taken, profile, { recover: true });
  expect(change).toMatchObject({ action: 'blocked', requests: [], reasons: [{ code: 'id-held' }, {}] });
});

describe('whether ids are honoured', () => {
  const isHonoured = (desk: Desk, clientId: 'unknown' | 'honoured' | 'ignored' = 'unknown') =>
    clientIds(
      { idNamespace: namespace, profile: { ...unknownProfile, 'itemCreate.clientId': clientId } },
      desk.state,
    ).honoured;

  test('the profile says so, or says not', () => {
    expect([isHonoured(new Desk(), 'honoured'), isHonoured(new Desk(), 'ignored')]).toEqual([true, false]);
  });

  test('unknown, until a record has the id that it was created with', async () => {
    const desk = new Desk();
    expect(isHonoured(desk)).toBe(false);
    await desk.apply(sword);
    expect(isHonoured(desk)).toBe(true);
    await desk.apply(sword.replace('40', '41'));
    expect(isHonoured(desk)).toBe(true);
  });

  test('not by a declared id that was copied from what the service made up', async () => {
    const desk = new Desk();
    desk.service.answerWith({ id: 'made-up' });
    await desk.apply(sword);
    const { environment } = await desk.inputs(withId('made-up'));
    expect(clientIds(environment, desk.state).honoured).toBe(false);
  });

  test('not any more, once one id was ignored', async () => {
    const desk = await Desk.applied(sword);
    desk.service.answerWith({ id: 'made-up' });
    await desk.apply(`${sword.slice(0, -1)}, bow: { name: Bow, rollNumerator: 1 } }`);
    expect(isHonoured(desk)).toBe(false);
  });
});

describe('a pending create', () => {
  test('settles itself where ids are honoured: the same id again', async () => {
    const desk = await interrupted(sword);
    expect(await desk.change('item.sword', sword, honoured)).toMatchObject({
      action: 'create',
      requests: [{ body: { id: idOf('sword') } }],
      reason: expect.stringContaining('; resending the same ID creates no second record'),
    });
  });

  test('waits for a person where nobody knows, with both ways out', async () => {
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

  test('of a run that may still be active does not say that it ended', async () => {
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
    // A run that has the lock knows that it ended.
    const plan = explainPlan(await desk.plan(sword), ' -e staging', { isLocked: true });
    expect(plan.changes[0]?.remedies).toEqual(change.remedies?.slice(1));
  });

  test('with an answer that was not trusted waits for a person, even where ids are honoured', async () => {
    const desk = new Desk({ profile: honoured });
    desk.service.teamId = 'team_8';
    await desk.apply(sword);
    expect(desk.recorded.pending[0]?.answer?.id).toBe(idOf('sword'));
    const reason = expect.stringContaining('team_8');
    expect(await desk.change('item.sword', sword)).toMatchObject({ action: 'unknown', reason });
  });

  test('of what is no longer declared still waits for a person', async () => {
    const desk = await interrupted(sword);
    const unknown = { action: 'unknown', source: null, requests: [] };
    expect(await desk.change('item.sword', '', honoured)).toMatchObject(unknown);
  });

  test('that can not be sent again as declared now is still unknown, with what hinders it', async () => {
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
      remedies: [...resolving, 'assign an option that exists', expect.anything()],
    });
    expect(await desk.change('item.sword', text('s', option('a'), 'a'))).toMatchObject({
      action: 'unknown',
      reason: expect.stringContaining('; depends on classifier.s (blocked)'),
      remedies: resolving,
    });
  });

  test('of a classifier holds up what is assigned to it, and nothing else', async () => {
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
