import { expect, test } from 'vitest';
import type { Inventory } from '../../src/service/page/inventory.ts';
import { page } from '../../src/service/page/page.ts';
import fc from '../rig/property.ts';
import { unescaped } from '../rig/read-page.ts';

const hostile = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '&lt;b&gt;&amp;#60;',
    '<!-- ',
    ']]>',
    '$& $1',
    '\u202etxt.exe',
    '\u2066\u2069\u200f',
    '\u0001\u001b[31m',
    '🗡️'.repeat(95),
    '👩‍👩‍👧‍👦'.repeat(10),
    'Z\u0351\u036b\u0343',
    ' ',
  ),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/[\p{Surrogate}\0]/u.test(text)),
);

test('a page has the same elements and attributes for all values, and shows every value', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: places, maxLength: places }), (values) => {
      const body = page(inventoryOf(values));
      expect(skeleton(body)).toEqual(skeleton(page(inventoryOf(values.map(() => 'harmless')))));
      const said = shownTexts(body);
      expect(values.filter((value) => !said.has(value))).toEqual([]);
    }),
  );
});

/** Texts that `inventoryOf` has room for. */
const places = 17;

/** One record of each kind, with a given text in every place that holds one. */
function inventoryOf(texts: readonly string[]): Inventory {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = '', ...rest] = texts;
  const [k = '', l = '', m = '', n = '', o = '', p = '', q = ''] = rest;
  const option = { id: 'o', name: c, dropRateMultiplier: 1, classifierId: b };
  const dates = { createdAt: h, updatedAt: i };
  const classifier = {
    id: b,
    name: a,
    teamId: 't',
    createdAt: d,
    updatedAt: null,
    classifierOptions: [option],
  };
  const item = {
    ...{ ...dates, id: e, name: f, thumbnail: `no link: ${g}`, rollNumerator: 1, teamId: 't' },
    classifiers: [{ classifierId: 'unknown', classifierOption: option }],
    attributes: [{ id: 'r', itemId: e, attributeId: 'x', min: 1, max: 2 }],
  };
  const one = <Row>(row: Row) => ({ rows: [row], found: 1, total: 1, page: 1, pages: 1 });
  return {
    team: { id: j, name: k },
    username: l,
    takenAt: '2026-03-02T08:00:00.000Z',
    text: g,
    sort: { by: 'name', isDown: true },
    items: one(item),
    classifiers: one(classifier),
    attributes: one({ id: m, name: n }),
    spaces: one({ id: o, name: p, cols: 2, rows: 2, users: [q], teamId: 't', createdAt: '', updatedAt: '' }),
    classifierNames: new Map([['unknown', a]]),
    attributeNames: new Map([['x', n]]),
  };
}

/** Every tag with its attributes, but for the values of those that carry text. */
function skeleton(body: string): readonly string[] {
  const bare = body.replace(/<span class="code">U\+[0-9A-F]{4,6}<\/span>/g, '');
  return (bare.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/ value="[^"<>]*"/, ' value=""').replace(/(?<= href="\/\?q=)[\w%.*+-]*/, ''),
  );
}

/** The texts of all `<bdi>` elements, with the characters that are shown by number put back. */
function shownTexts(body: string): ReadonlySet<string> {
  const texts = [...body.matchAll(/<bdi[^>]*>([\s\S]*?)<\/bdi>/g)].map(([, inner = '']) =>
    unescaped(
      inner.replace(/<span class="code">U\+([0-9A-F]{4,6})<\/span>/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      ),
    ),
  );
  return new Set([...texts, ...texts.map((text) => text.replace('no link: ', ''))]);
}
