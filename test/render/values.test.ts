import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldChange } from '../../src/plan/model.ts';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { renderReviewPage } from '../../src/render/review/review-page.ts';
import { valueText } from '../../src/render/value-text.ts';
import { textOf } from '../rig/read-page.ts';
import { change, planOf } from './sample-plan.ts';

const page = (fields: readonly FieldChange[]) =>
  renderReviewPage([{ plan: planOf([change('sword', 'update', { fields })]) }]);

const path = 'classifiers.rarity';

describe('absence never looks like a value', () => {
  test.each<[string, unknown]>([
    ['an option whose key is none', ['none']],
    ['a text that says so', '(none)'],
    ['a list of such a text', ['(none)']],
    ['an empty text', ''],
    ['an empty list', []],
    ['false', false],
  ])('%s', (_, value) => {
    const plan = planOf([change('sword', 'update', { fields: [{ path, before: null, after: value }] })]);
    expect(valueText(value)).not.toBe(valueText(null));
    const [before, after] = /rarity {2}(.+) -> (.+)$/m.exec(renderPlanText(plan, false))?.slice(1) ?? [];
    expect([before, after === before]).toEqual(['(none)', false]);
    const cells = /rarity` \| (.+) \| (.+) \|$/m.exec(renderPlanMarkdown(plan))?.slice(1) ?? [];
    expect([cells[0], cells[1] === cells[0]]).toEqual(['`(none)`', false]);
    const absent = textOf(page([{ path, before: null, after: null }]));
    const shown = textOf(page([{ path, before: null, after: value }]));
    expect(absent).toContain('rarity (none) (none)');
    expect(shown).not.toContain('rarity (none) (none)');
    expect(shown).toMatch(/rarity \(none\) \S/);
  });

  test('an empty range end, and a range that is no range, are shown as they are', () => {
    expect(valueText({ min: null, max: 'x' })).toBe('null.."x"');
    expect(valueText({ name: null, dropRateMultiplier: [] })).toBe('null x[]');
  });
});

test('every JSON value has its text, its cell and its place on the page', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('name', 'thumbnail', 'tradable', 'options.rare', 'attributes.damage', path),
      fc.constantFrom('update', 'create', 'adopt', 'blocked', 'unchanged'),
      (before, after, field, action) => {
        const fields = [{ path: field, before, after }];
        const plan = planOf([
          change('sword', action, { fields, ...(action === 'create' && { remoteId: null }) }),
        ]);
        for (const text of [
          renderPlanText(plan, false),
          renderPlanMarkdown(plan),
          renderReviewPage([{ plan }]),
        ])
          expect(text).toContain('item.sword');
      },
    ),
    { numRuns: 500 },
  );
});
