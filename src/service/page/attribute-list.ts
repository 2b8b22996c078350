import { html, type Markup } from '../markup.ts';
import type { HeldAttribute } from '../store/holdings.ts';
import { shownText } from './shown-text.ts';

/** The attribute definitions of the team, as the world file lists them: each name with its id. */
export function attributeList(attributes: readonly HeldAttribute[]): Markup {
  return html`<dl class="attributes">${attributes.map(
    ({ id, name }) =>
      html`<div data-row><dt>${shownText(name)}</dt><dd class="id">${shownText(id)}</dd></div>`,
  )}</dl>`;
}
