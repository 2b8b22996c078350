import { createHash } from 'node:crypto';

/**
 * HTML that is safe to send. Text becomes markup only through `html`, which escapes it, so no value can
 * be forgotten: where markup is wanted, a string does not fit the type.
 */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * The template as it is written, with each value escaped for text and for quoted attributes. A list is put
 * together without separators, `undefined` and `false` are nothing.
 */
export function html(template: TemplateStringsArray, ...values: readonly Insertion[]): Markup {
  return new Markup(String.raw({ raw: template }, ...values.map(inserted)));
}

function inserted(value: Insertion): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(inserted).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export type Insertion = Markup | string | number | false | undefined | readonly Insertion[];

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

/**
 * A link and never an image: to look at a page of records must not contact a server that a record names. Text that
 * is no web address is only shown.
 */
export function shownLink(text: string, shown: Insertion = shownText(text)): Markup {
  return isWebAddress(text)
    ? html`<a class="thumbnail" href="${new URL(text).href}" rel="noopener noreferrer nofollow">${shown}</a>`
    : html`<span class="thumbnail">${shown}</span>`;
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** How a page's policy names the one script, or the one style, that it allows. */
export function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** An emoji of several characters, of which some show nothing by themselves. The lookahead keeps the search fast. */
const EMOJI = String.raw`(?=.\p{Emoji_Modifier}?[\u200D\uFE0F\u{E0020}-\u{E007F}])\p{RGI_Emoji}`;
/**
 * Controls, halves of characters, line separators, and everything that shows nothing (marks of direction, joiners,
 * fillers, tags): text with one of them reads as another text.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]`;
/** Formatting that shows nothing either. The signs of Arabic and its neighbors that count as such are visible. */
const FORMAT = String.raw`(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}`;
/** Spaces that look like the one of the keyboard. The wide one of East Asia does not. */
const SPACE = String.raw`(?![ \u3000])\p{Zs}`;

const INVISIBLE = new RegExp(`(${EMOJI})|${UNSEEN}|${FORMAT}|${SPACE}`, 'gv');

/** The parts of a text in their order: what can be seen as it is, and `named` for each character that can't. */
export function visibly<T>(text: string, named: (character: string) => T): readonly (string | T)[] {
  if (/^[ -~]*$/.test(text)) return [text];
  const parts: (string | T)[] = [];
  let start = 0;
  for (const { 0: character, 1: emoji, index } of text.matchAll(INVISIBLE)) {
    if (emoji !== undefined) continue;
    parts.push(text.slice(start, index), named(character));
    start = index + character.length;
  }
  return [...parts, text.slice(start)];
}
