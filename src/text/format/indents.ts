/** By how many blanks a block is further in than the one around it. */
export const STEP = 2;
/** Where a document begins or ends, and what is said of it. */
const MARK = /^(?:(?:---|\.\.\.)(?:\s|$)|%)/;
/** An anchor or a tag on a line of its own. */
const PROPERTIES = /^ *[&!]\S*\s*(?:#|$)/;
/** An element of a list. */
export const ELEMENT = /^ *-(?:\s|$)/;

/** What is known of one line. */
export interface Line {
  readonly text: string;
  readonly indent: number;
  readonly kind: 'blank' | 'comment' | 'code';
  /** Where an entry of a block begins, or an element of a list. */
  isEntry: boolean;
  /** The indent that an entry gets; one in a list moves with the list. */
  wanted?: number;
  /** Part of a value of several lines: only moved as a whole. */
  inner?: boolean;
}

/** The indents of all lines, in three steps: entries, what follows them, comments. */
export function indentsOf(lines: readonly Line[]): readonly number[] {
  let shift = 0;
  const indents = lines.map(({ text, indent, kind, wanted, inner }) => {
    if (wanted !== undefined) shift = wanted - indent;
    if (!inner && MARK.test(text)) shift = 0;
    return inner || kind === 'code' ? Math.max(0, indent + shift) : indent;
  });
  for (let at = 0; at < lines.length; at++) {
    const end = endOfComments(lines, at);
    indentComments(lines, indents, at, end);
    at = end;
  }
  return indents;
}

/** Where the comments and blank lines from `at` on end: at code, or behind the last line. */
function endOfComments(lines: readonly Line[], at: number): number {
  let end = at;
  while (end < lines.length && lines[end]?.kind !== 'code' && !lines[end]?.inner) end++;
  return end;
}

/**
 * Comments get the indent of the entry below, at `end`. Those that are further in belong to what is above, up to the
 * first that is not.
 */
function indentComments(lines: readonly Line[], indents: number[], from: number, end: number): void {
  const below = lines[end];
  let column = Number.POSITIVE_INFINITY;
  for (let at = from; at < end; at++) {
    const { kind, text } = lines[at] as Line;
    if (kind !== 'comment') continue;
    column = Math.min(column, text.search(/\S/));
    const isBelow = below && !MARK.test(below.text) && (column <= below.indent || !below.isEntry);
    const behind = isBelow ? undefined : indentBehind(lines, indents, from, column);
    indents[at] = behind ?? indents[end] ?? 0;
  }
}

/** That of the block that a comment stands in, or inside of the entry that it is further in than, if there is one. */
function indentBehind(
  lines: readonly Line[],
  indents: readonly number[],
  from: number,
  own: number,
): number | undefined {
  for (let above = from - 1; above >= 0; above--) {
    const line = lines[above];
    if (line?.kind !== 'code' || line.inner || line.indent > own || PROPERTIES.test(line.text)) continue;
    if (MARK.test(line.text)) return undefined;
    const indent = indents[above] ?? 0;
    const isFree = line.wanted !== undefined && !ELEMENT.test(line.text) && !lines[above + 1]?.inner;
    return indent + (isFree && own > line.indent ? STEP : own - line.indent);
  }
  return undefined;
}
