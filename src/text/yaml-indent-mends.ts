import type { Mend } from './yaml-mend.ts';

/** An indentation with a tab in it. */
export function tabs(lines: readonly string[], line: number): readonly Mend[] {
  const text = lines[line] ?? '';
  const [indent = ''] = /^\s*/.exec(text) ?? [];
  if (!indent.includes('\t')) return [];
  const message = 'indentation is made of spaces, and there is a tab here';
  return fittingIndents(lines, line).map((width) => ({
    lines: new Map([[line, ' '.repeat(width) + text.slice(indent.length)]]),
    line,
    start: indent.indexOf('\t'),
    end: indent.length,
    message,
  }));
}

/** The indentation of one line, the nearest first. */
export function indents(lines: readonly string[], line: number): readonly Mend[] {
  const text = lines[line] ?? '';
  const content = text.trimStart();
  const own = text.length - content.length;
  if (content === '' || content.startsWith('#') || text.slice(0, own).includes('\t')) return [];
  return fittingIndents(lines, line)
    .filter((width) => width !== own)
    .toSorted((one, other) => Math.abs(one - own) - Math.abs(other - own))
    .map((width) => ({
      lines: new Map([[line, ' '.repeat(width) + content]]),
      line,
      start: 0,
      end: own + 1,
      message: `this line is indented by ${own}, which does not fit the lines around it`,
      isIndent: true,
    }));
}

/** Those of the lines around it, and of the entries that these stand in. */
function fittingIndents(lines: readonly string[], line: number): readonly number[] {
  const widths = new Set<number>();
  let above = besides(lines, line, -1);
  let least = Number.POSITIVE_INFINITY;
  if (above !== undefined && /:\s*$/.test(lines[above] ?? '')) widths.add(widthOf(lines[above]) + 2);
  for (; above !== undefined && least > 0; above = besides(lines, above, -1)) {
    const width = widthOf(lines[above]);
    if (width < least && !/^\s*\t/.test(lines[above] ?? '')) {
      widths.add(width);
      least = width;
    }
  }
  const next = besides(lines, line, 1);
  // A list entry that is moved under a text would be swallowed by it.
  if (next !== undefined && !/^\s*-/.test(lines[line] ?? '')) widths.add(widthOf(lines[next]));
  return [...widths];
}

function widthOf(text = ''): number {
  return text.length - text.trimStart().length;
}

/** The next line, or with -1 the one before, that has anything but a comment. */
export function besides(lines: readonly string[], from: number, step: 1 | -1): number | undefined {
  for (let line = from + step; line >= 0 && line < lines.length; line += step)
    if (/^\s*[^\s#]/.test(lines[line] ?? '')) return line;
  return undefined;
}
