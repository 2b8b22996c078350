import { expect, test } from 'vitest';
import { addItems, pageApp, smallCatalog } from '../rig/page-app.ts';
import { itemIds, linksOf, textOf, unescaped } from '../rig/read-page.ts';

test('a search finds every item that has all its words in any text', async () => {
  const app = await smallCatalog();
  for (const [text, ...found] of [
    ['iron', 'sword'],
    ['SWORD iron', 'sword'],
    ['rare', 'sword'],
    ['rarity damage', 'sword'],
    ['cdn.example', 'sword'],
    ['éLIXIR', 'elixir'],
    ['e\u0301lixir', 'elixir'],
    ['swordcdn'],
    ['%'],
    ['_'],
    ['potion'],
    ['  ', 'sword', 'elixir'],
  ] as const) {
    const body = await app.read(`/?q=${encodeURIComponent(text)}`);
    expect([text, ...itemIds(body)]).toEqual([text, ...found]);
    expect(unescaped(/<input [^>]*value="([^"]*)"/.exec(body)?.[1] ?? '')).toBe(text.trim());
    if (text.trim() !== '') expect(textOf(body)).toContain(`${found.length} of 2 items match.`);
  }
});

test('a search narrows the other lists too', async () => {
  const text = textOf(await (await smallCatalog()).read('/?q=rare'));
  expect(text).toContain('Classifiers 1');
  expect(text).toContain('Spaces 0 of 1 Nothing here matches the filter.');
  expect(text).toContain('Attributes 0 of 1 Nothing here matches the filter.');
});

test('each page has a hundred items by name, and links keep the search', async () => {
  const app = await pageApp();
  await addItems(app, 250);
  const pages = await Promise.all([1, 2, 3].map((page) => app.read(`/?page=${page}`)));
  const ids = pages.map(itemIds);
  expect(ids.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(ids.flat()).toEqual(Array.from({ length: 250 }, (_, index) => `item-${index}`));
  expect(linksOf(pages[1] ?? '')).toEqual([
    ['First', '/?page=1#items'],
    ['Previous', '/?page=1#items'],
    ['Next', '/?page=3#items'],
    ['Last', '/?page=3#items'],
  ]);
  expect(linksOf(await app.read('/?q=%22item+0%22%26'))).toEqual([]);
  expect(linksOf(await app.read('/?q=item+0'))).toContainEqual(['Next', '/?q=item+0&page=2#items']);
  expect(itemIds(await app.read('/?q=item+0&page=3'))).toHaveLength(50);
  for (const asked of ['0', '-1', '2.5', '1e1', 'x', '', '99999999999999999999'])
    expect(textOf(await app.read(`/?page=${asked}`))).toContain('Page 1 of 3');
  expect(textOf(await app.read('/?page=99'))).toContain('Page 3 of 3');
});

test('items sort by name, roll and time over all pages, and links keep the order', async () => {
  const app = await pageApp();
  await addItems(app, 150);
  const first = async (query: string) => itemIds(await app.read(`/?${query}`))[0];
  expect(await first('sort=-roll')).toBe('item-149');
  expect(await first('sort=-name')).toBe('item-149');
  expect(await first('sort=roll&page=2')).toBe('item-100');
  expect(await first('sort=-roll&q=item+0001')).toBe('item-19');
  for (const unknown of ['x', '', '-', '-toString', 'Roll'])
    expect(await first(`sort=${unknown}`)).toBe('item-0');
  const body = await app.read('/?sort=-roll&q=item');
  const headings = [
    ...body.matchAll(/<th scope="col" role="columnheader" class="[^"]*"([^>]*)>(?:<a href="([^"]*)")?/g),
  ];
  expect(headings.map(([, state, link]) => [state, unescaped(link ?? '')])).toEqual([
    ['', '/?q=item#items'],
    [' aria-sort="descending"', '/?q=item&sort=roll#items'],
    ['', ''],
    ['', ''],
    ['', '/?q=item&sort=written#items'],
  ]);
  expect(linksOf(body)).toContainEqual(['Next', '/?q=item&sort=-roll&page=2#items']);
  expect(body).toContain('<input type="hidden" name="sort" value="-roll">');
  expect(body).toContain('<a id="clear" href="/?sort=-roll#items">');
});

test('sorting by time uses the last update of an item', async () => {
  const app = await smallCatalog();
  const elixir = app.store.items.find('team_7', 'elixir');
  if (!elixir) throw new Error('no elixir');
  app.store.items.put({ ...elixir, optionIds: [], attributes: [], updatedAt: '2026-03-03T08:00:00.000Z' });
  expect(itemIds(await app.read('/?sort=-written'))).toEqual(['elixir', 'sword']);
  expect(itemIds(await app.read('/?sort=written'))).toEqual(['sword', 'elixir']);
});

test('ten thousand items have a hundred pages of bounded size, and each can be found', async () => {
  const app = await pageApp();
  await addItems(app, 10_000);
  const body = await app.read('/');
  expect(body.length).toBeLessThan(150_000);
  expect(textOf(body)).toContain('Page 1 of 100');
  expect(itemIds(await app.read('/?q=item-9999'))).toEqual(['item-9999']);
  expect(itemIds(await app.read('/?page=100')).at(-1)).toBe('item-9999');
});
