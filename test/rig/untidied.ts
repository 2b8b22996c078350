import fc from './property.ts';

/**
 * The text with what people leave in files: comments at any column, beside and between, blanks at the ends of lines,
 * lines of blanks, values on a line of their own, marks of a document, a last line that does not end. What comes out
 * may not be valid, or say something else than before.
 */
export function untidied(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(fc.nat(changes.length - 1), fc.nat(9999), fc.nat(9999)), { maxLength: 12 })
    .map((drawn) =>
      drawn.reduce(
        (before, [which, where, how], count) => {
          const change = changes[which];
          return change ? change(before, where, { how, note: `# note ${count}` }) : before;
        },
        text.replaceAll('\r\n', '\n'),
      ),
    );
}

type Change = (text: string, where: number, drawn: { how: number; note: string }) => string;

const changes: readonly Change[] = [
  (text, where, { how, note }) => atLine(text, where, (line) => `${' '.repeat(how % 14)}${note}\n${line}`),
  (text, where, { how, note }) =>
    atLine(text, where, (line) => `${indentOf(line)}${note}\n${how % 2 ? '\n' : ''}${line}`),
  (text, where, { how, note }) =>
    atLine(text, where, (line) => `${line}\n${indentOf(line)}${' '.repeat(how % 5)}${note}`),
  (text, where, { how, note }) =>
    atLine(text, where, (line) => `${line}${[' ', '   ', '\t'][how % 3]}${note}`),
  (text, where, { how }) => atLine(text, where, (line) => `${line}${[' ', '   ', '\t'][how % 3]}`),
  (text, where, { how }) =>
    atLine(text, where, (line) => `${['', '  ', '\t', '\n\n', '       '][how % 5]}\n${line}`),
  (text, where, { how, note }) =>
    atMatch(
      text,
      /: (?=\S)/g,
      where,
      (indent) => `:${how % 2 ? ` ${note}` : ''}\n${indent}${' '.repeat(1 + (how % 7))}`,
    ),
  (text, where, { how, note }) =>
    atMatch(text, /[{,] (?=\S)/g, where, (indent) => `{, ${note}\n${indent}${' '.repeat(1 + (how % 7))}`),
  (text, where, { how }) =>
    atMatch(text, /, (?=\S)/g, where, (indent) => `,\n${indent}${' '.repeat(1 + (how % 7))}`),
  (text, _, { how, note }) => `${how % 2 ? `${note}\n` : ''}---${how % 3 ? '' : ` ${note}b`}\n${text}`,
  (text, _, { how, note }) => `${text}...\n${how % 2 ? `${note}\n` : ''}`,
  (text) => text.replace(/\n$/, ''),
  (text, _, { note }) => `${text}\n\n   ${note}`,
  (text) => text.replaceAll(/\r?\n/g, '\r\n'),
  (text) => `%YAML 1.2\n---\n${text}`,
];

function atLine(text: string, where: number, change: (line: string) => string): string {
  const lines = text.split('\n');
  const at = where % lines.length;
  return lines.with(at, change(lines[at] ?? '')).join('\n');
}

function atMatch(text: string, wanted: RegExp, where: number, instead: (indent: string) => string): string {
  const matches = [...text.matchAll(wanted)];
  const match = matches[where % Math.max(1, matches.length)];
  if (!match) return text;
  const line = text.slice(text.lastIndexOf('\n', match.index) + 1);
  const mark = match[0].startsWith('{') ? '{' : match[0].startsWith(',') ? ',' : '';
  const written = instead(indentOf(line)).replace(/^\{,/, mark);
  return text.slice(0, match.index) + written + text.slice(match.index + match[0].length);
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
}
