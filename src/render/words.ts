const LONGEST = 60;

/**
 * Text from a file as a message shows it: between backquotes, of which it shows none of its own, and cut where it
 * would drown the sentence.
 */
export function quoted(whole: string): string {
  const text = whole.replaceAll('`', "'");
  const characters = text.length > LONGEST ? [...text.slice(0, 2 * LONGEST)] : undefined;
  if (!characters || characters.length <= LONGEST) return `\`${text}\``;
  return `\`${characters.slice(0, LONGEST - 1).join('')}…\``;
}

/** A text as one word of a command that is shown to be typed. */
export function quotedForShell(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `1 item`, `2 items`, `78 classifiers`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${plural(number, noun)}`;
}

/** The noun for so many, for nouns whose plural ends with an s. */
export function plural(number: number, noun: string): string {
  return number === 1 ? noun : `${noun}s`;
}
