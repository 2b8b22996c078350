import { html, type Insertion, leanText, type Markup, shownLink } from '../../markup/markup.ts';
import type { FieldChange } from '../../plan/model.ts';
import type { ExplainedChange } from '../messages/explain-plan.ts';
import { idOf, NOT_TAKEN, recordOf, sourceText } from '../plan-view.ts';
import { memberText, NONE, numberText, valueText } from '../words.ts';

/**
 * One change: what it is of, where it is declared, and its fields. There can be ten thousand of them, so tags that
 * HTML closes implicitly are left open. Its kind is its class: the filter reads it there.
 */
export function changeCard(change: ExplainedChange, heading: Markup): Markup {
  const { address, kind, key, name, source } = change;
  const id = idOf(change);
  const place = source
    ? html` <span>${leanText(sourceText(change))}</span>`
    : id && html` id ${leanText(id)}`;
  return html`
<article class="${kind}"><${heading}>${leanText(name || key)}</${heading}><p><code>${leanText(address)}</code>${place}${fieldsOf(change)}</article>`;
}

/** Without a recorded value there is no before to show. */
function fieldsOf(change: ExplainedChange): Insertion {
  const isKnown = recordOf(change) === 'recorded';
  const shown = change.fields.filter(({ path }) => isKnown || path !== 'name');
  return shown.length > 0 && (isKnown ? compared(shown) : declared(shown));
}

/** By the last part of their paths, which reads well where nothing is compared. */
function declared(fields: readonly FieldChange[]): Markup {
  return html`<ul>${fields.map(({ path, after }) => {
    if (path === 'thumbnail' && typeof after === 'string' && URL.canParse(after))
      return html`<li>${shownLink(after, path)}`;
    const label = path.slice(path.indexOf('.') + 1);
    return html`<li><i>${leanText(label)}</i> ${shownValue(path, after, after)}`;
  })}</ul>`;
}

function compared(fields: readonly FieldChange[]): Markup {
  return html`<table><thead><tr><td><th scope="col">Before<th scope="col">After<tbody>${fields.map(
    ({ path, before, after, diverged }) =>
      html`<tr><th scope="row">${shownPath(path)}<td>${shownValue(path, before, after)}<td>${shownValue(path, after, before)}${diverged && html` <i class="faint">${NOT_TAKEN}</i>`}`,
  )}</table>`;
}

/**
 * A value of a compared field as people write it: `3 – 7`, `Rare × 0.25`, options side by side, a link for a
 * thumbnail. `other` is the value on the other side: what only this side has is marked.
 */
function shownValue(path: string, value: unknown, other: unknown): Markup {
  if (value === null || value === undefined) return html`<i class="faint">${NONE}</i>`;
  if (Array.isArray(value) && value.length > 0) return options(value, Array.isArray(other) ? other : []);
  if (typeof value === 'string' && !looksAbsent(value))
    return path === 'thumbnail' ? shownLink(value) : leanText(value);
  if (typeof value !== 'object' || Array.isArray(value)) return leanText(valueText(value));
  if ('min' in value && 'max' in value) return html`${numberOf(value.min)} – ${numberOf(value.max)}`;
  if ('name' in value && 'dropRateMultiplier' in value && typeof value.name === 'string')
    return html`${leanText(value.name)} × ${numberOf(value.dropRateMultiplier)}`;
  return leanText(valueText(value));
}

/** Without quotes it would read as if nothing were there. */
function looksAbsent(text: string): boolean {
  return text.trim() === '' || text.trim() === NONE;
}

function options(keys: readonly unknown[], others: readonly unknown[]): Markup {
  return html`${keys.map((key, index) => {
    const shown = leanText(memberText(key));
    return html`${index > 0 ? ', ' : ''}${others.includes(key) ? shown : html`<b>${shown}</b>`}`;
  })}`;
}

function numberOf(value: unknown): Markup {
  return leanText(numberText(value));
}

/** `rollNumerator`, or `attributes.damage` with its group in the background. */
function shownPath(path: string): Markup {
  const dot = path.indexOf('.') + 1;
  return dot === 0
    ? leanText(path)
    : html`<i>${leanText(path.slice(0, dot))}</i>${leanText(path.slice(dot))}`;
}
