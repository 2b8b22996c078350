import { isCollection, isMap, isNode, isScalar, isSeq, type Node, parseDocument } from 'yaml';

const STEP = 2;

/** What is known of one line. */
interface Line {
  readonly text: string;
  readonly indent: number;
  readonly kind: 'blank' | 'comment' | 'code';
  /** Where an entry of a block begins: the indent that it gets. */
  wanted?: number;
  /** Part of a value of several lines: only moved as a whole. */
  inner?: boolean;
}

/**
 * Gives every block of a YAML text two blanks more than the one around it, comments the indent of what they stand
 * with, and drops blanks at the ends of lines. Lines of one value keep their places to each other.
 */
export function reindent(text: string): string {
  const lines = text.split('\n').map(lineOf);
  const starts = startsOf(text);
  markBlock(parseDocument(text).contents, 0, { text, lines, starts });
  const indents = newIndents(lines);
  return lines
    .map((line, at) => withIndent(line, indents[at] ?? line.indent, lines[at + 1]?.inner === true))
    .join('\n');
}

interface Marking {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly starts: readonly number[];
}

function lineOf(text: string): Line {
  const indent = /^ */.exec(text)?.[0].length ?? 0;
  const rest = text.slice(indent).trimStart();
  return { text, indent, kind: rest === '' ? 'blank' : rest.startsWith('#') ? 'comment' : 'code' };
}

function markBlock(node: unknown, wanted: number, marking: Marking): void {
  if (!isCollection(node) || node.flow || !node.range) markInside(node, marking);
  else if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (isNode(key) && key.range) markStart(key.range[0], wanted, marking);
      markBlock(value, wanted + STEP, marking);
    }
  } else {
    markStart(node.range[0], wanted, marking);
    markInside(node, marking);
  }
}

/** The elements of a list move with its first line; only their long values must be known. */
function markInside(node: unknown, marking: Marking): void {
  if (isMap(node) && !node.flow) for (const { value } of node.items) markInside(value, marking);
  else if (isSeq(node) && !node.flow) for (const item of node.items) markInside(item, marking);
  else if ((isScalar(node) || isCollection(node)) && node.range) markLong(node, marking);
}

function markStart(offset: number, wanted: number, { text, lines, starts }: Marking): void {
  const at = lineAt(starts, offset);
  const line = lines[at];
  if (line && text.slice(starts[at], offset).trim() === '') line.wanted = wanted;
}

/** From the second line on; of a block scalar its first line, too, has blanks that may count. */
function markLong({ range }: Node, { text, lines, starts }: Marking): void {
  const [start = 0, end = 0] = range ?? [];
  const last = lineAt(starts, text[end - 1] === '\n' ? end - 1 : end);
  for (let at = lineAt(starts, start) + 1; at <= last; at++) {
    const line = lines[at];
    if (line) line.inner = true;
  }
}

/** The indents of all lines, in three steps: entries, what follows them, comments. */
function newIndents(lines: readonly Line[]): readonly number[] {
  let shift = 0;
  const indents = lines.map(({ indent, kind, wanted, inner }) => {
    if (wanted !== undefined) shift = wanted - indent;
    return inner || kind === 'code' ? Math.max(0, indent + shift) : indent;
  });
  for (const [at, line] of lines.entries())
    if (line.kind === 'comment' && !line.inner) indents[at] = commentIndent(lines, indents, at);
  return indents;
}

/** That of the entry below; a comment further in than that belongs to what is above. */
function commentIndent(lines: readonly Line[], indents: readonly number[], at: number): number {
  const own = lines[at]?.indent ?? 0;
  let next = at + 1;
  while (next < lines.length && (lines[next]?.kind !== 'code' || lines[next]?.inner)) next++;
  const below = lines[next];
  if (below && own <= below.indent) return indents[next] ?? 0;
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above];
    if (line?.wanted !== undefined && line.indent <= own) return line.wanted;
  }
  return 0;
}

/** What ends a line inside of a long value may count. */
function withIndent({ text, indent, kind, inner }: Line, wanted: number, goesOn: boolean): string {
  const rest = text.slice(indent);
  if (inner || goesOn) return ' '.repeat(wanted) + rest;
  const ending = text.endsWith('\r') ? '\r' : '';
  return kind === 'blank' ? ending : ' '.repeat(wanted) + rest.trimEnd() + ending;
}

function startsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
