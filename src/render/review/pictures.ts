import { grouped, html, type Insertion, type Markup, shownText } from '../../markup/markup.ts';
import {
  type BeforeAfter,
  type ClassifierTally,
  type Distribution,
  rounded,
  type Spread,
} from '../../plan/distribution.ts';
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
<ul class="cards">${rolls && rollCard(rolls, heading)}${changed.map((tally) => card(tally, heading))}</ul>
${same.length > 0 && html`<details><summary>${pluralize(same.length, 'classifier')} with unchanged counts</summary><ul class="cards">${same.map((tally) => card(tally, heading))}</ul></details>`}`;
}

function total({ before, after }: BeforeAfter): string {
  return before === after
    ? `${grouped(after)} ${plural(after, 'item')} in all.`
    : `${grouped(before)} ${plural(before, 'item')} in all before, ${grouped(after)} after.`;
}

function card({ name, options }: ClassifierTally, heading: Markup): Markup {
  const rows = options.slice(0, maxOptions).map((option) => [shownText(option.name), option.items] as const);
  const left = options.length - rows.length;
  return html`
<li class="card"><${heading}>${shownText(name)}</${heading}>
${barTable('Option', rows)}
${left > 0 && html`<p class="quiet">… and ${grouped(left)} more ${plural(left, 'option')}.</p>`}`;
}

/** Each with its items before and after, as numbers and as bars of one scale. */
function barTable(what: string, rows: readonly (readonly [name: Insertion, items: BeforeAfter])[]): Markup {
  const largest = Math.max(1, ...rows.flatMap(([, items]) => [items.before, items.after]));
  return html`<table class="options"><thead class="unseen"><tr><th scope="col">${what}<th scope="col">Items before and after</thead><tbody>${rows.map(
    ([name, items]) => html`
<tr><th scope="row">${name}${bars(items, largest)}<td>${counts(items)}`,
  )}</table>`;
}

/** Drawn, not styled: the page's policy allows no style attributes. */
function bars({ before, after }: BeforeAfter, largest: number): Markup {
  return html`<svg class="pair" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="was" width="${percent(before, largest)}" height="3"/><rect class="is" y="4" width="${percent(after, largest)}" height="3"/></svg>`;
}

function percent(count: number, largest: number): string {
  return ((count / largest) * 100).toFixed(2);
}

/** A histogram of roll numerators. */
function rollCard({ bins, scale, unit }: Spread, heading: Markup): Markup {
  const rows = bins.map(({ from, to, ...items }) => [rangeText(from, to, unit), items] as const);
  const note = scale === 'orders' && html`<p class="quiet">The ranges grow: 1, 2, 5, 10, 20 and so on.</p>`;
  return html`
<li class="card"><${heading}>Roll numerators</${heading}>${note}
${barTable('Range', rows)}`;
}

/** `11–20`; `>0.5–1` if values are too close to each other for a next one. */
function rangeText(from: number, to: number, unit: number | undefined): string {
  if (unit === undefined) return `>${shownEdge(from)}–${shownEdge(to)}`;
  const first = rounded((Math.floor(rounded(from / unit)) + 1) * unit);
  return first === to ? shownEdge(to) : `${shownEdge(first)}–${shownEdge(to)}`;
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
