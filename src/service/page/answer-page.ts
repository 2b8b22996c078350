import { digest } from '../../markup/digest.ts';
import type { Caller } from '../authenticator.ts';
import type { Store } from '../store/store.ts';
import { filterScript } from './filter-script.ts';
import { takeInventory } from './inventory.ts';
import { page } from './page.ts';
import { readPageQuery } from './search.ts';
import { style } from './style.ts';

/**
 * The page for people at `/`: what the caller's team has. It is no part of the interface, which can read nothing;
 * `?q=TEXT` narrows it and `?page=N` turns the pages of items (100 each).
 */
export function answerPage(url: string, { userId, teamId }: Caller, { store, now }: PageContext): Response {
  const query = readPageQuery(new URL(url).searchParams);
  const text = page(takeInventory(store, { teamId, userId, takenAt: now(), query }));
  return new Response(text, { headers });
}

/** Whatever slipped into the page could not run, load, send or be framed. */
const policy = [
  "default-src 'none'",
  `script-src ${digest(filterScript)}`,
  `style-src ${digest(style)}`,
  // For the icon, which is in the page. Records are never shown as images.
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

interface PageContext {
  readonly store: Store;
  /** Gives the present time as timestamp text. */
  readonly now: () => string;
}
