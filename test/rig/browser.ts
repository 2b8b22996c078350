import { accessSync } from 'node:fs';
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
export async function openPage(
  browser: Browser,
  service: RunningService,
  options: OpenOptions = {},
): Promise<Page> {
  const { path = '/', ...contextOptions } = options;
  const httpCredentials = { username: 'designer', password: 'correct horse' };
  const context = await browser.newContext({ httpCredentials, ...contextOptions });
  const complaints = watch(context, new URL(service.url).origin);
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  const page = await context.newPage();
  await page.goto(new URL(path, service.url).href);
  return page;
}

function watch(context: BrowserContext, origin: string): readonly string[] {
  const complaints: string[] = [];
  // Chromium reports breaches of a policy on the console.
  context.on('console', (message) => complaints.push(`console: ${message.text()}`));
  context.on('weberror', (error) => complaints.push(`error: ${error.error().message}`));
  context.on('request', (request) => {
    const { origin: asked, pathname } = new URL(request.url());
    const isPage = request.resourceType() === 'document' && asked === origin && pathname === '/';
    if (!isPage) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Default `/`. */
  readonly path?: string;
}
