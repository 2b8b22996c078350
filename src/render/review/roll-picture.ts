import { grouped, html, type Markup } from '../../markup/markup.ts';
import type { Spread } from '../../plan/roll-spread.ts';
import { counts } from './counts.ts';

/** A histogram of roll numerators: a column for each range, in it the items before and after. */
export function rollPicture({ bins, scale }: Spread, heading: Markup): Markup {
  const largest = Math.max(1, ...bins.flatMap(({ before, after }) => [before, after]));
  return html`
<div class="card wide"><${heading}>Roll numerators</${heading}>
${scale === 'orders' ? html`<p class="quiet">Each column is for larger numbers than the one before it: 1, 2, 5, 10, 20 and so on.</p>` : undefined}
<ol class="histogram">${bins.map(
    ({ from, to, ...items }) =>
      html`<li>${columns(items, largest)}<span class="range">${shownEdge(from)}<span class="upto"> – ${shownEdge(to)}</span></span> <span class="tally">${counts(items)}</span>`,
  )}</ol></div>`;
}

function columns(
  { before, after }: { readonly before: number; readonly after: number },
  largest: number,
): Markup {
  const column = (kind: 'was' | 'is', at: number, count: number) => {
    const height = (count / largest) * 100;
    return html`<rect class="${kind}" x="${at}" y="${(100 - height).toFixed(2)}" width="42" height="${height.toFixed(2)}"/>`;
  };
  return html`<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">${column('was', 6, before)}${column('is', 52, after)}</svg>`;
}

/** Whole numbers below a million with thin spaces, others as JSON has them. */
function shownEdge(edge: number): string {
  return Number.isInteger(edge) && edge >= 0 && edge < 1e6 ? grouped(edge) : String(edge);
}
