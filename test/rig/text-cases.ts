export interface TextCase {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly string[];
}

/**
 * Texts with the problems that they have: behind `== ` a name, which may be missing where the text says it itself, then
 * the lines of the text, and behind `-> ` each of its problems, none where it is valid.
 */
export function textCases(table: string): readonly TextCase[] {
  // A case begins with its name, or after the problems of the one before.
  const blocks = table.trim().split(/\n(?=== )|(?<=\n-> .*)\n(?!-> )/);
  return blocks.map((block) => {
    const lines = block.split('\n');
    const marked = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
    const text = lines.filter((line) => !/^(?:==|->) /.test(line)).join('\n');
    const [name = text] = marked('== ');
    return { name, text, problems: marked('-> ') };
  });
}
