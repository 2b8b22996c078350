import { html, isWebAddress, leanText, type Markup, shownLink } from '../../markup/markup.ts';
import type { FieldChange } from '../../plan/model.ts';
import type { ExplainedChange } from '../messages/explain-plan.ts';
import { idOf, recordOf, type ShownField, shownFields, sourceText } from '../plan-view.ts';
import { memberText, NONE, numberText, valueText } from '../words.ts';

/** The columns of a table of changes, of which only some may have a before. */
export function columnsOf(changes: readonly ExplainedChange[]): Markup {
  const columns = changes.some(isCompared)
    ? html`<th scope="col">Field<th scope="col">Before<th scope="col">After`
    : html`<th scope="col" colspan="3">${changes.some(idOf) ? 'In the service' : 'Values'}`;
  return html`<thead><tr><th scope="col">Resource${columns}</thead>`;
}

/**
 * One change: a row with its first field, which opens for the others and for where it is declared. There can be ten
 * thousand of them, so tags that HTML closes implicitly are left open. Its kind is its class: the filter reads it there.
 */
export function changeRows(change: ExplainedChange): Markup {
  const { address, kind, key, name } = change;
  const [first, ...others] = isCompared(change) ? shownFields(change) : [];
  return html`
<tbody class="${kind}"><tr><th scope="row" rowspan="${others.length + 2}"><details><summary>${leanText(name || key)} <code>${leanText(address)}</code></summary></details>${first ? comparedCells(first, others.length) : html`<td colspan="3">${wholeCell(change)}`}${others.map((field) => html`<tr>${comparedCells(field)}`)}<tr><td colspan="3" class="place">${placeOf(change)}`;
}

/** Where it is declared, and the record that it is about. */
function placeOf({ source, action, remoteId }: ExplainedChange): Markup {
  // The new key of a record is no change of it.
  if (remoteId === '') return html`recorded by apply, nothing is sent`;
  const place = source ? leanText(sourceText({ source })) : 'no file declares it';
  return html`${place}${action !== 'retire' && remoteId !== null && html` · ID ${leanText(remoteId)}`}`;
}

/** Without a recorded value there is no before to show. */
function isCompared(change: ExplainedChange): boolean {
  return recordOf(change) === 'recorded' && change.fields.length > 0;
}

function comparedCells({ path, before, after, note }: ShownField, left = 0): Markup {
  const more = left > 0 && html` <small>+ ${left} more</small>`;
  const remark = note !== undefined && html` <i class="faint">${note}</i>`;
  return html`<th scope="row">${shownPath(path)}${more}<td>${shownValue(path, before, after, 'del')}<td>${shownValue(path, after, before, 'ins')}${remark}`;
}

/** Of a change that compares nothing. */
function wholeCell(change: ExplainedChange): Markup {
  if (change.action === 'retire')
    return html`Stays live in the service, ID <code>${leanText(idOf(change))}</code>`;
  if (recordOf(change) === 'recorded') return html`<i>same values</i>`;
  return declared(change.fields.filter(({ path }) => path !== 'name'));
}

/** By the last part of their paths, which reads well where nothing is compared. */
function declared(fields: readonly FieldChange[]): Markup {
  return html`<ul>${fields.map(({ path, after }) => {
    if (path === 'thumbnail' && typeof after === 'string' && isWebAddress(after))
      return html`<li>${shownLink(after, path)}`;
    const label = path.slice(path.indexOf('.') + 1);
    return html`<li><i>${leanText(label)}</i> ${shownValue(path, after, after, 'ins')}`;
  })}</ul>`;
}

/**
 * A value of a compared field as people write it: `3 – 7`, `Rare × 0.25`, options side by side, a link for a
 * thumbnail. `other` is the value on the other side: what only this side has is marked.
 */
function shownValue(path: string, value: unknown, other: unknown, mark: Mark): Markup {
  if (value === null || value === undefined) return html`<i class="faint">${NONE}</i>`;
  if (Array.isArray(value) && value.length > 0)
    return members(value, Array.isArray(other) ? other : [], mark);
  if (typeof value === 'string' && !looksAbsent(value)) {
    const text = words(value, typeof other === 'string' ? other : '', mark);
    return path === 'thumbnail' ? shownLink(value, text) : text;
  }
  const [parts, between] = partsOf(value);
  const [others] = partsOf(other);
  return html`${parts.map((part, at) => [at > 0 && between, marked(part, part === others[at], mark)])}`;
}

/** What is gone, or what is new. */
type Mark = 'del' | 'ins';

function marked(text: string, isSame: boolean, mark: Mark): Markup {
  const shown = leanText(text);
  if (isSame) return shown;
  return mark === 'del' ? html`<del>${shown}</del>` : html`<ins>${shown}</ins>`;
}

/** Without quotes it would read as if nothing were there. */
function looksAbsent(text: string): boolean {
  return text.trim() === '' || text.trim() === NONE;
}

function members(keys: readonly unknown[], others: readonly unknown[], mark: Mark): Markup {
  return html`${keys.map((key, at) => [at > 0 && ', ', marked(memberText(key), others.includes(key), mark)])}`;
}

/** The words between those that both texts begin with and those that both end with are marked. */
function words(text: string, other: string, mark: Mark): Markup {
  // The parts of a text from right to left would stand in the wrong order.
  if (!/^[ -~\u00a1-\u024f]*$/.test(text + other)) return marked(text, text === other, mark);
  const [own, others] = [text, other].map((each) => each.split(/(?<=[ /])|(?=[ /])/)) as [string[], string[]];
  const isShared = (at: number) => own.at(at) === others.at(at);
  const most = Math.min(own.length, others.length);
  let start = 0;
  while (start < most && isShared(start)) start++;
  let end = own.length;
  while (end > start && own.length - end < most - start && isShared(end - 1 - own.length)) end--;
  const parts = [own.slice(0, start), own.slice(start, end), own.slice(end)].map((part) => part.join(''));
  return html`${parts.map((part, at) => part !== '' && marked(part, at !== 1, mark))}`;
}

/** The parts of a value that are compared one by one, and what stands between them. */
function partsOf(value: unknown): readonly [parts: readonly string[], between: string] {
  if (typeof value === 'object' && value !== null) {
    if ('min' in value && 'max' in value) return [[value.min, value.max].map(numberText), ' – '];
    if ('name' in value && 'dropRateMultiplier' in value && typeof value.name === 'string')
      return [[value.name, numberText(value.dropRateMultiplier)], ' × '];
  }
  return [[valueText(value)], ''];
}

/** `rollNumerator`, or `attributes.damage` with its group in the background. */
function shownPath(path: string): Markup {
  const dot = path.indexOf('.') + 1;
  return dot === 0
    ? leanText(path)
    : html`<i>${leanText(path.slice(0, dot))}</i>${leanText(path.slice(dot))}`;
}
