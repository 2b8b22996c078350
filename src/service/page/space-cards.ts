import { html, type Markup } from '../../markup/markup.ts';
import { grouped, shownText } from '../../markup/shown-text.ts';
import type { HeldSpace } from '../store/holdings.ts';
import { shownNumber } from './numbers.ts';

/** Lines of a grid in one direction that are drawn; more would run together. */
const maxLines = 64;
/** The room for a drawing, and the side of the largest cell, in CSS pixels. */
const room = { width: 256, height: 160, cell: 32 };

/** Each space as a card with its grid drawn: as many columns and rows as it has. */
export function spaceCards(spaces: readonly HeldSpace[]): Markup {
  return html`<ul class="cards level">${spaces.map(card)}</ul>`;
}

function card({ id, name, cols, rows, users }: HeldSpace): Markup {
  const cells =
    isCount(cols) && isCount(rows)
      ? html` · ${grouped(cols * rows)} ${cols * rows === 1 ? 'cell' : 'cells'}`
      : undefined;
  return html`
<li class="card space" data-row>
<h3>${shownText(name)}</h3>
${drawing(cols, rows)}
<p>${shownNumber(cols)} ${cols === 1 ? 'column' : 'columns'} × ${shownNumber(rows)} ${rows === 1 ? 'row' : 'rows'}${cells}</p>
<dl class="facts">
<dt>Id</dt><dd class="id">${shownText(id)}</dd>
<dt>Linked to</dt><dd>${users.length === 0 ? 'nobody' : users.map((user, index) => html`${index > 0 ? ', ' : ''}${shownText(user)}`)}</dd>
</dl>
</li>`;
}

/** The interface says only that cols and rows are numbers: what is no grid of whole cells is not drawn as one. */
function drawing(cols: number, rows: number): Markup {
  if (!isCount(cols) || !isCount(rows) || Math.max(cols, rows) > maxLines) {
    return html`<p class="drawing undrawn">${isCount(cols) && isCount(rows) ? 'Too large to draw.' : 'Not a grid that can be drawn.'}</p>`;
  }
  const cell = Math.min(room.width / cols, room.height / rows, room.cell);
  const [width, height] = [cols * cell, rows * cell];
  const vertical = lines(cols).map((at) => `M${rounded(at * cell)} 0V${rounded(height)}`);
  const horizontal = lines(rows).map((at) => `M0 ${rounded(at * cell)}H${rounded(width)}`);
  return html`
<div class="drawing"><svg class="grid" role="img" aria-label="A grid of ${cols} columns and ${rows} rows" width="${rounded(width + 2)}" height="${rounded(height + 2)}" viewBox="-1 -1 ${rounded(width + 2)} ${rounded(height + 2)}"><rect width="${rounded(width)}" height="${rounded(height)}" rx="3"/><path d="${[...vertical, ...horizontal].join('')}"/></svg></div>`;
}

/** The places of the lines between so many cells. */
function lines(cells: number): readonly number[] {
  return Array.from({ length: cells - 1 }, (_, index) => index + 1);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
