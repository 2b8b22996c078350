import { html, type Markup, shownText } from '../../markup/markup.ts';

/** Whole, since it may hold a command to copy; what stands in backticks, and commands, as code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]*)`|((?<=^|: )trove .*$)/);
  return html`${parts.map((part, index) => {
    if (part === undefined || /^ *$/.test(part)) return part;
    const shown = shownText(part, Number.POSITIVE_INFINITY);
    return index % 3 === 0 ? shown : html`<code>${shown}</code>`;
  })}`;
}

/** Steps that a person can take, as a list. */
export function remedyList(remedies: readonly string[]): Markup {
  return html`<ul class="remedies">${remedies.map((each) => html`<li>${prose(each)}`)}</ul>`;
}
