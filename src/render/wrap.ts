/** What a terminal is assumed to show in one line. */
export const WIDTH = 80;

/**
 * Breaks a text at spaces so that lines fit. A word that is too long stays whole, and so does a command at the
 * end ("...: trove ..."), which gets a line of its own where it does not fit: people copy it.
 */
export function wrap(text: string, first: string, rest: string): readonly string[] {
  const { prose, command } = splitCommand(text);
  const lines = wrapWords(prose, first, rest);
  if (command === undefined) return lines;
  const whole = `${lines.at(-1)} ${command}`;
  return whole.length <= WIDTH ? [...lines.slice(0, -1), whole] : [...lines, `${rest}${command}`];
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

/** CI systems take `::` and `##[` at the beginning of a line for commands, also behind blanks. */
function harmless(word: string): string {
  return /^(?:::|##\[)/.test(word) ? `\\${word}` : word;
}

function splitCommand(text: string): { readonly prose: string; readonly command?: string } {
  const at = text.lastIndexOf(': trove ');
  return at === -1 ? { prose: text } : { prose: text.slice(0, at + 1), command: text.slice(at + 2) };
}
