import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/service/server.ts';
import { faintTexts, hasChromium, launchChromium, luminanceOfGround, openPage } from '../rig/browser.ts';
import { call, testService, world } from '../rig/embedded-service.ts';
import { plain } from './client.ts';

const hostileNames = [
  '<script>alert(1)</script>',
  '"><img src=//evil.example/x>',
  'a\u202eb',
  '🗡'.repeat(191),
];
const phone = { viewport: { width: 390, height: 844 } };

const name = hasChromium()
  ? 'the page in Chromium'
  : 'the page in Chromium: SKIPPED, there is no /usr/bin/chromium (on Debian: apt-get install chromium)';

describe.skipIf(!hasChromium())(name, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test('filters every list and updates its count on typing', async () => {
    const page = await openPage(browser, await smallCatalog());
    await page.keyboard.press('/');
    await page.keyboard.type('SWORD rare');
    expect(await page.locator('#q').inputValue()).toBe('SWORD rare');
    expect(await shown(page, '#items [data-row]')).toEqual([expect.stringContaining('Iron Sword')]);
    expect(await page.locator('#status').textContent()).toBe('1 of 7 items');
    expect(await page.locator('#items [data-count]').textContent()).toBe('1 of 7');
    expect(await page.locator('#classifiers [data-count]').textContent()).toBe('0 of 1');
    expect(await shown(page, '#classifiers [data-none]')).toEqual(['Nothing here matches the filter.']);
    await page.keyboard.press('Escape');
    expect(await page.locator('#items [data-row]:visible').count()).toBe(7);
    expect(await page.locator('#status').textContent()).toBe('7 items');
    expect(await shown(page, '[data-none]')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });

  test('ignores a slash that belongs to a shortcut or to the text', async () => {
    const page = await openPage(browser, await smallCatalog(), phone);
    const before = await page.locator('#classifiers').boundingBox();
    await page.keyboard.press('Control+/');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.locator('#q').focus();
    await page.keyboard.type('cdn/');
    expect(await page.locator('#q').inputValue()).toBe('cdn/');
    // Filtering moves nothing above the lists.
    expect(await page.locator('#classifiers').boundingBox()).toMatchObject({ x: before?.x, y: before?.y });
  });

  test('searches on the server with Enter, and leaves the search with Escape', async () => {
    const service = await smallCatalog();
    await manyItems(service, 150);
    const page = await openPage(browser, service);
    await page.keyboard.press('/');
    await page.keyboard.type('item no149');
    expect(await page.locator('#status').textContent()).toBe(
      '0 of 100 items on this page. Enter searches all 157.',
    );
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=item+no149');
    expect(await page.locator('#status').textContent()).toBe('1 of 157 items match.');
    expect(await shown(page, '#items [data-row]')).toEqual([expect.stringContaining('Item no149')]);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.waitForURL(new URL('/', service.url).href);
    expect(await page.locator('#status').textContent()).toBe('157 items');
  });

  test('can be read, searched and paged without JavaScript', async () => {
    const service = await smallCatalog();
    await manyItems(service, 150);
    const page = await openPage(browser, service, { javaScriptEnabled: false });
    expect(await page.locator('#items tbody tr').count()).toBe(100);
    expect(await page.locator('#hint').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/?page=2#items');
    expect(await page.locator('#items tbody tr').count()).toBe(57);
    await page.getByRole('searchbox').fill('sword');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/?q=sword');
    expect(await page.locator('#items tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.waitForURL(new URL('/', service.url).href);
    expect(await page.locator('#items tbody tr').count()).toBe(100);
  });

  test('sorts items by a heading with the keyboard, on a phone and without JavaScript', async () => {
    const service = await smallCatalog();
    await manyItems(service, 120);
    for (const options of [{}, { javaScriptEnabled: false, ...phone }]) {
      const page = await openPage(browser, service, options);
      const item = page.getByRole('columnheader', { name: 'Item' });
      expect(await item.getAttribute('aria-sort')).toBe('ascending');
      await item.getByRole('link').press('Enter');
      await page.waitForURL('**/?sort=-name#items');
      expect(await item.getAttribute('aria-sort')).toBe('descending');
      expect((await shown(page, '#items .name'))[0]).toBe('🗡'.repeat(191));
      await page.getByRole('columnheader', { name: 'Roll' }).getByRole('link').click();
      await page.waitForURL('**/?sort=roll#items');
    }
  });

  test('aligns the decimal points of multipliers and the tracks of bars', async () => {
    const service = await testService({ world });
    for (const multipliers of [
      [1, 0.25, 12.5],
      [0.015, 2],
    ]) {
      const classifierOptions = multipliers.map((each) => ({ name: `x${each}`, dropRateMultiplier: each }));
      await call(service, 'POST', '/classifiers', { name: 'Rarity', classifierOptions });
    }
    const page = await openPage(browser, service);
    const points = `[...document.querySelectorAll('.options')].map((table) => [...new Set(
      [...table.querySelectorAll('.number')].map(({ firstChild: text }) => {
        const range = document.createRange();
        const { length } = /^\\d+/.exec(text.data)[0];
        range.setStart(text, 0);
        range.setEnd(text, length);
        return Math.round(range.getBoundingClientRect().right);
      }))].length)`;
    expect(await page.evaluate(points)).toEqual([1, 1]);
    const tracks = `new Set([...document.querySelectorAll('.bar')].map((each) => Math.round(each.getBoundingClientRect().width))).size`;
    expect(await page.evaluate(tracks)).toBe(1);
  });

  test('shows hostile names as text', async () => {
    const page = await openPage(browser, await smallCatalog());
    const names = await page.locator('#items .name bdi').allTextContents();
    const expected = hostileNames.map((each) => each.replace('\u202e', 'U+202E'));
    expect(names).toEqual(expect.arrayContaining(expected));
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
  });

  test.each([1280, 768, 390, 320])('has nothing wider than the window at %i pixels', async (width) => {
    const page = await openPage(browser, await smallCatalog(), { viewport: { width, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const wider = `[...document.querySelectorAll('body *')].filter((each) => !each.closest('.unseen, .skip, thead')
      && each.getBoundingClientRect().right > innerWidth + 0.5).map((each) => each.outerHTML.slice(0, 100))`;
    expect(await page.evaluate(wider)).toEqual([]);
  });

  test('lets the keyboard reach everything, with a visible focus', async () => {
    const page = await openPage(browser, await smallCatalog());
    const stops: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate('document.activeElement.textContent.trim() || document.activeElement.id'),
      );
      const style = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(style).toBe('solid');
    }
    const sections = ['Classifiers', 'Spaces', 'Attributes', 'Items'];
    expect(stops).toEqual(['Skip to the items', ...sections, 'q', 'Search', 'Ids']);
  });

  test.each(['light', 'dark'] as const)(
    'has a text contrast of at least 4.5 in %s mode',
    async (colorScheme) => {
      for (const viewport of [{ width: 1280, height: 800 }, phone.viewport]) {
        const page = await openPage(browser, await smallCatalog(), { colorScheme, viewport });
        const ground = (await page.evaluate(luminanceOfGround)) as number;
        expect(ground > 0.5).toBe(colorScheme === 'light');
        expect(await page.evaluate(faintTexts)).toEqual([]);
      }
    },
  );

  test('has landmarks, a table and headings for a screen reader, even on a phone', async () => {
    const page = await openPage(browser, await smallCatalog(), phone);
    for (const role of ['banner', 'main', 'search', 'contentinfo'] as const) {
      expect(await page.getByRole(role).count(), role).toBe(1);
    }
    const table = page.getByRole('table', { name: 'Items with their assignments and attribute ranges' });
    expect(await table.getByRole('row').count()).toBe(8);
    expect(await table.getByRole('rowheader').count()).toBe(7);
    expect(await page.getByRole('img', { name: 'A grid of 8 columns and 5 rows' }).count()).toBe(1);
    expect(await page.getByLabel('Filter by name, id, option or attribute').count()).toBe(1);
  });
});

async function smallCatalog(): Promise<RunningService> {
  const service = await testService({ world });
  const options = [{ name: 'Rare', dropRateMultiplier: 0.25 }];
  await call(service, 'POST', '/classifiers', { name: 'Rarity', classifierOptions: options });
  const itemAttributes = [{ attributeId: 'x'.repeat(100), min: -1e-7, max: 1.7976931348623157e308 }];
  const thumbnail = `https://cdn.example/${'x'.repeat(150)}.png`;
  for (const each of ['Iron Sword', 'Élixir', 'צמיד של ענבר', ...hostileNames]) {
    const classifierOptionIds = each === 'Iron Sword' ? ['id_2'] : [];
    await call(service, 'POST', '/items', {
      ...plain,
      name: each,
      classifierOptionIds,
      itemAttributes,
      thumbnail,
    });
  }
  return service;
}

async function manyItems(service: RunningService, count: number): Promise<void> {
  const create = (index: number) =>
    call(service, 'POST', '/items', { ...plain, name: `Item no${String(index).padStart(3, '0')}` });
  await Promise.all(Array.from({ length: count }, (_, index) => create(index)));
}

/** The texts of the elements that can be seen. */
async function shown(page: Page, selector: string): Promise<readonly string[]> {
  return page.locator(`${selector}:visible`).allTextContents();
}
