import { digest, grouped, html, Markup, shownText } from '../../markup/markup.ts';
import type { Caller } from '../credentials.ts';
import type { Store } from '../store/store.ts';
import { type Inventory, type Listing, type PageQuery, readPageQuery, takeInventory } from './inventory.ts';
import { filterScript, style } from './look.ts';
import { attributeList, classifierCards, itemTable, shownTime, spaceCards } from './records.ts';

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

/** The page for people, whole: a pure function, complete and readable where nothing of its script runs. */
export function page(inventory: Inventory): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Trove: what the service holds</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${icon}">
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#items">Skip to the items</a>
${heading(inventory)}
${filterForm(inventory)}
<main>
${sections(inventory)}
</main>
<footer><p>Read from the database at ${shownTime(inventory.takenAt)} for ${shownText(inventory.username)}. This page only reads.</p></footer>
<script>${new Markup(filterScript)}</script>
</body>
</html>
`.toString();
}

function heading({ team, ...lists }: Inventory): Markup {
  const entries = (Object.keys(titles) as ListId[]).map(
    (id) =>
      html`<li><a href="#${id}">${titles[id]}</a><span class="count">${grouped(lists[id].total)}</span></li>`,
  );
  return html`
<header>
<p class="brand"><b>Trove</b> · the embedded service</p>
<h1>${shownText(team.name)}</h1>
<p class="quiet">Team <span class="id">${shownText(team.id)}</span></p>
<nav aria-label="On this page"><ul>
${entries}
</ul></nav>
</header>`;
}

/** The lists of the page, in their order. */
const titles = {
  classifiers: 'Classifiers',
  spaces: 'Spaces',
  attributes: 'Attributes',
  items: 'Items',
};

type ListId = keyof typeof titles;

function filterForm({ query: { text }, items }: Inventory): Markup {
  const status =
    text === ''
      ? `${grouped(items.total)} items`
      : `${grouped(items.found)} of ${grouped(items.total)} items match.`;
  return html`
<div class="bar-top">
<form role="search" method="get" action="/">
<div class="field"><label class="unseen" for="q">Filter by name, id, option or attribute</label>
<input id="q" name="q" type="search" value="${text}" maxlength="200" placeholder="Name, id, option …" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd id="hint" hidden>/</kbd></div>
<button>Search</button>
${text === '' ? undefined : html`<a id="clear" href="/">Clear</a>`}
<output id="status" for="q" data-total="${items.total}">${status}</output>
</form>
</div>`;
}

function sections(inventory: Inventory): readonly Markup[] {
  const { classifiers, spaces, attributes, items, query, pages } = inventory;
  const links = pager(query, pages);
  const table = html`${itemTable(items.rows, inventory)}${links}`;
  return [
    section({
      id: 'classifiers',
      listing: classifiers,
      none: 'No classifiers yet.',
      body: classifierCards(classifiers.rows),
    }),
    section({
      id: 'spaces',
      listing: spaces,
      none: 'The world file gives this team no spaces.',
      body: spaceCards(spaces.rows),
    }),
    section({
      id: 'attributes',
      listing: attributes,
      none: 'The world file lists no attributes for this team, so any attribute id is taken.',
      body: attributeList(attributes.rows),
    }),
    section({ id: 'items', listing: items, none: 'No items yet.', body: table, paged: true }),
  ];
}

/** A gem in the page's accent, as data: the only image that the page's policy lets a browser load. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 2h8l3 4-7 8-7-8z" fill="#2c8f86"/><path d="M1 6h14M5.5 6 8 14l2.5-8L8 2z" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width=".8"/></svg>',
)}`;

/** One kind of record under its heading, with what to say where there is none, none that matches, or too many. */
function section({ id, listing, none, body, paged }: SectionParts): Markup {
  const { rows, found, total } = listing;
  const count = found < total ? `${grouped(found)} of ${grouped(total)}` : grouped(total);
  return html`
<section id="${id}" aria-labelledby="${id}-title" data-list>
<h2 id="${id}-title">${titles[id]} <span class="count" data-count>${count}</span></h2>
${total === 0 ? html`<p class="quiet">${none}</p>` : undefined}
${total > 0 && found === 0 ? html`<p class="quiet">Nothing here matches the filter.</p>` : undefined}
${rows.length > 0 ? html`<p class="quiet" data-none hidden>Nothing here matches the filter.</p>` : undefined}
${rows.length > 0 ? html`<div data-body>${body}</div>` : undefined}
${!paged && rows.length < found ? moreThanShown(rows.length, found) : undefined}
</section>`;
}

function moreThanShown(shown: number, found: number): Markup {
  return html`<p class="quiet">The first ${grouped(shown)} of ${grouped(found)}: search to see the others.</p>`;
}

interface SectionParts {
  readonly id: ListId;
  readonly listing: Listing<unknown>;
  /** Said where the team has no such record. */
  readonly none: string;
  readonly body: Markup;
  /** Whether the rest is on other pages. */
  readonly paged?: boolean;
}

/** Plain links to the other pages of items; nothing where there is one page. */
function pager({ text, page }: PageQuery, pages: number): Markup | undefined {
  if (pages === 1) return undefined;
  const link = (to: number, words: string, rel?: string): Markup =>
    html`<li><a href="${addressOf(text, to)}"${rel === undefined ? undefined : html` rel="${rel}"`}>${words}</a></li>`;
  const gap = html`<li aria-hidden="true">…</li>`;
  return html`
<nav class="pager" aria-label="Pages of items">
<p>Page ${grouped(page)} of ${grouped(pages)}</p>
<ul>
${page > 1 ? link(page - 1, 'Previous', 'prev') : undefined}
${pagesAround(page, pages).map((each, index, all) => [
  index > 0 && each - (all[index - 1] ?? 0) > 1 ? gap : undefined,
  each === page
    ? html`<li><span aria-current="page">${grouped(each)}</span></li>`
    : link(each, grouped(each)),
])}
${page < pages ? link(page + 1, 'Next', 'next') : undefined}
</ul></nav>`;
}

/** The first, the last and those beside the page. */
function pagesAround(page: number, pages: number): readonly number[] {
  const near = [1, page - 1, page, page + 1, pages];
  return [...new Set(near.filter((each) => each >= 1 && each <= pages))].sort((a, b) => a - b);
}

function addressOf(text: string, page: number): string {
  const parameters = new URLSearchParams(
    text === '' ? { page: String(page) } : { q: text, page: String(page) },
  );
  return `/?${parameters}#items`;
}
