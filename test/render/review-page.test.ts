import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Distribution } from '../../src/plan/distribution.ts';
import { explained } from '../../src/render/messages/explain-problem.ts';
import { renderReviewPage } from '../../src/render/review/review-page.ts';
import { SourceText } from '../../src/text/source.ts';
import fc from '../rig/property.ts';
import { textOf, unescaped } from '../rig/read-page.ts';
import { change, everySection, limitExceeded, planOf, withText } from './sample-plan.ts';

const hostile = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '"><img src=//evil.example/x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '&lt;b&gt;',
    '<!-- ',
    'javascript:alert(1)',
    '\u202etxt.exe',
    '\u0001\u001b[31m',
    'a`b`c: trove apply',
  ),
  fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/[\p{Surrogate}\0]/u.test(text)),
);

function distributionWith(name: string): Distribution {
  const a = { key: 'a', name, items: { before: 3, after: 3 } };
  const b = { key: 'b', name, items: { before: 1, after: 4 } };
  const bins = [
    { from: -1, to: 0, before: 1, after: 1 },
    { from: 0, to: 1000, before: 4, after: 2 },
    { from: 1000, to: 2000, before: 0, after: 5 },
  ];
  return {
    items: { before: 4, after: 7 },
    classifiers: [
      { key: 'x', name, options: [a, b] },
      { key: 'y', name, options: [a] },
    ],
    rolls: { bins, scale: 'steps', unit: 1 },
  };
}

const ours = ['action', 'kind', 'method', 'address', 'path'];

describe('the page of a plan', () => {
  test('has every change with its place, its values and its remedies', () => {
    const text = textOf(renderReviewPage([{ plan: everySection }]));
    for (const { address } of everySection.changes) expect(text).toContain(address);
    for (const each of [
      'https://game.example/api , team team_7',
      'catalog/items/weapons.yaml:120',
      'Rare × 0.25 Rare × 0.5',
      '3 – 7 4 – 8.5',
      'main-hand main-hand, off-hand',
      'attributes. speed 1 – 1 (none)',
      'sent before, not stored',
      'restore the option',
      'if it does not: trove resolve item.lost --not-created',
      'Stays live in the service, ID 6f837093-d6e4-5dc5-ab9b-649548449282',
      'a-new-key-of-some-length item.a-new-key-of-some-length address item.an-old-key-of-some-length item.a-new',
      'Limited to classifier.tier, item.again',
    ])
      expect(text).toContain(each);
  });

  test('marks only the difference between before and after', () => {
    const values: readonly (readonly [unknown, unknown])[] = [
      ['Iron Sword of Dawn', 'Iron Shield of Dawn'],
      ['Sword', 'Sword of Dawn'],
      ['a a', 'a a a'],
      ['חרב ברזל', 'חרב פלדה'],
      [['head', 'feet'], ['feet']],
      [
        { min: 3, max: 7 },
        { min: 3, max: 8 },
      ],
      [40, 40],
    ];
    const fields = values.map(([before, after]) => ({ path: 'x', before, after }));
    const body = renderReviewPage([{ plan: planOf([change('a', 'update', { fields })]) }]);
    const rows = [...body.matchAll(/<th scope="row">x.*?<td>(.*?)<td>(.*?)(?=<tr>)/g)];
    const plain = (cell = '') => cell.replace(/<\/?bdi>/g, '');
    expect(rows.map(([, before, after]) => [plain(before), plain(after)])).toEqual([
      ['Iron <del>Sword</del> of Dawn', 'Iron <ins>Shield</ins> of Dawn'],
      ['Sword', 'Sword<ins> of Dawn</ins>'],
      ['a a', 'a a<ins> a</ins>'],
      ['<del>חרב ברזל</del>', '<ins>חרב פלדה</ins>'],
      ['<del>head</del>, feet', 'feet'],
      ['3 – <del>7</del>', '3 – <ins>8</ins>'],
      ['40', '40'],
    ]);
  });

  test('has the date, the commit and a short catalog digest in its head', () => {
    const plan = { ...everySection, catalog: { digest: `sha256:${'0123456789abcdef'.repeat(4)}` } };
    const at = new Date('2026-03-02T08:15:30Z');
    const headOf = (commit?: string) =>
      textOf(renderReviewPage([{ plan }], [], { at, commit })).slice(0, 200);
    expect(headOf('f'.repeat(40))).toContain(
      'Planned 2026-03-02 08:15 UTC · commit ffffffffffff · catalog 0123456789ab',
    );
    expect(headOf(`${'f'.repeat(40)}-dirty`)).toContain('commit ffffffffffff with uncommitted changes ·');
    expect(headOf()).toContain('UTC · catalog 0123456789ab');
    expect(textOf(renderReviewPage([{ plan }]))).not.toContain('Planned');
  });

  test('has the reason for a refusal on top, and the place of each problem', () => {
    const location = { source: new SourceText('a.yaml', 'x\ny'), start: 2, end: 3 };
    const problem = explained('limit', 'too many', { hint: 'raise `maxCreates`', location });
    const guard = { ...limitExceeded, reason: 'too many', remedies: ['raise it'], override: null } as const;
    const text = textOf(renderReviewPage([{ plan: { ...everySection, guards: [guard] } }]));
    expect(text).toContain('Apply refuses this plan too many [limit-exceeded] raise it');
    expect(text.indexOf('Apply refuses')).toBeLessThan(text.indexOf('Not possible as written'));
    const failed = renderReviewPage([], [{ environment: 'x', problems: [problem] }]);
    expect(textOf(failed)).toContain('too many a.yaml:2');
  });

  test('escapes characters that reverse text, even in titles and field paths', () => {
    const path = 'attributes.\u202eevil';
    const plan = planOf([
      change('a', 'update', { fields: [{ path, before: 1, after: 2 }] }),
      change('b', 'create', { remoteId: null, fields: [{ path, before: null, after: 2 }] }),
    ]);
    expect(renderReviewPage([{ plan: { ...plan, environment: 'x\u202ey' } }])).not.toContain('\u202e');
  });

  test('has no pictures without counts', () => {
    expect(renderReviewPage([{ plan: everySection }])).not.toMatch(/<svg|pictures"/);
    expect(renderReviewPage([{ plan: planOf([]), distribution: distributionWith('x') }])).not.toContain(
      '<svg',
    );
    const drawn = renderReviewPage([{ plan: everySection, distribution: distributionWith('x') }]);
    expect(textOf(drawn)).toContain('4 items in all before, 7 after.');
    expect(textOf(drawn)).toContain('0 1 1–1\u202f000 4 → 2 1\u202f001–2\u202f000 0 → 5');
    expect(textOf(drawn)).toContain('1 classifier with unchanged counts');
  });

  test('has a policy that allows only its own style and script', () => {
    const body = renderReviewPage([{ plan: everySection }]);
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(body) ?? [];
    const digest = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(body) ?? [];
    expect(unescaped(policy).split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${digest(script)}`,
      `style-src ${digest(style)}`,
      "img-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
    ]);
    expect(body).not.toMatch(/ style=| on\w+=|<img|<link|@import|url\(/);
  });

  test('has the same elements and attributes with hostile texts', () => {
    const page = (text: string) =>
      renderReviewPage([{ plan: withText(everySection, text, ours), distribution: distributionWith(text) }]);
    const harmless = elements(page('harmless'));
    fc.assert(
      fc.property(hostile, (text) => {
        expect(elements(page(text))).toEqual(harmless);
      }),
    );
  });

  test('links a thumbnail only if it is a web address', () => {
    const page = (after: string) => {
      const fields = [{ path: 'thumbnail', before: null, after }];
      return renderReviewPage([{ plan: planOf([change('a', 'update', { fields })]) }]);
    };
    expect(page('https://cdn.example/a.png')).toContain('href="https://cdn.example/a.png"');
    expect(page('javascript:alert(1)')).not.toContain('href="javascript');
    expect(page('data:text/html,x')).not.toContain('href="data');
  });
});

/** Names of elements with those of their attributes, without what only shows or isolates texts. */
function elements(body: string): readonly string[] {
  const tags = body.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '').match(/<\/?[a-z][^>]*>/gi) ?? [];
  return tags
    .map((tag) => tag.replace(/="[^"]*"/g, '='))
    .filter((tag) => !/^<\/?(?:bdi|code|span class=|span|i class=|i|\/i)\b/.test(tag));
}
