import { html, type Markup } from '../../markup/markup.ts';
import { shownText } from '../../markup/shown-text.ts';
import type { HeldAttribute } from '../store/holdings.ts';

/** The attribute definitions of the team, as the world file lists them: each name with its id. */
export function attributeList(attributes: readonly HeldAttribute[]): Markup {
  return html`<dl class="attributes">${attributes.map(
    ({ id, name }) =>
      html`<div data-row><dt>${shownText(name)}</dt><dd class="id">${shownText(id)}</dd></div>`,
  )}</dl>`;
}
