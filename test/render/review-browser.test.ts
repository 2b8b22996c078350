import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Distribution } from '../../src/plan/distribution.ts';
import { renderReviewPage } from '../../src/render/review/review-page.ts';
import { faintTexts, hasChromium, launchChromium, luminanceOfGround, openFile } from '../rig/browser.ts';
import { change, everySection, planOf } from './sample-plan.ts';

const phone = { viewport: { width: 390, height: 844 } };
const items = { before: 2, after: 30 };
const counts: Distribution = {
  items,
  classifiers: [
    { key: 'rarity', name: 'Rarity', options: [{ key: 'rare', name: 'x'.repeat(191), items }] },
    { key: 'slot', name: 'Slot', options: [{ key: 'head', name: 'Head', items: { before: 4, after: 4 } }] },
  ],
  rolls: {
    scale: 'steps',
    unit: 1,
    bins: Array.from({ length: 16 }, (_, at) => {
      return { from: at * 1000, to: at * 1000 + 1000, before: at, after: 7 };
    }),
  },
};
const changes = '.changes tbody:not(.why):visible';
const hostile = '</script><img src=//evil.example/x onerror=alert(1)>';

const name = hasChromium()
  ? 'the page of a plan in Chromium'
  : 'the page of a plan in Chromium: SKIPPED, there is no /usr/bin/chromium (on Debian: apt-get install chromium)';

describe.skipIf(!hasChromium())(name, () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    [browser, folder] = await Promise.all([launchChromium(), mkdtemp(join(tmpdir(), 'trove-review-'))]);
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  async function show(plan = everySection, options: BrowserContextOptions = {}): Promise<Page> {
    return openReview(renderReviewPage([{ plan, distribution: counts }]), options);
  }

  async function openReview(body: string, options: BrowserContextOptions): Promise<Page> {
    const file = join(folder, 'plan.html');
    await writeFile(file, body);
    return openFile(browser, file, options);
  }

  const status = (page: Page) => page.locator('#status').textContent();
  const focused = (page: Page) =>
    page.evaluate(
      "document.activeElement.closest('tbody')?.querySelector('code').textContent ?? document.activeElement.id",
    );

  test('filters changes by text, kind and action, and updates every count', async () => {
    const page = await show();
    expect(await status(page)).toBe('13 changes');
    await page.keyboard.press('/');
    await page.keyboard.type('SWORD  weapons.yaml');
    expect(await status(page)).toBe('1 of 13 changes');
    expect(await page.locator('#pictures').isVisible()).toBe(false);
    expect(await page.locator('#update [data-count]').textContent()).toBe('1 of 2');
    expect(await page.locator('section[data-action]:visible').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await status(page)).toBe('13 changes');
    expect(await page.locator('#pictures').isVisible()).toBe(true);
    await page.locator('#kind').selectOption('classifier');
    expect(await page.locator('tbody:not(.why):visible summary code').allTextContents()).toContain(
      'classifier.tier',
    );
    expect(await status(page)).toBe('1 of 13 changes');
    await page.locator('#action').selectOption('update');
    expect(await status(page)).toBe('0 of 13 changes');
    expect(await page.locator('#none').isVisible()).toBe(true);
  });

  test('has the same counts in headings, links, filter and summaries', async () => {
    const rename = {
      moved: everySection.moved,
      protections: [{ address: 'item.bow', protect: true }],
    } as const;
    const [one, other] = ['one', 'other'].map((environment, at) => ({
      plan: planOf(everySection.changes.slice(at * 5), { ...rename, environment }),
      distribution: counts,
    }));
    const failed = [{ environment: 'broken', problems: [] }];
    const page = await openReview(
      renderReviewPage(
        [one, other].flatMap((each) => each ?? []),
        failed,
      ),
      {},
    );
    const numbers = async (selector: string) =>
      (await page.locator(selector).allTextContents()).map((text) => text.match(/\d+/g)?.map(Number) ?? []);
    const summaries = (await numbers('.environment .summary')).flat();
    const headings = (await numbers('[data-count]')).flat();
    expect(summaries.toSorted()).toEqual(headings.toSorted());
    expect((await numbers('nav .count')).flat()).toEqual(headings);
    const sum = headings.reduce((total, each) => total + each, 0);
    expect(await page.locator(changes).count()).toBe(sum);
    expect(await status(page)).toBe(`${sum} changes`);
    await page.locator('#environment').selectOption('other');
    await page.locator('#action').selectOption('update');
    const found = await page.locator(changes).count();
    expect(await status(page)).toBe(`${found} of ${sum} changes`);
    expect(await numbers('nav li:visible .count')).toEqual([[found]]);
    expect(await page.locator('.environment:visible h2').allTextContents()).toEqual(['other']);
  });

  test('opens a row with its other fields and place, even without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await show(everySection, { javaScriptEnabled, ...phone });
      const row = page.locator('#update tbody', { hasText: 'item.iron-sword' });
      const place = row.getByText('catalog/items/weapons.yaml:120');
      expect([await row.getByText('+ 5 more').isVisible(), await place.isVisible()]).toEqual([true, false]);
      await row.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect([await row.getByText('+ 5 more').isVisible(), await place.isVisible()]).toEqual([false, true]);
      expect(await row.getByRole('rowheader', { name: 'attributes.damage' }).isVisible()).toBe(true);
    }
  });

  test('labels each value as before or after on a phone', async () => {
    const page = await show(everySection, phone);
    const labels = `[...document.querySelectorAll('#update tr:first-child td')]
      .map((cell) => getComputedStyle(cell, '::before').content)`;
    expect(await page.evaluate(labels)).toEqual(['"Before"', '"After"', '"Before"', '"After"']);
  });

  test('opens all fields at once, or one row on a click', async () => {
    const page = await show();
    const places = page.locator('.place:visible');
    await page
      .locator('#update tbody', { hasText: 'item.iron-sword' })
      .getByText('Steel', { exact: true })
      .last()
      .click();
    expect(await places.count()).toBe(1);
    await page.getByLabel('All fields').check();
    expect(await places.count()).toBe(13);
  });

  test('moves the focus between changes with j and k', async () => {
    const page = await show();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('classifier.tier');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('item.lost');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('classifier.tier');
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('q');
    await page.keyboard.type('jk');
    expect(await page.locator('#q').inputValue()).toBe('jk');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('item.a-new-key-of-some-length');
    const isInSight = 'document.activeElement.getBoundingClientRect().bottom <= innerHeight';
    await expect.poll(() => page.evaluate(isInSight)).toBe(true);
    await page.keyboard.press('Control+k');
    expect(await focused(page)).toBe('item.a-new-key-of-some-length');
  });

  test('shows everything without JavaScript, and no control that needs it', async () => {
    const page = await show(everySection, { javaScriptEnabled: false });
    expect(await page.locator(changes).count()).toBe(13);
    expect(await page.getByRole('search').isVisible()).toBe(false);
    await page.getByText('1 classifier with unchanged counts').click();
    expect(await page.getByText('Head', { exact: true }).isVisible()).toBe(true);
  });

  test('shows hostile values as text and loads nothing', async () => {
    const fields = [
      { path: 'name', before: hostile, after: `${hostile}\u202e` },
      { path: 'thumbnail', before: null, after: 'https://cdn.example/x.png' },
      { path: 'classifiers.slot', before: [hostile], after: null },
    ];
    const blocked = change('a', 'blocked', { fields, reason: hostile, remedies: [hostile] });
    const page = await show(planOf([blocked]));
    expect(await page.locator('.changes summary').textContent()).toBe(`${hostile}U+202E item.a`);
    expect(await page.locator('img, .changes script').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.type(hostile);
    expect(await status(page)).toBe('1 change');
  });

  test('has a policy that blocks injected scripts and styles', async () => {
    const file = join(folder, 'slipped.html');
    const body = renderReviewPage([{ plan: everySection }]);
    const slip =
      '<script>document.title = "owned"</script><style>h1 { display: none }</style><p style="color: red" id="slip">';
    await writeFile(file, body.replace('<h1>', `${slip}<h1>`));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    expect(await page.title()).toBe('Trove: plan for staging');
    expect(await page.locator('h1').isVisible()).toBe(true);
    const color = await page.evaluate("getComputedStyle(document.getElementById('slip')).color");
    expect(color).not.toBe('rgb(255, 0, 0)');
    await context.close();
  });

  test.each([1280, 768, 390, 320])('has nothing wider than the window at %i pixels', async (width) => {
    const page = await show(everySection, { viewport: { width, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const wider = `[...document.querySelectorAll('body *')].filter((each) => !each.closest('.unseen, .skip, thead')
      && each.getBoundingClientRect().right > innerWidth + 0.5).map((each) => each.outerHTML.slice(0, 100))`;
    expect(await page.evaluate(wider)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'has a text contrast of at least 4.5 in %s mode',
    async (colorScheme) => {
      for (const viewport of [{ width: 1280, height: 800 }, phone.viewport]) {
        const page = await show(everySection, { colorScheme, viewport });
        expect(Number(await page.evaluate(luminanceOfGround)) > 0.5).toBe(colorScheme === 'light');
        expect(await page.evaluate(faintTexts)).toEqual([]);
      }
    },
  );

  test('prints everything open and without controls', async () => {
    const page = await show();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('search').isVisible()).toBe(false);
    expect(await page.locator(changes).count()).toBe(13);
    expect(await page.getByText('Head', { exact: true }).isVisible()).toBe(true);
  });

  test('has landmarks, headings and tables for a screen reader', async () => {
    const page = await show(everySection, phone);
    for (const role of ['banner', 'main', 'contentinfo', 'search'] as const)
      expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['staging']);
    expect(await page.getByRole('heading', { level: 2, name: 'Blocked' }).count()).toBe(1);
    expect(await page.getByRole('columnheader', { name: 'Before' }).count()).toBeGreaterThan(0);
    expect(await page.getByLabel('Filter by name, key, value or file').count()).toBe(1);
  });

  test('shows and filters 10,000 changes and reaches them by keyboard', async () => {
    const values = {
      name: 'Thing',
      rollNumerator: 40,
      thumbnail: 'https://cdn.example/items/thing.png',
      'classifiers.rarity': ['common'],
      'classifiers.slot': ['main-hand', 'off-hand'],
      'attributes.damage': { min: 3, max: 7 },
    };
    const fields = Object.entries(values).map(([path, after]) => ({ path, before: null, after }));
    const many = Array.from({ length: 10_000 }, (_, at) => {
      return change(`thing-${at}`, 'create', { remoteId: null, fields });
    });
    const body = renderReviewPage([{ plan: planOf(many) }]);
    expect(body.length).toBeLessThan(6e6);
    const page = await show(planOf(many));
    expect(await status(page)).toBe('10\u202f000 changes');
    const visibility = "getComputedStyle(document.querySelector('tbody.item')).contentVisibility";
    expect(await page.evaluate(visibility)).toBe('auto');
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(visibility)).toBe('visible');
    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('/');
    await page.keyboard.type('thing-9999');
    expect(await status(page)).toBe('1 of 10\u202f000 changes');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('item.thing-9999');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect(await page.locator('.changes tbody:not([hidden], .why)').count()).toBe(10_000);
  });
});
