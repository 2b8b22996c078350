import { describe, expect, test } from 'vitest';
import type { Change, FieldChange } from '../../src/plan/model.ts';
import { excerpt } from '../../src/render/diagnostics.ts';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { renderReviewPage } from '../../src/render/review/review-page.ts';
import { renderJson } from '../../src/render/terminal.ts';
import { valueText } from '../../src/render/words.ts';
import fc from '../rig/property.ts';
import { textOf } from '../rig/read-page.ts';
import { change, planOf } from './sample-plan.ts';

const page = (fields: readonly FieldChange[], rest: Partial<Change> = {}) =>
  renderReviewPage([{ plan: planOf([change('sword', 'update', { fields, ...rest })]) }]);

/** A plan of one change, as it is shown on a terminal, in Markdown and on the page. */
function everywhere(only: ReturnType<typeof change>) {
  const plan = planOf([only]);
  return {
    plan,
    texts: [renderPlanText(plan, false), renderPlanMarkdown(plan), renderReviewPage([{ plan }])],
  };
}

const path = 'classifiers.rarity';

describe('a missing value', () => {
  test.each<[string, unknown]>([
    ['an option with the key none', ['none']],
    ['the text (none)', '(none)'],
    ['(none) after a blank', ' (none)'],
    ['(none) before a blank', '(none) '],
    ['a blank', ' '],
    ['a list with the text (none)', ['(none)']],
    ['an empty text', ''],
    ['an empty list', []],
    ['false', false],
  ])('never looks like %s', (_, value) => {
    const plan = planOf([change('sword', 'update', { fields: [{ path, before: null, after: value }] })]);
    expect(valueText(value)).not.toBe(valueText(null));
    const [before, after] = /rarity {2}(.+) -> (.+)$/m.exec(renderPlanText(plan, false))?.slice(1) ?? [];
    expect([before, after === before]).toEqual(['(none)', false]);
    const cells = /rarity` \| (.+) \| (.+) \|$/m.exec(renderPlanMarkdown(plan))?.slice(1) ?? [];
    expect([cells[0], cells[1] === cells[0]]).toEqual(['`(none)`', false]);
    expect(textOf(page([{ path, before: null, after: null }]))).toContain('rarity (none) (none)');
    const shown = textOf(page([{ path, before: null, after: value }]));
    expect(shown).toMatch(/rarity \(none\) \S/);
    expect(shown).not.toMatch(/rarity \(none\) +\(none\)/);
  });

  test('never looks like a created thumbnail with the text (none)', () => {
    const fields = [{ path: 'thumbnail', before: null, after: '(none)' }];
    const plan = planOf([change('sword', 'create', { fields, remoteId: null })]);
    expect(textOf(renderReviewPage([{ plan }]))).toContain('thumbnail "(none)"');
  });

  test.each(['\u3164', '\u2800', '\u00ad', ' '])('never looks like a name of only %j', (name) => {
    const number = name.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    expect(page([], { name })).toContain(`<summary><bdi><span class="code">U+${number}</span></bdi> <code>`);
  });

  test('in a range, and a malformed range, are shown as they are', () => {
    expect(valueText({ min: null, max: 'x' })).toBe('null.."x"');
    expect(valueText({ name: null, dropRateMultiplier: [] })).toBe('null x[]');
  });
});

describe('a name', () => {
  const named = (name: string) =>
    everywhere(change('sword', 'update', { fields: [{ path: 'name', before: 'Iron Sword', after: name }] }));

  test.each<[string, string]>([
    ['a soft hyphen', '\u00ad'],
    ['a grapheme joiner', '\u034f'],
    ['a Mongolian vowel separator', '\u180e'],
    ['a Hangul filler', '\u3164'],
    ['blank braille', '\u2800'],
    ['a tag', '\u{e0041}'],
    ['a variation selector', '\ufe0f'],
    ['a joiner', '\u200d'],
    ['an annotation', '\ufff9'],
    ['a space that does not break', '\u00a0'],
    ['a noncharacter', '\uffff'],
  ])('that contains %s has its code in every output', (_, character) => {
    const { plan, texts } = named(`Iron Sword${character}`);
    const [text, markdown, html] = texts;
    const halves = character.split('').map((half) => half.charCodeAt(0).toString(16).padStart(4, '0'));
    const escaped = halves.map((half) => `\\u${half}`).join('');
    expect(text).toContain(`"Iron Sword" -> "Iron Sword${escaped}"`);
    expect(markdown).toContain(`"Iron Sword${escaped}"`);
    const number = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    expect(html).toContain(`<bdi>Iron Sword<span class="code">U+${number}</span></bdi>`);
    for (const each of texts) expect(each).not.toContain(character);
    expect(JSON.parse(renderJson(plan))).toEqual(plan);
  });

  test.each(['⚔️', '1️⃣', '👨‍👩‍👧', '🏳️‍🌈', '🧙🏽‍♂️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'Épée　鉄の剣 ؀'])('keeps %s as it is', (name) => {
    for (const text of named(name).texts) expect(text).toContain(name);
  });

  test('shows the joiner of an emoji that no font has', () => {
    expect(named('⚔\u200d⚔').texts[0]).toContain('⚔\\u200d⚔');
    expect(named('😀\ufe0f').texts[0]).toContain('😀\\ufe0f');
  });

  test('in the line of a problem keeps emoji and shows hidden characters', () => {
    expect(excerpt('name: ⚔️ a\ufe0f', 6, 8, 40)).toEqual({ text: 'name: ⚔️ a\\ufe0f', start: 6, length: 2 });
  });
});

test('every JSON value can be shown as text, as Markdown and on the page', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('name', 'thumbnail', 'tradable', 'options.rare', 'attributes.damage', path),
      fc.constantFrom('update', 'create', 'adopt', 'blocked', 'unchanged'),
      (before, after, field, action) => {
        const fields = [{ path: field, before, after }];
        const created = action === 'create' && { remoteId: null };
        const { texts } = everywhere(change('sword', action, { fields, ...created }));
        for (const text of texts) expect(text).toContain('item.sword');
      },
    ),
    { numRuns: 500 },
  );
});
