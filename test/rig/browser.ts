import { accessSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { RunningService } from '../../src/service/server.ts';

const executable = '/usr/bin/chromium';

/** Debian's package; where there is none the tests that need it are skipped. */
export function hasChromium(): boolean {
  try {
    accessSync(executable);
    return true;
  } catch {
    return false;
  }
}

export function launchChromium(): Promise<Browser> {
  const background = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run', ...background],
  });
}

/**
 * The page of a service, opened as `designer`. When the test ends, it fails if the page wrote to the console,
 * broke its own policy, or asked for anything but pages of the service.
 */
export function openPage(
  browser: Browser,
  service: RunningService,
  options: OpenOptions = {},
): Promise<Page> {
  const { path = '/', ...contextOptions } = options;
  const httpCredentials = { username: 'designer', password: 'correct horse' };
  const { origin } = new URL(service.url);
  const isPage = (asked: URL) => asked.origin === origin && asked.pathname === '/';
  return open(browser, new URL(path, service.url), isPage, { httpCredentials, ...contextOptions });
}

/** A page in a file, watched likewise: it may ask for itself and nothing else. */
export function openFile(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const file = pathToFileURL(path);
  return open(browser, file, ({ href }) => href.split('#')[0] === file.href, options);
}

async function open(
  browser: Browser,
  url: URL,
  isPage: (asked: URL) => boolean,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext(options);
  const complaints = watch(context, isPage);
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  const page = await context.newPage();
  await page.goto(url.href);
  return page;
}

function watch(context: BrowserContext, isPage: (asked: URL) => boolean): readonly string[] {
  const complaints: string[] = [];
  // Chromium reports breaches of a policy on the console.
  context.on('console', (message) => complaints.push(`console: ${message.text()}`));
  context.on('weberror', (error) => complaints.push(`error: ${error.error().message}`));
  context.on('request', (request) => {
    const allowed = request.resourceType() === 'document' && isPage(new URL(request.url()));
    if (!allowed) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Default `/`. */
  readonly path?: string;
}

/** As WCAG 2.2 defines it. Scripts as text: they run in the browser, whose types are not ours. */
const luminance = `const luminance = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};`;

/** Of the page itself, from 0 to 1. */
export const luminanceOfGround = `(() => { ${luminance} return luminance(getComputedStyle(document.body).backgroundColor); })()`;

/** Every visible text whose contrast is below 4.5, with its contrast. */
export const faintTexts = `(() => {
  ${luminance}
  const backgroundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? backgroundOf(element.parentElement) : backgroundColor;
  };
  const hasText = (element) => [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim() !== '');
  return [...document.querySelectorAll('body *')].filter(hasText).filter((each) => each.checkVisibility()).flatMap((each) => {
    const [text, ground] = [getComputedStyle(each).color, backgroundOf(each)].map(luminance);
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    return contrast < 4.5 ? [each.tagName + ' ' + each.textContent.trim().slice(0, 40) + ' ' + contrast.toFixed(2)] : [];
  });
})()`;
