import { html, leanText, type Markup, shownLink } from '../../markup/markup.ts';
import { memberText, NONE, valueText } from '../value-text.ts';

/**
 * A value of a compared field as people write it: `3 – 7`, `Rare × 0.25`, options side by side, a link for a
 * thumbnail. `other` is the value on the other side: what only this side has is marked.
 */
export function shownValue(path: string, value: unknown, other: unknown): Markup {
  if (value === null || value === undefined) return html`<i class="faint">${NONE}</i>`;
  if (Array.isArray(value) && value.length > 0) return options(value, Array.isArray(other) ? other : []);
  if (typeof value === 'string' && !looksAbsent(value))
    return path === 'thumbnail' ? shownLink(value) : leanText(value);
  if (typeof value !== 'object' || Array.isArray(value)) return leanText(valueText(value));
  if (isRange(value)) return html`${value.min} – ${value.max}`;
  if (isOption(value)) return html`${leanText(value.name)} × ${value.dropRateMultiplier}`;
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

function isRange(value: object): value is { readonly min: number; readonly max: number } {
  return 'min' in value && 'max' in value && typeof value.min === 'number' && typeof value.max === 'number';
}

function isOption(value: object): value is { readonly name: string; readonly dropRateMultiplier: number } {
  return (
    'name' in value &&
    'dropRateMultiplier' in value &&
    typeof value.name === 'string' &&
    typeof value.dropRateMultiplier === 'number'
  );
}

/** `rollNumerator`, or `attributes.damage` with its group in the background. */
export function shownPath(path: string): Markup {
  const dot = path.indexOf('.') + 1;
  return dot === 0
    ? leanText(path)
    : html`<i>${leanText(path.slice(0, dot))}</i>${leanText(path.slice(dot))}`;
}
