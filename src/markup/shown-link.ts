import { html, type Markup } from './markup.ts';
import { shownText } from './shown-text.ts';

/**
 * A link and never an image: to look at a page of records must not ask a server that somebody put into one. With a
 * label it says that instead of its address; text that is no web address is shown as it is.
 */
export function shownLink(text: string, label?: string): Markup {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const followable = address?.protocol === 'https:' || address?.protocol === 'http:';
  const shown = shownText(text);
  return address !== undefined && followable
    ? html`<a class="thumbnail" href="${address.href}" rel="noopener noreferrer nofollow">${label ?? shown}</a>`
    : html`<span class="thumbnail">${shown}</span>`;
}
