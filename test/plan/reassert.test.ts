import { describe, expect, test } from 'vitest';
import { actionsOf, changeOf, Desk } from '../rig/desk.ts';

const text = `items:
  sword: { name: Sword, rollNumerator: 40 }
  torch: { name: Torch, rollNumerator: 1 }
`;

describe('--reassert', () => {
  test('writes again what did not change: all of it, or what is named', async () => {
    const desk = await Desk.applied(text);
    const sword = { reassert: ['item.sword'] } as const;
    expect(await desk.actions(text, {}, sword)).toEqual(['reassert item.sword']);
    const { plan, report } = await desk.apply(text, {}, { reassert: 'all' });
    expect(actionsOf(plan)).toEqual(['reassert item.sword', 'reassert item.torch']);
    expect(plan).toMatchObject({ reassert: 'all', summary: { reassert: 2, unchanged: 0 } });
    expect(changeOf(plan, 'item.sword').requests).toMatchObject([
      { method: 'PUT', body: { name: 'Sword', rollNumerator: 40, attributes: [] } },
    ]);
    expect(report.results.map(({ result }) => result)).toEqual(['applied', 'applied']);
  });

  test('undoes what somebody else did meanwhile', async () => {
    const desk = await Desk.applied(text);
    const id = desk.idOf('item.sword');
    const item = desk.service.items.get(id);
    if (item) desk.service.items.set(id, { ...item, name: 'Edited elsewhere' });
    await desk.apply(text, {}, { reassert: ['item.sword'] });
    expect(desk.service.items.get(id)?.name).toBe('Sword');
  });

  test('tries again what was not taken, and takes note when it is', async () => {
    const desk = new Desk();
    desk.service.answerWith({ name: 'SWORD' });
    const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
    await desk.apply(sword);
    expect(await desk.change('item.sword', sword)).toMatchObject({
      action: 'unchanged',
      requests: [],
    });
    desk.service.react = (_, honest) => honest();
    const { plan } = await desk.apply(sword, {}, { reassert: 'all' });
    expect(changeOf(plan, 'item.sword')).toMatchObject({
      action: 'reassert',
      fields: [{ path: 'name', before: 'SWORD', after: 'Sword' }],
    });
    expect(desk.recorded.live['item.sword']).toMatchObject({ confidence: 'verified' });
    expect(await desk.actions(sword)).toEqual([]);
  });
});
