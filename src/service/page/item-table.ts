import type { WireItem } from '../../contract/wire.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { shownLink } from '../../markup/shown-link.ts';
import { grouped, shownText } from '../../markup/shown-text.ts';
import type { Inventory } from './inventory.ts';
import { shownNumber } from './numbers.ts';
import { shownTime } from './shown-time.ts';

/** Assignments, and ranges, of one item that are shown. */
const maxListed = 60;

/**
 * One page of items. The roles repeat what the elements are: on a narrow screen the rows become cards, and some
 * browsers take a table that is laid out otherwise for no table.
 */
export function itemTable(items: readonly WireItem[], names: Names): Markup {
  return html`
<table class="items" role="table">
<caption class="unseen">Items with their assignments and attribute ranges</caption>
<thead role="rowgroup"><tr role="row">
<th scope="col" role="columnheader">Item</th><th scope="col" role="columnheader" class="right">Roll</th><th scope="col" role="columnheader">Classifiers</th><th scope="col" role="columnheader">Attributes</th><th scope="col" role="columnheader" class="last">Written</th>
</tr></thead>
<tbody role="rowgroup">${items.map((item) => row(item, names))}
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
  if (classifiers.length === 0) return html`<span class="quiet">none</span>`;
  return html`<ul class="assigned">${classifiers
    .slice(0, maxListed)
    .map(
      ({ classifierId, classifierOption }) =>
        html`<li><span class="of">${shownText(classifierNames.get(classifierId) ?? classifierId)}</span> ${shownText(classifierOption.name)}</li>`,
    )}</ul>${andMore(classifiers.length)}`;
}

function ranges({ attributes }: WireItem, { attributeNames }: Names): Markup {
  if (attributes.length === 0) return html`<span class="quiet">none</span>`;
  return html`<dl class="ranges">${attributes
    .slice(0, maxListed)
    .map(
      ({ attributeId, min, max }) =>
        html`<div><dt>${shownText(attributeNames.get(attributeId) ?? attributeId)}</dt><dd>${shownNumber(min)}<span class="to"> to </span>${shownNumber(max)}</dd></div>`,
    )}</dl>${andMore(attributes.length)}`;
}

function written({ createdAt, updatedAt }: WireItem): Markup {
  const time = (label: string, at: string): Markup =>
    html`<div><dt>${label}</dt><dd>${shownTime(at)}</dd></div>`;
  return html`<dl class="times">${updatedAt === null ? undefined : time('Updated', updatedAt)}${time('Created', createdAt)}</dl>`;
}

function andMore(count: number): Markup | undefined {
  return count > maxListed ? html`<p class="quiet">… and ${grouped(count - maxListed)} more</p>` : undefined;
}

type Names = Pick<Inventory, 'classifierNames' | 'attributeNames'>;
