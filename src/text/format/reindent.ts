import { isCollection, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import { lineAt, lineStarts } from '../line-starts.ts';
import { ELEMENT, indentsOf, type Line, STEP } from './indents.ts';

/**
 * Gives every block of a YAML text two blanks more than the one around it, comments the indent of what they stand
 * with, and drops blanks at the ends of lines. Lines of one value keep their places to each other. `contents` is what
 * `yaml` makes of the text, whose lines end with a line feed.
 */
export function reindent(text: string, contents: unknown): string {
  const lines = text.split('\n').map(lineOf);
  const starts = lineStarts(text);
  markBlock(contents, 0, { text, lines, starts });
  const indents = indentsOf(lines);
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
  const rest = text.slice(indent).replace(/^\t[ \t]*/, '');
  return {
    text,
    indent,
    isEntry: ELEMENT.test(text),
    kind: rest === '' ? 'blank' : rest.startsWith('#') ? 'comment' : 'code',
  };
}

function markBlock(node: unknown, wanted: number, marking: Marking): void {
  if (!isCollection(node) || node.flow || !node.range) {
    if (isNode(node)) markOwnLine(node, wanted, marking);
    markInside(node, marking);
  } else if (isMap(node)) {
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
  if (isMap(node) && !node.flow)
    for (const { key, value } of node.items) {
      if (isNode(key) && key.range) markStart(key.range[0], undefined, marking);
      markInside(value, marking);
    }
  else if (isSeq(node) && !node.flow) for (const item of node.items) markInside(item, marking);
  else if ((isScalar(node) || isCollection(node)) && node.range) markLong(node, marking);
}

/** A short value on a line below its key. */
function markOwnLine({ range }: Node, wanted: number, { text, lines, starts }: Marking): void {
  const [start = 0, end = 0] = range ?? [];
  const at = lineAt(starts, start);
  const line = lines[at];
  if (line && end > start && lineAt(starts, end) === at && text.slice(starts[at], start).trim() === '')
    line.wanted = wanted;
}

function markStart(offset: number, wanted: number | undefined, { text, lines, starts }: Marking): void {
  const at = lineAt(starts, offset);
  const line = lines[at];
  if (!line || text.slice(starts[at], offset).trim() !== '') return;
  line.isEntry = true;
  if (wanted !== undefined) line.wanted = wanted;
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

/** What ends a line inside of a long value may count. */
function withIndent({ text, indent, kind, inner }: Line, wanted: number, goesOn: boolean): string {
  if (!inner && !goesOn && kind === 'blank') return '';
  if (inner || goesOn) return ' '.repeat(wanted) + text.slice(indent);
  const rest = kind === 'comment' ? text.replace(/^[ \t]+/, '') : text.slice(indent);
  return ' '.repeat(wanted) + rest.replace(/[ \t]+$/, '');
}
