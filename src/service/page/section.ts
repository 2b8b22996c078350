import { html, type Markup } from '../../markup/markup.ts';
import { grouped } from '../../markup/shown-text.ts';
import type { Listing } from './inventory.ts';

/** One kind of record under its heading, with what to say where there is none, none that matches, or too many. */
export function section({ id, title, listing, none, body, paged }: SectionParts): Markup {
  const { rows, found, total } = listing;
  const count = found < total ? `${grouped(found)} of ${grouped(total)}` : grouped(total);
  return html`
<section id="${id}" aria-labelledby="${id}-title" data-list>
<h2 id="${id}-title">${title} <span class="count" data-count>${count}</span></h2>
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
  readonly id: string;
  readonly title: string;
  readonly listing: Listing<unknown>;
  /** Said where the team has no such record. */
  readonly none: string;
  readonly body: Markup;
  /** Whether the rest is on other pages. */
  readonly paged?: boolean;
}
