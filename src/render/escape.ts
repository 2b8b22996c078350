// C0 and C1 controls, the separators that some terminals and log viewers take for line breaks, the marks that
// reorder or hide text (so that a line can't be made to read as another), and lone surrogates.
const UNSAFE =
  /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

/** Text from a file, a service or the environment, made safe for one line of a terminal: controls become visible. */
export function escapeTerminal(text: string): string {
  return text.replace(UNSAFE, (character) => NAMED[character] ?? codePoint(character));
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return `\\u${hex}`;
}
