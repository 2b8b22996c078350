import { visibly } from './invisible.ts';
import { html, type Markup } from './markup.ts';

/** Code points of one text that are shown. The interface limits few texts, and the page should stay readable. */
const maxShown = 400;

/**
 * Text from a record, kept in its place: its writing direction ends where it ends, and characters that can't be seen or
 * turn others around are shown by their number, as are blanks alone. `<bdi>` also tells the filter what to search in. At
 * most `most` code points are shown, and how many more there are.
 */
export function shownText(text: string, most: number = maxShown): Markup {
  if (text === '') return html`<i class="faint">empty</i>`;
  return html`<bdi>${visible(text, most)}</bdi>`;
}

/** The same in fewer bytes, for pages with very many texts: one of ASCII letters and signs disturbs nothing around it. */
export function leanText(text: string): Markup {
  return /^(?! *$)[ -~]{1,400}$/.test(text) ? html`${text}` : shownText(text);
}

/** The same for text that the filter should not search, such as a timestamp. */
export function asideText(text: string): Markup {
  return html`<bdi class="aside">${visible(text, maxShown)}</bdi>`;
}

function visible(text: string, most: number): readonly (string | Markup)[] {
  // Two code units each at most: most texts are short enough without being counted.
  const cut = text.length > most ? [...text.slice(0, most * 2)].slice(0, most).join('') : text;
  const more = text.length - cut.length;
  const parts = cut.trim() === '' ? [...cut].map(named) : visibly(cut, named);
  return more > 0 ? [...parts, html`<i class="faint"> … and ${grouped(more)} more</i>`] : parts;
}

function named(character: string): Markup {
  const number = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return html`<span class="code">U+${number}</span>`;
}

/** A count of things, with thin spaces between thousands: `10 000`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
