import type { WireClassifier, WireItem, WireOption } from '../../contract/api.ts';
import { asideText, grouped, html, type Markup, shownLink, shownText } from '../../markup/markup.ts';
import type { NamedRecord } from '../store/store.ts';
import { type Inventory, type Names, pageAddress, type SortedBy } from './inventory.ts';

/** Options of one classifier that are shown. */
const maxOptions = 300;

/** Each classifier as a card: its options with their multipliers, as numbers and as bars of one scale for all. */
export function classifierCards(classifiers: readonly WireClassifier[]): Markup {
  const multipliers = classifiers.flatMap(({ classifierOptions }) =>
    classifierOptions.map(({ dropRateMultiplier }) => dropRateMultiplier),
  );
  const largest = multipliers.reduce((most, each) => Math.max(most, each), 0);
  return html`
<p class="quiet scale">Options with their drop rate multipliers. All bars have one scale, up to ${shownNumber(largest)}.</p>
<ul class="cards">${classifiers.map((each) => classifierCard(each, largest))}</ul>`;
}

function classifierCard(
  { id, name, createdAt, updatedAt, classifierOptions }: WireClassifier,
  largest: number,
): Markup {
  const options = classifierOptions.slice(0, maxOptions);
  const hidden = classifierOptions.length - options.length;
  return html`
<li class="card" data-row>
<h3>${shownText(name)}</h3>
${options.length > 0 ? optionTable(options, largest) : html`<p class="quiet">It has no options.</p>`}
${hidden > 0 ? html`<p class="quiet">… and ${grouped(hidden)} more options.</p>` : undefined}
<p class="when">${updatedAt === null ? html`Created ${shownTime(createdAt)}` : html`Updated ${shownTime(updatedAt)}`}</p>
<details><summary>Ids</summary>
<dl class="ids"><dt>Classifier</dt><dd>${shownText(id)}</dd>
${options.map((option) => html`<dt>${asideText(option.name)}</dt><dd>${asideText(option.id)}</dd>`)}
</dl></details>
</li>`;
}

function optionTable(options: readonly WireOption[], largest: number): Markup {
  const fractions = options.map(({ dropRateMultiplier }) => fractionOf(dropRateMultiplier));
  const longest = Math.max(...fractions.map(({ length }) => length));
  return html`
<table class="options">
<caption class="unseen">Options with their drop rate multipliers</caption>
<thead class="unseen"><tr><th scope="col">Option</th><th scope="col">Multiplier</th></tr></thead>
<tbody>${options.map(
    ({ name, dropRateMultiplier: multiplier }, at) => html`
<tr><th scope="row">${shownText(name)}${bar(multiplier, largest)}</th><td>${shownNumber(multiplier)}${filling(fractions[at] ?? '', longest)}</td></tr>`,
  )}
</tbody></table>`;
}

/** The decimal point and what is behind it. */
function fractionOf(value: number): string {
  return /\..*/.exec(String(value))?.[0] ?? '';
}

/** Unseen digits for what the `longest` fraction has more, so that decimal points stand below each other in any font. */
function filling(fraction: string, longest: number): Markup | undefined {
  const missing = '.'.padEnd(longest, '0').slice(fraction.length);
  return longest > fraction.length
    ? html`<span class="filling" aria-hidden="true">${missing}</span>`
    : undefined;
}

/** Drawn, not styled: the page's policy allows no style attributes. */
function bar(value: number, largest: number): Markup {
  const width = largest > 0 ? Math.max(0, (value / largest) * 100) : 0;
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-all" width="100" height="1"/><rect class="bar-part" width="${width.toFixed(2)}" height="1"/></svg>`;
}

/** Lines of a grid in one direction that are drawn; more would run together. */
const maxLines = 64;
/** The room for a drawing, and the side of the largest cell, in CSS pixels. */
const room = { width: 256, height: 160, cell: 32 };

/** Each space as a card with its grid drawn: as many columns and rows as it has. */
export function spaceCards(spaces: Inventory['spaces']['rows']): Markup {
  return html`<ul class="cards level">${spaces.map(spaceCard)}</ul>`;
}

function spaceCard({ id, name, cols, rows, users }: Inventory['spaces']['rows'][number]): Markup {
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
  if (!isCount(cols) || !isCount(rows))
    return html`<p class="drawing undrawn">Not a grid that can be drawn.</p>`;
  if (Math.max(cols, rows) > maxLines) return html`<p class="drawing undrawn">Too large to draw.</p>`;
  const cell = Math.min(room.width / cols, room.height / rows, room.cell);
  const vertical = linesBetween(cols).map((at) => `M${at} 0V${rows}`);
  const horizontal = linesBetween(rows).map((at) => `M0 ${at}H${cols}`);
  return html`
<div class="drawing"><svg class="grid" role="img" aria-label="A grid of ${cols} columns and ${rows} rows" width="${cols * cell}" height="${rows * cell}" viewBox="0 0 ${cols} ${rows}"><rect width="${cols}" height="${rows}"/><path d="${[...vertical, ...horizontal].join('')}"/></svg></div>`;
}

function linesBetween(cells: number): readonly number[] {
  return Array.from({ length: cells - 1 }, (_, index) => index + 1);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** The attribute definitions of the team, as the world file lists them: each name with its id. */
export function attributeList(attributes: readonly NamedRecord[]): Markup {
  return html`<dl class="attributes">${attributes.map(
    ({ id, name }) =>
      html`<div data-row><dt>${shownText(name)}</dt><dd class="id">${shownText(id)}</dd></div>`,
  )}</dl>`;
}

/** Assignments, and ranges, of one item that are shown. */
const maxListed = 60;

/**
 * One page of items. The roles repeat what the elements are: on a narrow screen the rows become cards, and some
 * browsers take a table that is laid out otherwise for no table.
 */
export function itemTable(inventory: Inventory): Markup {
  const { items, sort, text } = inventory;
  const head = (words: string, by?: SortedBy) => {
    const isSorted = by === sort.by;
    const state = isSorted && html` aria-sort="${sort.isDown ? 'descending' : 'ascending'}"`;
    const other = by && pageAddress({ text, sort: { by, isDown: isSorted && !sort.isDown } });
    const link = other === undefined ? words : html`<a href="${other}">${words}</a>`;
    return html`<th scope="col" role="columnheader" class="${by === 'roll' && 'right'}"${state}>${link}</th>`;
  };
  return html`
<table class="items" role="table">
<caption class="unseen">Items with their assignments and attribute ranges</caption>
<thead role="rowgroup"><tr role="row">
${head('Item', 'name')}${head('Roll', 'roll')}${head('Classifiers')}${head('Attributes')}${head('Written', 'written')}
</tr></thead>
<tbody role="rowgroup">${items.rows.map((item) => row(item, inventory))}
</tbody></table>`;
}

function row(item: WireItem, names: Names): Markup {
  const { id, name, thumbnail, rollNumerator } = item;
  return html`
<tr role="row" data-row>
<th scope="row" role="rowheader"><span class="name">${shownText(name)}</span>
<span class="id">${shownText(id)}</span>${thumbnail === null ? undefined : shownLink(thumbnail)}</th>
<td role="cell" class="right" data-label="Roll">${shownNumber(rollNumerator)}</td>
<td role="cell" data-label="Classifiers">${assignments(item, names)}</td>
<td role="cell" data-label="Attributes">${ranges(item, names)}</td>
<td role="cell" class="last" data-label="Written">${written(item)}</td>
</tr>`;
}

function assignments({ classifiers }: WireItem, { classifierNames }: Names): Markup {
  return shownList(
    classifiers,
    'assigned',
    ({ classifierId, classifierOption }) =>
      html`<li><span class="of">${shownText(classifierNames.get(classifierId) ?? classifierId)}</span> ${shownText(classifierOption.name)}</li>`,
  );
}

function ranges({ attributes }: WireItem, { attributeNames }: Names): Markup {
  return shownList(
    attributes,
    'ranges',
    ({ attributeId, min, max }) =>
      html`<li><span class="of">${shownText(attributeNames.get(attributeId) ?? attributeId)}</span><span class="to">${shownNumber(min)}<span class="of"> to </span>${shownNumber(max)}</span></li>`,
  );
}

function shownList<T>(members: readonly T[], name: string, shown: (member: T) => Markup): Markup {
  if (members.length === 0) return html`<span class="quiet">none</span>`;
  const hidden = members.length - maxListed;
  const more = hidden > 0 ? html`<p class="quiet">… and ${grouped(hidden)} more</p>` : undefined;
  return html`<ul class="${name}">${members.slice(0, maxListed).map(shown)}</ul>${more}`;
}

function written({ createdAt, updatedAt }: WireItem): Markup {
  const updated = updatedAt && html`<div><dt>Updated</dt><dd>${shownTime(updatedAt)}</dd></div>`;
  const created = html`<div><dt>Created</dt><dd>${shownTime(createdAt)}</dd></div>`;
  return html`<dl class="times">${updated ?? undefined}${created}</dl>`;
}

/** A number exactly as JSON has it, in figures of one width. */
function shownNumber(value: number): Markup {
  return html`<span class="number">${String(value)}</span>`;
}

/** Timestamp text: to the minute where it is ISO 8601 in UTC, otherwise as it stands, since clients may set it. */
export function shownTime(text: string): Markup {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d{1,9})?Z$/.exec(text) ?? [];
  if (day === undefined || minute === undefined) return asideText(text);
  return html`<time datetime="${text}">${day} ${minute}</time>`;
}
