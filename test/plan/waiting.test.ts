import { describe, expect, test } from 'vitest';
import { applyExitCode } from '../../src/commands/apply-attempt.ts';
import { planExitCode } from '../../src/commands/plan.ts';
import { explainReport } from '../../src/render/messages/explain-plan.ts';
import { actionsOf, Desk } from '../rig/desk.ts';
import { unseen } from '../rig/memory-service.ts';

const options = 'options: { common: { name: Common, dropRateMultiplier: 1 } }';
const catalog = (classifier: string, name = 'Sword') => `classifiers:
  ${classifier}: { name: Rarity, ${options} }
  slot: { name: Slot, options: { hand: { name: Hand, dropRateMultiplier: 1 } } }
items:
  sword: { name: ${name}, rollNumerator: 40, classifiers: { ${classifier}: common, slot: hand } }
  torch: { name: Torch, rollNumerator: 1 }
`;
const byClassifier = {
  'itemUpdate.classifierOptionIds': 'by-classifier',
  'itemUpdate.assignments': 'replace',
} as const;

const applied = () => Desk.applied(catalog('rarity'), { profile: byClassifier });

describe('a classifier with a new key but no `moved`', () => {
  test('delays its items, in the plan and in apply', async () => {
    const desk = await applied();
    const { plan, report } = await desk.apply(catalog('quality'));
    const expected = ['blocked classifier.quality', 'blocked classifier.rarity', 'waiting item.sword'];
    expect(actionsOf(plan)).toEqual(expected);
    expect(report.results.map(({ result, address }) => `${result} ${address}`)).toEqual(expected);
    expect(desk.service.received).toEqual([]);
    expect(plan.summary).toMatchObject({ blocked: 2, waiting: 1, unknown: 0, unchanged: 2 });
    expect([planExitCode(plan, false), applyExitCode(explainReport(report), true)]).toEqual([3, 3]);
  });

  test('removes no old assignment, whatever else is sent', async () => {
    const desk = await applied();
    const { plan } = await desk.apply(catalog('quality', 'Blade'));
    expect(plan.changes.find(({ action }) => action === 'waiting')).toMatchObject({
      address: 'item.sword',
      reason: 'depends on classifier.quality (blocked)',
      fields: [
        { path: 'classifiers.quality', before: null, after: ['common'] },
        { path: 'classifiers.rarity', before: ['common'], after: null },
      ],
    });
    expect(desk.service.received.map(({ request }) => request.body)).toMatchObject([{ name: 'Blade' }]);
    const assigned = desk.recorded.live['item.sword']?.answer;
    expect(assigned).toMatchObject({ name: 'Blade', classifiers: [{}, {}] });
  });

  test('delays nothing once it is moved or confirmed as new', async () => {
    const desk = await applied();
    const moved = `${catalog('quality')}moved: [{ from: classifier.rarity, to: classifier.quality }]\n`;
    expect(await desk.actions(moved)).toEqual([]);
    const actions = await desk.actions(catalog('quality'), {}, { confirmNew: ['classifier.quality'] });
    expect(actions).toEqual(['create classifier.quality', 'retire classifier.rarity', 'update item.sword']);
  });
});

test('an item that is both blocked and waiting is listed as blocked', async () => {
  const desk = await applied();
  desk.service.react = unseen;
  const rank = `  rank: { name: Rank, ${options} }\nitems:`;
  const text = catalog('rarity').replace('items:', rank);
  await desk.apply(text);
  const more = text
    .replace('hand: {', 'head: { name: Head, dropRateMultiplier: 1 }, hand: {')
    .concat('  bow: { name: Bow, rollNumerator: 1, classifiers: { rank: common, slot: head } }\n');
  expect(await desk.change('item.bow', more)).toMatchObject({
    action: 'blocked',
    reason: expect.stringContaining('option classifier.slot.head has no ID'),
  });
});
