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
