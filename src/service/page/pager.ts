import { html, type Markup } from '../../markup/markup.ts';
import { grouped } from '../../markup/shown-text.ts';
import type { PageQuery } from './search.ts';

/** Plain links to the other pages of items; nothing where there is one page. */
export function pager({ text, page }: PageQuery, pages: number): Markup | undefined {
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
