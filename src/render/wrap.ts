/** What a terminal is assumed to show in one line. */
export const WIDTH = 80;

/**
 * Breaks a text at spaces so that lines fit. A word that is too long stays whole, and so does a command at the
 * end ("...: trove ..."), which gets a line of its own where it does not fit: people copy it.
 */
export function wrap(text: string, first: string, rest: string): readonly string[] {
  const { prose, command } = splitCommand(text);
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of prose.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest + word;
    } else {
      line += empty ? word : ` ${word}`;
    }
    empty = false;
  }
  if (command === undefined) return [...lines, line];
  const whole = `${line} ${command}`;
  return whole.length <= WIDTH ? [...lines, whole] : [...lines, line, `${rest}${command}`];
}

function splitCommand(text: string): { readonly prose: string; readonly command?: string } {
  const at = text.lastIndexOf(': trove ');
  return at === -1 ? { prose: text } : { prose: text.slice(0, at + 1), command: text.slice(at + 2) };
}
