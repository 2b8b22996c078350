import { describe, expect, test } from 'vitest';
import { noOptions, type PlanOptions } from '../../src/plan/options.ts';
import { unknownAddresses } from '../../src/plan/targets.ts';
import { actionsOf, Desk } from '../rig/desk.ts';

const text = 'items: { torch: { name: Torch, rollNumerator: 1 }, bow: { name: Bow, rollNumerator: 2 } }\n';
const moved = `${text.replace('torch:', 'lamp:')}moved: [{ from: item.torch, to: item.lamp }]\n`;

async function complaints(edited: string, planOptions: Partial<PlanOptions>) {
  const desk = await Desk.applied(text);
  const { catalog } = await desk.inputs(edited);
  return unknownAddresses({ ...noOptions, ...planOptions }, catalog, desk.state);
}

describe('addresses that a person names are those of the plan', () => {
  test('what `moved` renames is replaced under its new address', async () => {
    expect(await complaints(moved, { replace: ['item.lamp'] })).toEqual([]);
  });

  test.each(['targets', 'replace', 'reassert', 'confirmNew'])(
    'the old one is refused by %s',
    async (wish) => {
      expect(await complaints(moved, { [wish]: ['item.torch'] })).toMatchObject([
        { rule: 'unknown-target', message: 'it is item.lamp now, by `moved` of the catalog' },
      ]);
    },
  );

  test('one that is neither declared nor recorded is refused, with the nearest', async () => {
    expect(await complaints(text, { targets: ['item.torhc'] })).toMatchObject([
      { rule: 'unknown-target', subject: 'item.torhc', hint: 'did you mean item.torch?' },
    ]);
  });

  test('what is not declared any more can not be replaced', async () => {
    const less = 'items: { bow: { name: Bow, rollNumerator: 2 } }\n';
    expect(await complaints(less, { replace: ['item.torch'] })).toMatchObject([
      { rule: 'nothing-to-replace', message: expect.stringContaining('not declared') },
    ]);
  });

  test('what is to be written again is, also beside the targets', async () => {
    const desk = await Desk.applied(text);
    const plan = await desk.plan(text, {}, { targets: ['item.torch'], reassert: ['item.bow'] });
    expect(actionsOf(plan)).toEqual(['reassert item.bow']);
  });
});
