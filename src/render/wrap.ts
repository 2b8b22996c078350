/** What a terminal is assumed to show in one line. */
export const WIDTH = 80;

/** `trove` with the words behind it that are part of the command: quoted ones may hold anything. */
export const COMMAND = /\btrove(?: (?!(?:and|or|to|since)\b)(?:'[^']*'|[^\s,;'])+)+/g;
/** What is to be written into a file, short enough for a line of its own. */
const SNIPPET = /`[^`]{1,64}`/g;
/** Stands for the blanks of a command meanwhile, so that no line ends at them. Escaped text has no such character. */
const GLUE = '\0';

/**
 * Breaks an escaped text at spaces so that lines fit. A word that is too long stays whole, and so does a command ("trove
 * ...") and a `snippet` of YAML, which begin a line of their own where they do not fit: people copy them.
 */
export function wrap(text: string, first: string, rest: string): readonly string[] {
  const glue = (part: string) => part.replaceAll(' ', GLUE);
  const glued = text.replace(COMMAND, glue).replace(SNIPPET, glue);
  return wrapWords(glued, first, rest).map((line) => line.replaceAll(GLUE, ' '));
}

/** The same for a text that is not ours, in which nothing is a command. */
export function wrapWords(text: string, first: string, rest: string): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest + harmless(word);
    } else {
      line += empty ? harmless(word) : ` ${word}`;
    }
    empty = false;
  }
  return [...lines, line];
}

/** For what a line begins with: CI systems take `::` and `##[` there for commands, also behind blanks. */
export function harmless(word: string): string {
  return /^(?:::|##\[)/.test(word) ? `\\${word}` : word;
}
