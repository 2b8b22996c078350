export interface TextCase {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly string[];
}

/**
 * Texts with the problems that they have, separated by empty lines: `== ` and a name, the lines of the text, and behind
 * `-> ` each of its problems, none where it is valid. Without a name the text is its own.
 */
export function textCases(table: string): readonly TextCase[] {
  const blocks = table.trim().split('\n\n');
  return blocks.map((block) => {
    const lines = block.split('\n');
    const marked = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
    const text = lines.filter((line) => !/^(?:==|->) /.test(line)).join('\n');
    const [name = text] = marked('== ');
    return { name, text, problems: marked('-> ') };
  });
}
