import { describe, expect, test } from 'vitest';
import { probeItem } from '../../src/probe/records.ts';
import { actionsOf, changeOf, Desk } from '../rig/desk.ts';
import { recorded } from '../rig/recorded.ts';
import { answered as answeredItem } from '../state/events.ts';

const item = (key: string, name: string) => `  ${key}: { name: ${name}, rollNumerator: 1 }\n`;
const sword = item('sword', 'Sword');
const torch = item('torch', 'Torch');
const bow = item('bow', 'Bow');
const text = `items:\n${sword}${torch}`;
const recover = { recover: true } as const;
const other = '11111111-1111-4111-8111-111111111111';
const at = '2026-03-01T12:00:00.000Z';
const rejected = { 'itemCreate.clientId': 'honoured', 'update.unknownId': 'rejected' } as const;
const created = { ...rejected, 'update.unknownId': 'created' } as const;

/** What `text` declares is in the service and its state is lost; ids are derived from `idNamespace` from now on. */
async function lost(profile: Partial<typeof created | typeof rejected>, idNamespace?: string): Promise<Desk> {
  const before = new Desk({ profile });
  await before.apply(text);
  const desk = new Desk({ profile, ...(idNamespace !== undefined && { idNamespace }) });
  for (const [id, answer] of before.service.items) desk.service.items.set(id, answer);
  return desk;
}

const idOf = (desk: Desk, name: string) =>
  [...desk.service.items.values()].find((each) => each.name === name)?.id ?? '';

describe('an idNamespace that is not the one of the lost state', () => {
  test('is not taken for it because one item is new and was created with it', async () => {
    const desk = await lost(rejected, other);
    const more = `${text}${bow}`;
    await desk.apply(more, {}, recover);
    await desk.apply(more, {}, { confirmNew: ['item.bow'] });
    expect(recorded(desk.state).live).toHaveProperty(['item.bow']);
    await desk.apply(more);
    await desk.apply(more.replace('Bow', 'Longbow'));
    await desk.apply(more);
    expect([...desk.service.items.values()].map(({ name }) => name).sort()).toEqual([
      'Bow',
      'Sword',
      'Torch',
    ]);
  });

  test('is not taken for it because a probe was cut short', async () => {
    const desk = await lost(rejected, other);
    desk.record(answeredItem(probeItem, 'whatever'));
    const probed = recorded(desk.state).live[probeItem];
    if (!probed) throw new Error('it was just recorded');
    const { derived } = (await import('../../src/plan/client-id.ts')).clientIds(
      other,
      (await desk.inputs(text)).environment.profile,
      undefined,
    );
    const id = derived('trove-probe-a');
    desk.state = undefined;
    desk.record({ type: 'answered', address: probeItem, record: { ...probed, id } });
    await desk.apply(text, {}, recover);
    expect(desk.service.items.size).toBe(2);
  });
});

test('an item found under its declared id says nothing of the ids that are derived', async () => {
  const desk = await lost(rejected, other);
  const own = '  lamp: { id: my-lamp, name: Lamp, rollNumerator: 1 }\n';
  const spare = '  axe: { id: my-axe, name: Axe, rollNumerator: 1 }\n';
  const lamp = new Desk({ profile: rejected });
  await lamp.apply(`items:\n${own}`);
  for (const [id, answer] of lamp.service.items) desk.service.items.set(id, answer);
  await desk.apply(`${text}${own}${spare}`, {}, recover);
  expect([...desk.service.items.values()].map(({ name }) => name).sort()).toEqual([
    'Axe',
    'Lamp',
    'Sword',
    'Torch',
  ]);
});

describe('where an update of an id that nobody has may create it', () => {
  test.each([
    ['it does', created],
    ['nobody knows', { 'itemCreate.clientId': 'honoured' } as const],
  ])(
    'nothing is looked for before an id shows that the namespace is the right one: %s',
    async (_, profile) => {
      const desk = await lost(profile, other);
      const plan = await desk.plan(text, {}, recover);
      expect(actionsOf(plan)).toEqual(['blocked item.sword', 'blocked item.torch']);
      expect(changeOf(plan, 'item.sword')).toMatchObject({ reason: expect.stringContaining('idNamespace') });
      await desk.apply(text, {}, recover);
      desk.record({ type: 'imported', address: 'item.sword', id: idOf(desk, 'Sword'), at });
      await desk.apply(text);
      expect(actionsOf(await desk.plan(text))).toEqual(['blocked item.torch']);
      expect(desk.service.items.size).toBe(2);
    },
  );

  test('one imported id that was derived shows it, and the others are looked for', async () => {
    const desk = await lost(created);
    await desk.apply(text, {}, recover);
    desk.record({ type: 'imported', address: 'item.sword', id: idOf(desk, 'Sword'), at });
    expect(actionsOf(await desk.plan(text))).toEqual(['adopt item.sword', 'adopt item.torch']);
    await desk.apply(text, {}, { targets: ['item.sword'] });
    expect(actionsOf(await desk.plan(text))).toEqual(['adopt item.torch']);
    await desk.apply(text);
    expect(desk.state?.recovering).toBeUndefined();
    expect(desk.service.items.size).toBe(2);
  });

  test('a declared id needs no namespace', async () => {
    const desk = new Desk({ profile: created });
    const declared = 'items:\n  sword: { id: my-sword, name: Sword, rollNumerator: 1 }\n';
    expect(actionsOf(await desk.plan(declared, {}, recover))).toEqual(['adopt item.sword']);
  });
});
