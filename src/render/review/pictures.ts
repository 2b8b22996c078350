import { grouped, html, type Markup, shownText } from '../../markup/markup.ts';
import type { BeforeAfter, ClassifierTally, Distribution, Spread } from '../../plan/distribution.ts';
import { plural, pluralize } from '../words.ts';

/** Options of one classifier that are drawn. */
const maxOptions = 60;

/** How the plan moves items between options and roll numerators, as counts. What stays as it is can be opened. */
export function pictures({ items, classifiers, rolls }: Distribution, heading: Markup): Markup {
  const isChanged = ({ options }: ClassifierTally) =>
    options.some(({ items: { before, after } }) => before !== after);
  const changed = classifiers.filter(isChanged);
  const same = classifiers.filter((tally) => !isChanged(tally));
  return html`
<p class="quiet">Items by option and by roll numerator: as recorded now, and after this plan is applied. ${total(items)}</p>
<p class="legend"><svg class="was" viewBox="0 0 9 9" aria-hidden="true"><rect width="9" height="9" rx="2"/></svg> before <svg class="is" viewBox="0 0 9 9" aria-hidden="true"><rect width="9" height="9" rx="2"/></svg> after</p>
${rolls && rollPicture(rolls, heading)}
${changed.length > 0 && cards(changed, heading)}
${same.length > 0 && html`<details><summary>${pluralize(same.length, 'classifier')} with unchanged counts</summary>${cards(same, heading)}</details>`}`;
}

function cards(tallies: readonly ClassifierTally[], heading: Markup): Markup {
  return html`<ul class="cards">${tallies.map((tally) => card(tally, heading))}</ul>`;
}

function total({ before, after }: BeforeAfter): string {
  return before === after
    ? `${grouped(after)} ${plural(after, 'item')} in all.`
    : `${grouped(before)} ${plural(before, 'item')} in all before, ${grouped(after)} after.`;
}

function card({ name, options }: ClassifierTally, heading: Markup): Markup {
  const shown = options.slice(0, maxOptions);
  const left = options.length - shown.length;
  const largest = Math.max(1, ...options.flatMap(({ items }) => [items.before, items.after]));
  return html`
<li class="card"><${heading}>${shownText(name)}</${heading}>
<table class="options"><thead class="unseen"><tr><th scope="col">Option<th scope="col">Items before and after</thead><tbody>${shown.map(
    ({ name, items }) => html`
<tr><th scope="row">${shownText(name)}${bars(items, largest)}<td>${counts(items)}`,
  )}</table>
${left > 0 && html`<p class="quiet">… and ${grouped(left)} more ${plural(left, 'option')}.</p>`}`;
}

/** Drawn, not styled: the page's policy allows no style attributes. */
function bars({ before, after }: BeforeAfter, largest: number): Markup {
  return html`<svg class="pair" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="was" width="${percent(before, largest)}" height="3"/><rect class="is" y="4" width="${percent(after, largest)}" height="3"/></svg>`;
}

/** Standing on the upper edge: the style turns it over. */
function columns({ before, after }: BeforeAfter, largest: number): Markup {
  return html`<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><rect class="was" x="6" width="42" height="${percent(before, largest)}"/><rect class="is" x="52" width="42" height="${percent(after, largest)}"/></svg>`;
}

function percent(count: number, largest: number): string {
  return ((count / largest) * 100).toFixed(2);
}

/** A histogram of roll numerators: a column for each range, in it the items before and after. */
function rollPicture({ bins, scale }: Spread, heading: Markup): Markup {
  const largest = Math.max(1, ...bins.flatMap(({ before, after }) => [before, after]));
  return html`
<div class="card wide"><${heading}>Roll numerators</${heading}>
${scale === 'orders' && html`<p class="quiet">Columns cover ever larger ranges: 1, 2, 5, 10, 20 and so on.</p>`}
<ol class="histogram">${bins.map(
    ({ from, to, ...items }) =>
      html`<li>${columns(items, largest)}<span class="range">${shownEdge(from)}<span class="upto"> – ${shownEdge(to)}</span></span> <span class="tally">${counts(items)}</span>`,
  )}</ol></div>`;
}

/** Whole numbers below a million with thin spaces, others as JSON has them. */
function shownEdge(edge: number): string {
  return Number.isInteger(edge) && edge >= 0 && edge < 1e6 ? grouped(edge) : String(edge);
}

/** `12`, or `12 → 14` where they differ. */
function counts({ before, after }: BeforeAfter): Markup {
  if (before === after) return html`<span class="faint">${grouped(after)}</span>`;
  return html`${grouped(before)}<span class="faint" aria-label="to"> → </span><b>${grouped(after)}</b>`;
}
