import { describe, expect, test } from 'vitest';
import { actionsOf, Desk } from '../rig/desk.ts';
import { unseen } from '../rig/memory-service.ts';

const item = (key: string) => `items: { ${key}: { name: Sword, rollNumerator: 40 } }\n`;
const aToB = '{ from: item.a, to: item.b }';
const bToC = '{ from: item.b, to: item.c }';
const cToD = '{ from: item.c, to: item.d }';
const moved = (...moves: string[]) => `moved: [${moves.join(', ')}]\n`;

describe('`moved`', () => {
  test('keeps the record under its new address, and sends nothing', async () => {
    const desk = await Desk.applied(item('a'));
    const id = desk.idOf('item.a');
    const text = item('b') + moved(aToB);
    const plan = await desk.plan(text);
    expect([plan.changes, plan.moved]).toEqual([[], [{ from: 'item.a', to: 'item.b' }]]);
    await desk.apply(text);
    expect(desk.service.received).toEqual([]);
    expect(desk.recorded.live).toEqual({ 'item.b': expect.objectContaining({ id }) });
    expect((await desk.plan(text)).moved).toEqual([]);
  });

  test.each([[[aToB, bToC, cToD]], [[cToD, bToC, aToB]], [[bToC, aToB, cToD]], [[cToD, aToB, bToC]]])(
    'follows a chain in any written order: %j',
    async (moves) => {
      const desk = await Desk.applied(item('a'));
      const { changes, moved: done } = await desk.plan(item('d') + moved(...moves));
      expect(changes).toEqual([]);
      expect(done).toEqual([{ from: 'item.a', to: 'item.d' }]);
    },
  );

  test('starts in the middle of a chain if an earlier release was applied', async () => {
    const desk = await Desk.applied(item('b'));
    const plan = await desk.plan(item('c') + moved(aToB, bToC));
    expect(plan.moved).toEqual([{ from: 'item.b', to: 'item.c' }]);
  });

  test('carries a retired record along, which is then revived', async () => {
    const desk = await Desk.applied([item('a'), '']);
    expect(await desk.actions(item('b') + moved(aToB))).toEqual(['revive item.b']);
  });

  test('carries a pending create along', async () => {
    const desk = new Desk();
    desk.service.react = unseen;
    await desk.apply(item('a'));
    const text = item('b') + moved(aToB);
    expect(await desk.actions(text)).toEqual(['unknown item.b']);
    await desk.apply(text);
    expect(desk.recorded.pending.map(({ address }) => address)).toEqual(['item.b']);
  });

  test('prefers a record in use to one retired at the new address', async () => {
    const desk = await Desk.applied([item('b'), item('a')]);
    const id = desk.idOf('item.a');
    const retired = desk.recorded.retired[0]?.id;
    const text = item('b') + moved(aToB);
    const plan = await desk.plan(text);
    expect(plan.changes).toEqual([]);
    await desk.apply(text);
    expect(desk.idOf('item.b')).toBe(id);
    expect(desk.recorded.retired).toMatchObject([{ address: 'item.b', id: retired }]);
  });

  test('never replaces another record in use', async () => {
    const both = 'items: { a: { name: A, rollNumerator: 1 }, b: { name: B, rollNumerator: 1 } }';
    const desk = await Desk.applied(both);
    const plan = await desk.plan(item('b').replace('Sword', 'B').replace('40', '1') + moved(aToB));
    expect([plan.moved, actionsOf(plan)]).toEqual([[], ['retire item.a']]);
  });

  test('keeps the option IDs of a classifier for its items', async () => {
    const text = `classifiers: { tier: { name: T, options: { rare: { name: Rare, dropRateMultiplier: 1 } } } }
items: { a: { name: A, rollNumerator: 1, classifiers: { tier: rare } } }
`;
    const desk = await Desk.applied(text);
    const renamed =
      text.replaceAll('tier:', 'rarity:') + moved('{ from: classifier.tier, to: classifier.rarity }');
    expect((await desk.plan(renamed)).changes).toEqual([]);
  });
});

test('a chain of 5000 moves is followed to its end', async () => {
  const steps = Array.from({ length: 5000 }, (_, n) => `{ from: item.k${n}, to: item.k${n + 1} }`);
  const desk = await Desk.applied(item('k0'));
  const last = item('k5000') + moved(...steps);
  expect((await desk.plan(last)).moved).toEqual([{ from: 'item.k0', to: 'item.k5000' }]);
  expect(actionsOf(await new Desk().plan(last))).toEqual(['create item.k5000']);
});
