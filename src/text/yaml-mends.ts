import { quoted } from './quoted.ts';
import { missingBracket, type YamlError } from './yaml-errors.ts';
import { besides, indents, tabs } from './yaml-indent-mends.ts';
import type { Mend } from './yaml-mend.ts';

/** What people write by hand is shorter; trying much in a long line takes long. */
const LONGEST_LINE = 1000;

/** An error, and the line (from 0) and column of it and of what it leaves open. */
export interface PlacedError extends YamlError {
  readonly line: number;
  readonly opened?: { readonly line: number; readonly column: number };
}

/** What people who write YAML by hand get wrong, near an error: the likeliest first. */
export function mendsNear(lines: readonly string[], error: PlacedError): readonly Mend[] {
  const isShort = (line: number) => (lines[line] ?? '').length <= LONGEST_LINE;
  const near = [error.line, besides(lines, error.line, 1), besides(lines, error.line, -1)]
    .filter((line) => line !== undefined)
    .filter(isShort);
  return [
    ...near.flatMap((line) => tabs(lines, line)),
    ...(error.opened && isShort(error.opened.line) ? closings(lines, error, error.opened) : []),
    ...near.flatMap((line) => [...colons(lines, line), ...dashes(lines, line)]),
    ...near.slice(0, 1).flatMap((line) => strays(lines, line)),
    ...near.flatMap((line) => indents(lines, line)),
  ];
}

/** The quote or bracket that is missing may belong to the end of its line or before a comma or bracket in it. */
function closings(
  lines: readonly string[],
  error: PlacedError,
  { line, column }: NonNullable<PlacedError['opened']>,
): readonly Mend[] {
  const text = lines[line] ?? '';
  const missing = missingBracket(error) ?? text.charAt(column);
  const about = { line, start: column, end: column + 1 };
  const isQuote = missingBracket(error) === undefined;
  const message = isQuote
    ? 'the quote that is opened here is never closed'
    : `no ${quoted(missing)} closes the bracket that is opened here`;
  const ends = [...text.matchAll(/\s*(?:[,}\]]|(?:\s#.*)?$)/g)].map(({ index }) => index);
  const inserted = ends
    .filter((at) => at > column)
    .map((at) => ({ ...about, message, lines: changed(line, text, at, at, missing) }));
  const wrong = isQuote ? -1 : text.slice(column).search(missing === ']' ? /\}/ : /\]/) + column;
  if (wrong < column) return inserted;
  const instead = `${quoted(missing)} would close the bracket that is opened before it, and this is ${quoted(text.charAt(wrong))}`;
  const replaced = { line, start: wrong, end: wrong + 1, message: instead };
  return [...inserted, { ...replaced, lines: changed(line, text, wrong, wrong + 1, missing) }];
}

/** `name Sword`, `name:Sword`, `name = Sword`, `name` */
function colons(lines: readonly string[], line: number): readonly Mend[] {
  const text = lines[line] ?? '';
  const [, before = '', key = '', sign = '', value = ''] =
    /^(\s*(?:- +)?)(\w[\w-]*)(\s*[:=]\s*|\s+|$)(.*)$/.exec(text) ?? [];
  if (key === '' || /[:#]/.test(value)) return [];
  const start = before.length;
  const end = start + key.length;
  const mended = new Map([[line, `${before}${key}: ${value}`]]);
  if (sign === ':' && value !== '') {
    const message = 'a blank is missing behind the colon';
    return [{ lines: mended, line, start: end, end: end + 1, message }];
  }
  // It may also be the rest of a text that should have been indented further.
  const isText = /\S\s+\S/.test(value);
  const message = isText
    ? 'a key must stand on one line, followed by a colon'
    : 'a colon is missing behind this key';
  return [{ lines: mended, line, start, end: isText ? text.trimEnd().length : end, message }];
}

/** An entry of a list that lost its dash, or the blank behind it. */
function dashes(lines: readonly string[], line: number): readonly Mend[] {
  const text = lines[line] ?? '';
  const above = besides(lines, line, -1);
  if (above === undefined || !/^\s*- /.test(lines[above] ?? '')) return [];
  const [, indent = '', dash = '', value = ''] = /^(\s*)(-?)(.*)$/.exec(text) ?? [];
  if (/:(?:\s|$)/.test(value) || value.startsWith(' ')) return [];
  const message =
    dash === '' ? 'a list entry begins with a dash and a blank' : 'a blank is missing behind the dash';
  const start = indent.length;
  return [
    {
      lines: new Map([[line, `${indent}- ${value}`]]),
      line,
      start,
      end: start + (dash.length || value.trimEnd().length),
      message,
    },
  ];
}

/** A closing bracket too many. */
function strays(lines: readonly string[], line: number): readonly Mend[] {
  const text = lines[line] ?? '';
  return [...text.matchAll(/[}\]]/g)].toReversed().map(({ index, 0: bracket }) => ({
    lines: changed(line, text, index, index + 1, ''),
    line,
    start: index,
    end: index + 1,
    message: `no bracket is open that this ${quoted(bracket)} could close`,
  }));
}

function changed(
  line: number,
  text: string,
  from: number,
  to: number,
  put: string,
): ReadonlyMap<number, string> {
  return new Map([[line, text.slice(0, from) + put + text.slice(to)]]);
}
