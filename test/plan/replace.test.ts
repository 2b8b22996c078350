import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/contract/profile.ts';
import { uuid5 } from '../../src/environment/defaults.ts';
import { actionsOf, changeOf, Desk, namespace } from '../rig/desk.ts';
import { type Reaction, refused, unseen } from '../rig/memory-service.ts';

const text = `classifiers:
  rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 } } }
items:
  sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: common } }
  torch: { name: Torch, rollNumerator: 1 }
`;
const known: Partial<Profile> = {
  'itemUpdate.classifierOptionIds': 'by-classifier',
  'itemUpdate.assignments': 'replace',
  'itemCreate.clientId': 'honoured',
};

const torch = (more: string) => text.replace('rollNumerator: 1 ', `rollNumerator: 1, ${more} `);
const guarded = torch('lifecycle: { protect: true }');
const refuseCreates: Reaction = ({ request }, honest) =>
  request.method === 'POST' ? refused(409) : honest();

const applied = (profile: Partial<Profile> = known) => Desk.applied(text, { profile });

describe('--replace of an item', () => {
  const planOptions = { replace: ['item.torch'] } as const;

  test('creates it with the next ID and retires the old record, once', async () => {
    const desk = await applied();
    const before = desk.recorded.live['item.torch'];
    const { plan, report } = await desk.apply(text, {}, planOptions);
    expect(changeOf(plan, 'item.torch')).toMatchObject({
      action: 'replace',
      remoteId: before?.id,
      requests: [{ method: 'POST', path: '/items', body: { id: uuid5(namespace, 'torch#2') } }],
    });
    expect(plan).toMatchObject({ replace: ['item.torch'], summary: { replace: 1, unchanged: 2 } });
    expect(report.results).toMatchObject([{ result: 'applied', remoteId: uuid5(namespace, 'torch#2') }]);
    expect(desk.recorded.retired).toMatchObject([{ address: 'item.torch', id: before?.id }]);
    expect(await desk.actions(text)).toEqual([]);

    await desk.apply(text, {}, planOptions);
    expect(desk.idOf('item.torch')).toBe(uuid5(namespace, 'torch#3'));
  });

  test('that was interrupted stays unknown once the item is protected', async () => {
    const desk = await applied();
    desk.service.react = unseen;
    await desk.apply(text, {}, planOptions);
    expect(desk.recorded.pending).toHaveLength(1);
    expect((await desk.change('item.torch', text)).action).toBe('replace');
    expect(await desk.change('item.torch', guarded)).toMatchObject({
      action: 'unknown',
      requests: [],
      reason: expect.stringContaining('a record that is now protected'),
    });
  });

  test('is blocked if the item is protected or declares no new ID', async () => {
    const desk = await applied();
    const blockedBy = async (edited: string, words: string) =>
      expect(await desk.change('item.torch', edited, {}, planOptions)).toMatchObject({
        action: 'blocked',
        requests: [],
        reason: expect.stringContaining(words),
      });
    await blockedBy(guarded, 'protect: true');
    // Also by what is recorded: one edit must not remove the protection and replace the record.
    desk.record({ type: 'protection', address: 'item.torch', protect: true });
    await blockedBy(torch(''), 'protect: true');
    desk.record({ type: 'protection', address: 'item.torch', protect: false });
    const swordId = desk.idOf('item.sword');
    await blockedBy(torch(`id: ${swordId}`), 'item.sword');
    await desk.apply(torch('id: my-torch'), {}, planOptions);
    await blockedBy(torch('id: my-torch'), 'my-torch');
    const former = desk.recorded.retired[0]?.id ?? '';
    await blockedBy(torch(`id: ${former}`), former);
  });

  test('continues with the same ID after an interruption, and keeps the old record', async () => {
    const desk = await applied();
    const before = desk.idOf('item.torch');
    desk.service.react = unseen;
    await desk.apply(text, {}, planOptions);
    expect(desk.recorded).toMatchObject({ live: { 'item.torch': { id: before } } });
    desk.service.react = (_, honest) => honest();
    const { plan } = await desk.apply(text);
    expect(changeOf(plan, 'item.torch')).toMatchObject({
      action: 'replace',
      remoteId: before,
      reason: expect.stringContaining(
        `replaces record ${before}, which remains in the service and is retired`,
      ),
    });
    expect(desk.idOf('item.torch')).toBe(uuid5(namespace, 'torch#2'));
    expect(desk.recorded).toMatchObject({ retired: [{ id: before }], pending: [] });
  });

  test('that an update settles blocks what the update had to leave out', async () => {
    const desk = await applied({ 'itemCreate.clientId': 'honoured' });
    const bare = text.replace(', classifiers: { rarity: common }', ', classifiers: {}');
    desk.service.react = (received, honest) => {
      if (received.request.method === 'POST') honest();
      return unseen();
    };
    await desk.apply(bare, {}, { replace: ['item.sword'] });
    desk.service.react = refuseCreates;
    const { report } = await desk.apply(text);
    expect(report.results).toMatchObject([{ address: 'item.sword', result: 'applied' }]);
    expect(await desk.actions(text)).toEqual(['blocked item.sword']);
  });

  test.each([
    ['honoured', 'other-id'],
    ['ignored', 'replaced-record'],
  ] as const)('distrusts a response with the old record if IDs are %s', async (ids, code) => {
    const desk = await applied({ ...known, 'itemCreate.clientId': ids });
    const before = desk.recorded.live['item.torch'];
    desk.service.answerWith({ id: before?.id ?? '' });
    const { report } = await desk.apply(text, {}, planOptions);
    expect(report.results).toMatchObject([{ result: 'unknown', reasons: [{ code }] }]);
    expect(desk.recorded.live['item.torch']).toEqual(before);
  });
});

describe('--replace of a classifier', () => {
  const planOptions = { replace: ['classifier.rarity'] } as const;

  test('creates it, moves its items in the same plan, then retires the old one', async () => {
    const desk = await applied();
    const old = desk.recorded.live['classifier.rarity'];
    const { plan, report } = await desk.apply(text, {}, planOptions);
    expect(actionsOf(plan)).toEqual(['replace classifier.rarity', 'update item.sword']);
    expect(report.results.map(({ result }) => result)).toEqual(['applied', 'applied']);
    const now = desk.recorded.live['classifier.rarity'];
    expect(now?.id).not.toBe(old?.id);
    expect(desk.service.items.get(desk.idOf('item.sword'))?.classifiers).toMatchObject([
      { classifierId: now?.id, classifierOption: { id: now?.options?.common } },
    ]);
    expect(desk.recorded.retired).toMatchObject([{ address: 'classifier.rarity', id: old?.id }]);
    expect(await desk.actions(text)).toEqual([]);
  });

  test('blocks an item whose assignments cannot be changed', async () => {
    const desk = await applied({ 'itemCreate.clientId': 'honoured' });
    const { plan } = await desk.apply(text, {}, planOptions);
    expect(actionsOf(plan)).toEqual(['replace classifier.rarity', 'blocked item.sword']);
    expect(await desk.actions(text)).toEqual(['blocked item.sword']);
    expect(await desk.actions(text, {}, { replace: ['item.sword'] })).toEqual(['replace item.sword']);
  });

  test('moves nothing if its create is refused', async () => {
    const desk = await applied();
    const before = desk.recorded.live;
    desk.service.react = refuseCreates;
    const { report } = await desk.apply(text, {}, planOptions);
    expect(report.results).toMatchObject([
      { address: 'classifier.rarity', result: 'failed' },
      { address: 'item.sword', result: 'not-started', reasons: [{ code: 'not-replaced' }] },
    ]);
    expect(desk.recorded.live).toEqual(before);
  });
});

describe('lifecycle: { onBlocked: replace }', () => {
  const replacing = 'lifecycle: { onBlocked: replace }';
  const edited = text.replace('Multiplier: 1 } } }', `Multiplier: 2 } }, ${replacing} }`);

  test("replaces a classifier if its options can't be changed, and its items follow", async () => {
    const desk = await applied();
    const { plan } = await desk.apply(edited);
    expect(actionsOf(plan)).toEqual(['replace classifier.rarity', 'update item.sword']);
    expect(await desk.actions(edited)).toEqual([]);
  });

  test('updates what can be updated', async () => {
    const desk = await applied();
    const renamed = text.replace('name: Rarity', `name: Tier, ${replacing}`);
    expect(await desk.actions(renamed)).toEqual(['update classifier.rarity']);
  });

  test('replaces an item', async () => {
    const desk = await applied({ 'itemCreate.clientId': 'honoured' });
    const freed = text.replace('classifiers: { rarity: common }', 'classifiers: {}');
    const item = freed.replace('rollNumerator: 40,', `rollNumerator: 40, ${replacing},`);
    expect(await desk.actions(freed)).toEqual(['blocked item.sword']);
    expect(actionsOf((await desk.apply(item)).plan)).toEqual(['replace item.sword']);
    expect(await desk.actions(item)).toEqual([]);
  });
});

test.each([
  ['merge', /its items keep their old options/],
  ['unknown', /its items may keep/],
  ['replace', /is retired$/],
] as const)(
  'the plan shows what the items of a replaced classifier keep (assignments: %s)',
  async (value, words) => {
    const profile = { 'itemUpdate.assignments': value };
    const plan = await (await applied()).plan(text, profile, { replace: ['classifier.rarity'] });
    expect(changeOf(plan, 'classifier.rarity').reason).toMatch(words);
  },
);
