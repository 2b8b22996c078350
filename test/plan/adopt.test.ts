import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/catalog/model.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { uuid5 } from '../../src/environment/defaults.ts';
import { actionsOf, changeOf, Desk, namespace, now } from '../rig/desk.ts';
import { refused, unseen } from '../rig/memory-service.ts';

const text = `attributes: { damage: {} }
classifiers:
  rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 } } }
items:
  sword:
    name: Sword
    rollNumerator: 40
    thumbnail: https://cdn.example/sword.png
    classifiers: { rarity: common }
    attributes: { damage: { min: 1, max: 2 } }
`;
const bare = 'items: { sword: { name: Sword, rollNumerator: 1 } }';
const known: Partial<Profile> = {
  'itemUpdate.classifierOptionIds': 'by-classifier',
  'itemUpdate.assignments': 'replace',
  'itemUpdate.attributes': 'replace',
  'itemCreate.clientId': 'honoured',
  'update.unknownId': 'rejected',
};

/** A service that has everything, and a desk whose state has only the imported IDs of `found`. */
async function withoutState(profile = known, catalog = text, found: readonly Address[] = []) {
  const desk = await Desk.applied(catalog, { profile });
  const ids = Object.fromEntries(Object.entries(desk.recorded.live).map(([at, { id }]) => [at, id]));
  desk.state = undefined;
  desk.record(...found.map((address) => imported(address, ids[address])));
  return Object.assign(desk, { ids });
}

const imported = (address: Address, id = '') => ({ type: 'imported', address, id, at: now }) as const;
const methods = (desk: Desk) => desk.service.received.map(({ request }) => request.method);

describe('an imported ID', () => {
  test('is confirmed by one update', async () => {
    const desk = await withoutState(known, text, ['classifier.rarity', 'item.sword']);
    const { plan, report } = await desk.apply(text);
    expect(actionsOf(plan)).toEqual(['adopt classifier.rarity', 'adopt item.sword']);
    const path = `/classifiers/${desk.ids['classifier.rarity']}`;
    const request = { method: 'PUT', path, body: { name: 'Rarity' } };
    expect(changeOf(plan, 'classifier.rarity').requests).toEqual([request]);
    expect(report.results.map(({ result }) => result)).toEqual(['applied', 'applied']);
    const live = { 'item.sword': { confidence: 'verified' } };
    expect(desk.recorded).toMatchObject({ imported: [], live });
    expect([desk.service.items.size, await desk.actions(text)]).toEqual([1, []]);
  });

  test('shows its unknown update in every later plan, even once undeclared', async () => {
    const desk = await withoutState(known, bare, ['item.sword']);
    desk.service.react = unseen;
    await desk.apply(bare);
    const reasonsOf = async (catalog: string) =>
      changeOf(await desk.plan(catalog), 'item.sword').reasons?.map(({ code }) => code);
    expect(await reasonsOf(bare)).toEqual(['imported', 'update-unseen']);
    expect(await reasonsOf('')).toEqual(['import-undeclared', 'update-unseen']);
  });

  test('of a classifier provides the option IDs that its items wait for', async () => {
    const desk = await withoutState(known, text, ['classifier.rarity']);
    const { plan } = await desk.apply(text.replace('sword:', 'blade:'));
    const planned = changeOf(plan, 'item.blade').requests[0]?.body.classifierOptionIds;
    expect(planned).toEqual([{ $knownAfterApply: 'classifier.rarity.common' }]);
    const { options } = desk.recorded.live['classifier.rarity'] ?? {};
    expect(desk.service.received.at(-1)?.request.body.classifierOptionIds).toEqual([options?.common]);
  });

  test('of a classifier causes no update of items with its options', async () => {
    const desk = await Desk.applied(text, { profile: known });
    const rarity = desk.idOf('classifier.rarity');
    desk.record({ type: 'forgotten', address: 'classifier.rarity', at: now });
    desk.record(imported('classifier.rarity', rarity));
    expect(actionsOf((await desk.apply(text)).plan)).toEqual(['adopt classifier.rarity']);
    expect(await desk.actions(text)).toEqual([]);
  });

  test('is confirmed without assignments while their shape is unknown', async () => {
    const profile = { 'itemCreate.clientId': 'honoured' } as const;
    const desk = await withoutState(profile, text, ['item.sword', 'classifier.rarity']);
    const freed = text.replace('rarity: common', 'rarity: []');
    const { plan } = await desk.apply(freed);
    expect(changeOf(plan, 'item.sword').requests[0]?.body).not.toHaveProperty('classifierOptionIds');
    expect(await desk.actions(freed)).toEqual(['blocked item.sword']);
  });

  test('that does not exist stays imported, and is not created', async () => {
    const desk = new Desk({ profile: known });
    desk.record(imported('item.sword', 'nobody'));
    desk.service.react = () => refused(404);
    const { report } = await desk.apply(bare);
    expect(report.results).toMatchObject([{ action: 'adopt', result: 'failed' }]);
    expect(desk.recorded.imported).toMatchObject([{ address: 'item.sword', id: 'nobody' }]);
    expect(methods(desk)).toEqual(['PUT']);
  });

  test('of an undeclared resource is blocked, with a remedy', async () => {
    const desk = new Desk();
    desk.record(imported('item.old', 'x'));
    const { action, remedies } = await desk.change('item.old', text);
    expect(action).toBe('blocked');
    expect(remedies?.at(-1)).toContain('trove state forget item.old -e staging');
  });
});

describe('--recover', () => {
  const planOptions = { recover: true } as const;

  test('finds items by their derived IDs, and creates only the missing ones', async () => {
    const desk = await withoutState(known, text, ['classifier.rarity']);
    const more = `${text}  torch: { name: Torch, rollNumerator: 1 }\n`;
    const { plan } = await desk.apply(more, {}, planOptions);
    expect(actionsOf(plan)).toEqual(['adopt classifier.rarity', 'adopt item.sword', 'adopt item.torch']);
    expect(desk.service.items.size).toBe(2);
    expect(methods(desk).filter((method) => method === 'POST')).toHaveLength(1);
    expect(desk.idOf('item.sword')).toBe(desk.ids['item.sword']);
    expect(await desk.actions(more)).toEqual([]);
  });

  test('finds the replacement of an item, not the replaced record', async () => {
    const desk = await Desk.applied(bare, { profile: known });
    await desk.apply(bare, {}, { replace: ['item.sword'] });
    desk.state = undefined;
    await desk.apply(bare, {}, planOptions);
    expect(desk.idOf('item.sword')).toBe(uuid5(namespace, 'sword#2'));
  });

  test('finds a moved item by the ID of its former key', async () => {
    const desk = await withoutState(known, bare);
    const moved = `${bare.replace('sword:', 'blade:')}\nmoved: [{ from: item.sword, to: item.blade }]`;
    await desk.apply(moved, {}, planOptions);
    expect([desk.idOf('item.blade'), desk.service.items.size]).toEqual([desk.ids['item.sword'], 1]);
  });

  test.each([
    ['classifier.rarity', known],
    ['item.sword', { ...known, 'itemCreate.clientId': 'unknown' } as const],
    ['item.sword', { ...known, 'itemCreate.clientId': 'ignored' } as const],
  ])('blocks %s, which it cannot find, until --confirm-new (case %#)', async (address, profile) => {
    const desk = await withoutState(profile);
    const change = await desk.change(address, text, {}, planOptions);
    expect(change).toMatchObject({ action: 'blocked', requests: [] });
    expect(change.remedies?.at(-1)).toContain(`--confirm-new ${address} --recover`);
    const confirmNew = ['classifier.rarity', 'item.sword'] as const;
    const confirmed = await desk.change(address, text, {}, { ...planOptions, confirmNew });
    expect(confirmed.action).toBe('create');
  });

  test('looks only for first IDs, and for nothing moved, if an update may create', async () => {
    const desk = await withoutState({ ...known, 'update.unknownId': 'created' });
    // An earlier ID that was derived: the namespace is the right one.
    desk.record(imported('item.torch', uuid5(namespace, 'torch')));
    const two = bare.replace(' } }', ' }, torch: { name: Torch, rollNumerator: 1 } }');
    const { requests } = await desk.change('item.sword', two, {}, planOptions);
    expect(requests.map(({ path }) => path)).toEqual([`/items/${uuid5(namespace, 'sword')}`, '/items']);
    const moved = `${two.replace('sword:', 'blade:')}\nmoved: [{ from: item.sword, to: item.blade }]`;
    expect(await desk.change('item.blade', moved, {}, planOptions)).toMatchObject({
      action: 'blocked',
      reason: expect.stringContaining('it was moved'),
    });
  });

  test('creates nothing if its update gets no response', async () => {
    const desk = await withoutState(known, bare);
    desk.service.react = unseen;
    const { report } = await desk.apply(bare, {}, planOptions);
    expect(report.results).toMatchObject([{ result: 'unknown' }]);
    expect(methods(desk)).toEqual(['PUT']);
    expect(desk.recorded).toMatchObject({ live: {}, pending: [] });
  });
});
