import { html, Markup } from '../../markup/markup.ts';
import { grouped, shownText } from '../../markup/shown-text.ts';
import { attributeList } from './attribute-list.ts';
import { classifierCards } from './classifier-cards.ts';
import { filterScript } from './filter-script.ts';
import type { Inventory } from './inventory.ts';
import { itemTable } from './item-table.ts';
import { pager } from './pager.ts';
import { section } from './section.ts';
import { shownTime } from './shown-time.ts';
import { spaceCards } from './space-cards.ts';
import { style } from './style.ts';

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
  const entry = (id: 'classifiers' | 'spaces' | 'attributes' | 'items', title: string): Markup =>
    html`<li><a href="#${id}">${title}</a><span class="count">${grouped(lists[id].total)}</span></li>`;
  return html`
<header>
<p class="brand"><b>Trove</b> · the embedded service</p>
<h1>${shownText(team.name)}</h1>
<p class="quiet">Team <span class="id">${shownText(team.id)}</span></p>
<nav aria-label="On this page"><ul>
${entry('classifiers', 'Classifiers')}${entry('spaces', 'Spaces')}${entry('attributes', 'Attributes')}${entry('items', 'Items')}
</ul></nav>
</header>`;
}

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
      title: 'Classifiers',
      listing: classifiers,
      none: 'No classifiers yet.',
      body: classifierCards(classifiers.rows),
    }),
    section({
      id: 'spaces',
      title: 'Spaces',
      listing: spaces,
      none: 'The world file gives this team no spaces.',
      body: spaceCards(spaces.rows),
    }),
    section({
      id: 'attributes',
      title: 'Attributes',
      listing: attributes,
      none: 'The world file lists no attributes for this team, so any attribute id is taken.',
      body: attributeList(attributes.rows),
    }),
    section({ id: 'items', title: 'Items', listing: items, none: 'No items yet.', body: table, paged: true }),
  ];
}

/** A gem in the page's accent, as data: the only image that the page's policy lets a browser load. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 2h8l3 4-7 8-7-8z" fill="#2c8f86"/><path d="M1 6h14M5.5 6 8 14l2.5-8L8 2z" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width=".8"/></svg>',
)}`;
