import baseStyle from '../../markup/base.css?raw';
import { digest, grouped, html, Markup, shownText } from '../../markup/markup.ts';
import type { Caller } from '../credentials.ts';
import type { Context } from '../operations/operation.ts';
import filterScript from './filter.js?raw';
import { type Inventory, pageAddress, sortText, takeInventory } from './inventory.ts';
import pageStyle from './page.css?raw';
import { attributeList, classifierCards, itemTable, shownTime, spaceCards } from './records.ts';

/**
 * The page for people at `/`: what the caller's team has. It is no part of the interface, which can read nothing;
 * `?q=TEXT` narrows it, `?sort=-roll` sorts its items and `?page=N` turns their pages (100 each).
 */
export function answerPage(url: string, caller: Caller, { store, now }: Context): Response {
  return new Response(page(takeInventory(store, caller, new URL(url).searchParams, now())), { headers });
}

const style = `${baseStyle}${pageStyle}`;

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

/** The lists of the page in their order, with what to say where the team has no such record. */
const sections = {
  classifiers: {
    title: 'Classifiers',
    none: 'No classifiers yet.',
    body: ({ classifiers }: Inventory) => classifierCards(classifiers.rows),
  },
  spaces: {
    title: 'Spaces',
    none: 'The world file gives this team no spaces.',
    body: ({ spaces }: Inventory) => spaceCards(spaces.rows),
  },
  attributes: {
    title: 'Attributes',
    none: 'The world file lists no attributes for this team, so any attribute id is taken.',
    body: ({ attributes }: Inventory) => attributeList(attributes.rows),
  },
  items: {
    title: 'Items',
    none: 'No items yet.',
    body: (inventory: Inventory) => html`${itemTable(inventory)}${pager(inventory)}`,
  },
};

type ListId = keyof typeof sections;
const listIds = Object.keys(sections) as ListId[];

/** The page for people, whole: a pure function, complete and readable where nothing of its script runs. */
export function page(inventory: Inventory): string {
  const { team, takenAt, username } = inventory;
  const link = (id: ListId): Markup =>
    html`<li><a href="#${id}">${sections[id].title}</a><span class="count">${grouped(inventory[id].total)}</span></li>`;
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
<header>
<p class="brand"><b>Trove</b> · the embedded service</p>
<h1>${shownText(team.name)}</h1>
<p class="quiet">Team <span class="id">${shownText(team.id)}</span></p>
<nav aria-label="On this page"><ul>
${listIds.map(link)}
</ul></nav>
</header>
${filterForm(inventory)}
<main>
${listIds.map((id) => section(id, inventory))}
</main>
<footer><p>Read from the database at ${shownTime(takenAt)} for ${shownText(username)}. This page only reads.</p></footer>
<script>${new Markup(filterScript)}</script>
</body>
</html>
`.toString();
}

/** A gem in the page's accent, as data: the only image that the page's policy lets a browser load. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 2h8l3 4-7 8-7-8z" fill="#2c8f86"/><path d="M1 6h14M5.5 6 8 14l2.5-8L8 2z" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width=".8"/></svg>',
)}`;

function filterForm({ text, sort, items: { found, total } }: Inventory): Markup {
  const order = sortText(sort);
  const status =
    text === '' ? `${grouped(total)} items` : `${grouped(found)} of ${grouped(total)} items match.`;
  return html`
<div class="bar-top">
<form role="search" method="get" action="/">
<div class="field"><label class="unseen" for="q">Filter by name, id, option or attribute</label>
<input id="q" name="q" type="search" value="${text}" maxlength="200" placeholder="Name, id, option …" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd id="hint" hidden>/</kbd></div>
${order !== undefined && html`<input type="hidden" name="sort" value="${order}">`}
<button>Search</button>
${text === '' ? undefined : html`<a id="clear" href="${pageAddress({ text: '', sort })}">Clear</a>`}
<output id="status" for="q" data-total="${total}">${status}</output>
</form>
</div>`;
}

/** One kind of record under its heading, with what to say where there is none, none that matches, or too many. */
function section(id: ListId, inventory: Inventory): Markup {
  const { title, none, body } = sections[id];
  const { rows, found, total } = inventory[id];
  const count = found < total ? `${grouped(found)} of ${grouped(total)}` : grouped(total);
  const notShown = id !== 'items' && rows.length < found;
  return html`
<section id="${id}" aria-labelledby="${id}-title" data-list>
<h2 id="${id}-title">${title} <span class="count" data-count>${count}</span></h2>
${total === 0 ? html`<p class="quiet">${none}</p>` : undefined}
${total > 0 && found === 0 ? html`<p class="quiet">Nothing here matches the filter.</p>` : undefined}
${rows.length > 0 ? html`<p class="quiet" data-none hidden>Nothing here matches the filter.</p><div data-body>${body(inventory)}</div>` : undefined}
${notShown ? html`<p class="quiet">The first ${grouped(rows.length)} of ${grouped(found)}: search to see the others.</p>` : undefined}
</section>`;
}

/** Plain links to the pages around this one; nothing where there is one page. */
function pager({ items: { page, pages }, text, sort }: Inventory): Markup | undefined {
  if (pages === 1) return undefined;
  const link = (to: number, words: string): Markup =>
    html`<li><a href="${pageAddress({ text, sort, page: to })}">${words}</a></li>`;
  return html`
<nav class="pager" aria-label="Pages of items">
<p>Page ${grouped(page)} of ${grouped(pages)}</p>
<ul>
${page > 1 ? [link(1, 'First'), link(page - 1, 'Previous')] : undefined}
${page < pages ? [link(page + 1, 'Next'), link(pages, 'Last')] : undefined}
</ul></nav>`;
}
