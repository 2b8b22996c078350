import { html, type Markup } from '../../markup/markup.ts';
import { asideText } from '../../markup/shown-text.ts';

/** Timestamp text: to the minute where it is ISO 8601 in UTC, otherwise as it stands, since clients may set it. */
export function shownTime(text: string): Markup {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d{1,9})?Z$/.exec(text) ?? [];
  if (day === undefined || minute === undefined) return asideText(text);
  return html`<time datetime="${text}">${day} ${minute}</time>`;
}
