import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { basic, designer, rival, world } from '../rig/embedded-service.ts';
import { pageApp, smallCatalog } from '../rig/page-app.ts';
import { textOf, unescaped } from '../rig/read-page.ts';
import { plain, range } from './client.ts';

const designerHeaders = { authorization: designer };

describe('the page', () => {
  test("shows classifiers, spaces, attributes and items of the caller's team", async () => {
    const text = textOf(await (await smallCatalog()).read('/'));
    expect(text).toContain('Armourers');
    expect(text).toMatch(/Classifiers 1 .* Rarity .*Common 1 \.00 Rare 0\.25/);
    expect(text).toMatch(/Spaces 1 Armoury 8 columns × 5 rows · 40 cells Id space_1 Linked to designer/);
    expect(text).toMatch(/Attributes 1 Damage attr_1/);
    expect(text).toMatch(
      /Items 2 .*Written Iron Sword sword https:\/\/cdn\.example\/sword\.png 40 Rarity Rare/,
    );
    expect(text).toContain(
      'Rare Damage 3 to 7.5 Created 2026-03-02 08:00 Élixir elixir 40 none none Created',
    );
    expect(text).toContain('Read from the database at 2026-03-02 08:00 for designer');
  });

  test('shows nothing of another team', async () => {
    const app = await smallCatalog();
    const others = ['Iron Sword', 'Rarity', 'Armour', 'space_1', 'attr_1', 'designer', 'team_7'];
    const ours = ['Healing Potion', 'Potency', 'attr_2', 'Alchemists', 'rival', 'team_8'];
    for (const path of ['/', '/?q=o', '/?q=team', '/?page=2']) {
      const forRival = await app.read(path, rival);
      expect(others.filter((each) => forRival.includes(each))).toEqual([]);
      expect(ours.filter((each) => forRival.includes(each)).length).toBeGreaterThan(2);
      const forDesigner = await app.read(path);
      expect(ours.filter((each) => forDesigner.includes(each))).toEqual([]);
    }
  });

  test('explains to a team without records what there could be', async () => {
    const text = textOf(await (await pageApp({ ...world, spaces: [] })).read('/'));
    expect(text).toContain('No classifiers yet.');
    expect(text).toContain('No items yet.');
    expect(text).toContain('The world file gives this team no spaces.');
    expect(text).toContain('so any attribute id is taken.');
  });

  test.each([
    [8, 5, 11],
    [1, 1, 0],
    [64, 64, 126],
    [65, 1, undefined],
    [0, 5, undefined],
    [-3, 5, undefined],
    [2.5, 5, undefined],
    [1e300, 1e300, undefined],
  ])('draws a space of %d × %d with its lines if it is a grid', async (cols, rows, lines) => {
    const space = { id: 's', name: 's', cols, rows, teamId: 'team_7', users: [] };
    const page = await (await pageApp({ ...world, spaces: [space] })).read('/');
    const [, card = ''] = page.split('<li class="card space"');
    expect(/ d="([^"]*)"/.exec(card)?.[1]?.split('M').slice(1).length).toBe(lines);
    expect(textOf(card)).toContain(`${cols} column`);
  });

  test('aligns the decimal points of multipliers, and bars have one scale', async () => {
    const app = await pageApp();
    for (const multipliers of [[1, 0.25, 12.5], [25]]) {
      const options = multipliers.map((each) => ({ name: 'o', dropRateMultiplier: each }));
      await app.create('/classifiers', { name: 'R', classifierOptions: options });
    }
    const body = await app.read('/');
    const cells = [...body.matchAll(/<td><span class="number">(.*?)<\/td>/g)];
    const unseen = /<\/span><span class="filling" aria-hidden="true">(.*?)<\/span>/;
    expect(cells.map(([, cell]) => cell?.replace(unseen, ' $1').replace('</span>', ''))).toEqual([
      '1 .00',
      '0.25',
      '12.5 0',
      '25',
    ]);
    const bars = [...body.matchAll(/class="bar-part" width="(.*?)"/g)].map(([, width]) => Number(width));
    expect(bars).toEqual([4, 1, 50, 100]);
    expect(textOf(body)).toContain('All bars have one scale, up to 25 .');
  });

  test('links a thumbnail if it is a web address, and shows no image', async () => {
    const app = await pageApp();
    const cases = [
      ['https://cdn.example/a b.png', 'https://cdn.example/a%20b.png'],
      ['HTTP://cdn.example/"onclick="x', 'http://cdn.example/%22onclick=%22x'],
      ['javascript:alert(1)'],
      [' java\nscript:alert(1)'],
      ['data:text/html,<script>alert(1)</script>'],
      ['data:image/png;base64,AAAA'],
      ['//cdn.example/a.png'],
      [''],
    ] as const;
    for (const [index, [thumbnail]] of cases.entries())
      await app.create('/items', { ...plain, name: `Sword ${index}`, thumbnail });
    const body = await app.read('/');
    const links = body.matchAll(/<a class="thumbnail" href="([^"]*)" rel="noopener noreferrer nofollow">/g);
    expect([...links].map(([, href = '']) => unescaped(href))).toEqual(
      cases.flatMap(([, href]) => href ?? []),
    );
    expect(body).not.toMatch(/<img|<picture|<image|srcset/i);
  });

  test('cuts very long lists and texts, and shows how much is left out', async () => {
    const app = await pageApp();
    const options = (name: string, count: number) => Array(count).fill({ name, dropRateMultiplier: 1 });
    await app.create('/classifiers', { name: 'R', classifierOptions: options('x'.repeat(10_000), 80) });
    await app.create('/classifiers', { name: 'S', classifierOptions: options('o', 301) });
    const itemAttributes = Array.from({ length: 61 }, (_, index) => range(`a${index}`, 1, 2));
    await app.create('/items', { ...plain, name: 'I', itemAttributes });
    const text = textOf(await app.read('/'));
    expect(text).toContain(`${'x'.repeat(400)} … and 9\u202f600 more`);
    expect(text).not.toContain('x'.repeat(401));
    expect(text).toContain('… and 1 more options.');
    expect(text).toContain('… and 1 more Created');
  });
});

describe('the response with the page', () => {
  test('has a policy that allows only this style and this script', async () => {
    const app = await pageApp();
    const response = await app.request('/');
    const body = await response.text();
    const digest = (tag: string) => {
      const text = body.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src ${digest('script')}; style-src ${digest('style')}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(body.match(/<(script|style)/g)).toHaveLength(2);
    expect(body).not.toMatch(/ (style|on\w+)=/);
  });

  test('has the same headers without a body for HEAD', async () => {
    const app = await pageApp();
    const get = await app.request('/');
    const head = await app.request('/', { method: 'HEAD', headers: designerHeaders });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect([...head.headers]).toEqual([...get.headers]);
  });

  test('is read-only, and only at its path', async () => {
    const app = await pageApp();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await app.request('/', { method, headers: designerHeaders });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    for (const path of ['/index.html', '//', '/favicon.ico', '/robots.txt', '/items'])
      expect((await app.request(path)).status).toBe(404);
    expect((await app.request('/?q')).status).toBe(200);
  });

  test.each([
    ['no', {}],
    ['wrong', { authorization: basic('designer', 'wrong') }],
    ['unreadable', { authorization: 'Basic *' }],
  ])('to %s credentials is the same as at every other path', async (_, headers) => {
    const app = await pageApp();
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const [here, there] = await Promise.all(
        ['/', '/api/items'].map((path) => app.request(path, { method, headers })),
      );
      expect(here?.status).toBe(401);
      expect([...(here?.headers ?? [])]).toEqual([...(there?.headers ?? [])]);
      expect(await here?.text()).toBe(await there?.text());
    }
  });
});
