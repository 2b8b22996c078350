import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Distribution } from '../../src/plan/distribution.ts';
import type { ExplainedPlan } from '../../src/render/messages/explain-plan.ts';
import { renderReviewPage } from '../../src/render/review/review-page.ts';
import { error } from '../../src/text/diagnostic.ts';
import { SourceText } from '../../src/text/source.ts';
import { textOf, unescaped } from '../rig/read-page.ts';
import { change, everySection, limitExceeded, planOf } from './sample-plan.ts';

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
const blockedReason = 'no way: `options` (API section 4.4)';

function distributionWith(name: string): Distribution {
  const options = [
    { key: 'a', name, items: { before: 3, after: 3 } },
    { key: 'b', name, items: { before: 1, after: 4 } },
  ];
  const bins = [
    { from: 0, to: 1000, before: 4, after: 2 },
    { from: 1000, to: 2000, before: 0, after: 5 },
  ];
  return {
    items: { before: 4, after: 7 },
    classifiers: [
      { key: 'x', name, options },
      { key: 'y', name, options: options.slice(0, 1) },
    ],
    rolls: { bins, scale: 'steps' },
  };
}

/** A copy with every text of a catalog or a service replaced. */
function withText(text: string): ExplainedPlan {
  const ours = ['action', 'kind', 'method', 'address', 'path'];
  const replaced = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return ours.includes(key) ? value : text;
    if (Array.isArray(value)) return value.map((each) => replaced(each, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, name)]));
  };
  return replaced(everySection, '') as ExplainedPlan;
}

describe('the page of a plan', () => {
  test('has every change with its place, its values, and what else is to be known', () => {
    const text = textOf(renderReviewPage([{ plan: everySection }]));
    for (const { address } of everySection.changes) expect(text).toContain(address);
    for (const each of [
      'https://game.example/api , team team_7',
      'catalog/items/weapons.yaml:120',
      'Rare × 0.25 Rare × 0.5',
      '3 – 7 4 – 8.5',
      'main-hand main-hand, off-hand',
      'attributes. speed 1 – 1 (none)',
      'sent before, not taken',
      'put the option back as it was',
      'if it has not: trove resolve item.lost --not-created',
      'id 6f837093-d6e4-5dc5-ab9b-649548449282',
      'Only classifier.tier, item.again',
    ])
      expect(text).toContain(each);
  });

  test('what needs a person is on top, and a reason that several share is told once', () => {
    const remedies = (key: string) => ['put it back', `or: trove apply --replace item.${key}`];
    const blocked = (key: string) =>
      change(key, 'blocked', { reason: blockedReason, remedies: remedies(key) });
    const body = renderReviewPage([
      { plan: planOf([change('a', 'update'), blocked('b'), blocked('c'), change('d', 'unknown')]) },
    ]);
    const places = ['id="blocked"', 'id="unknown"', 'id="update"'].map((each) => body.indexOf(each));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(body.match(/section 4\.4/g)).toHaveLength(1);
    expect(body.match(/put it back/g)).toHaveLength(1);
    expect(body).toContain('<code><bdi>trove apply --replace item.b</bdi></code>');
    expect(body).toContain('<code><bdi>trove apply --replace item.c</bdi></code>');
  });

  test('a question about two of them is asked once, and begins with an address as it is written', () => {
    const reason = 'item.a is gone and item.b is new: is it the same?';
    const remedies = ['if it is, say so', 'if not: trove apply --confirm-new item.b'];
    const asked = (key: string) => change(key, 'blocked', { reason, remedies });
    const body = renderReviewPage([{ plan: planOf([asked('a'), asked('b')]) }]);
    expect(body.match(/is it the same/g)).toHaveLength(1);
    expect(body).toContain('<p class="reason as-is">');
  });

  test('why apply would refuse the plan is on top, and a problem has its place', () => {
    const location = { source: new SourceText('a.yaml', 'x\ny'), start: 2, end: 3 };
    const problem = error('limit', 'too many', { hint: 'raise `maxCreates`', location });
    const guard = {
      ...limitExceeded,
      reason: 'too many',
      remedies: ['raise it'],
      override: null,
    } as const;
    const text = textOf(renderReviewPage([{ plan: { ...everySection, guards: [guard] } }]));
    expect(text).toContain('Apply refuses this plan too many raise it');
    expect(text.indexOf('Apply refuses')).toBeLessThan(text.indexOf('Not possible as written'));
    const failed = renderReviewPage([], [{ environment: 'x', problems: [problem] }]);
    expect(textOf(failed)).toContain('too many a.yaml:2');
  });

  test('what is not declared any more has the name that was recorded', () => {
    const page = renderReviewPage([
      { plan: planOf([change('a', 'retire', { name: 'Oak Bow', source: null })]) },
    ]);
    expect(textOf(page)).toContain('Oak Bow item.a id id-of-a');
  });

  test('nothing that turns text around is left, not in a title and not in the path of a field', () => {
    const path = 'attributes.\u202eevil';
    const plan = planOf([
      change('a', 'update', { fields: [{ path, before: 1, after: 2 }] }),
      change('b', 'create', { remoteId: null, fields: [{ path, before: null, after: 2 }] }),
    ]);
    expect(renderReviewPage([{ plan: { ...plan, environment: 'x\u202ey' } }])).not.toContain('\u202e');
  });

  test('without counts it has no pictures and says nothing of them', () => {
    expect(renderReviewPage([{ plan: everySection }])).not.toMatch(/<svg|pictures"/);
    expect(renderReviewPage([{ plan: planOf([]), distribution: distributionWith('x') }])).not.toContain(
      '<svg',
    );
    const drawn = renderReviewPage([{ plan: everySection, distribution: distributionWith('x') }]);
    expect(textOf(drawn)).toContain('4 items in all before, 7 after.');
    expect(textOf(drawn)).toContain('0 – 1\u202f000 4 → 2');
    expect(textOf(drawn)).toContain('1 classifier in which no count changes');
  });

  test('one of a thing has no plural, with the script and without', () => {
    const { classifiers, ...counts } = distributionWith('x');
    const [first] = classifiers[0]?.options ?? [];
    if (!first) throw new Error('There are options.');
    const options = Array.from({ length: 61 }, (_, at) => ({ ...first, key: `o${at}` }));
    const text = (items: Distribution['items']) => {
      const distribution = { ...counts, items, classifiers: [{ key: 'x', name: 'x', options }] };
      return textOf(renderReviewPage([{ plan: planOf([change('a', 'update')]), distribution }]));
    };
    expect(text({ before: 1, after: 1 })).toContain('1 item in all.');
    expect(text({ before: 1, after: 2 })).toContain('1 item in all before, 2 after.');
    expect(text({ before: 1, after: 1 })).toContain('… and 1 more option.');
    expect(text({ before: 1, after: 1 })).toContain(' 1 change ');
  });

  test('its policy names its own style and script, and allows nothing else', () => {
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

  test('hostile texts change no element and no attribute but addresses of links', () => {
    const page = (text: string) =>
      renderReviewPage([{ plan: withText(text), distribution: distributionWith(text) }]);
    const harmless = elements(page('harmless'));
    fc.assert(
      fc.property(hostile, (text) => {
        expect(elements(page(text))).toEqual(harmless);
      }),
    );
  });

  test('a thumbnail is a link where it is a web address, and text otherwise', () => {
    const page = (thumbnail: string) =>
      renderReviewPage([
        {
          plan: planOf([
            change('a', 'update', { fields: [{ path: 'thumbnail', before: null, after: thumbnail }] }),
          ]),
        },
      ]);
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
