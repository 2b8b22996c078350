import { CsvError, parse } from 'csv-parse/sync';
import { type Diagnostic, error, failure, type Result, success } from './diagnostic.ts';
import type { Location, SourceText } from './source.ts';

/** One cell of a table: its text without quotes and outer blanks, and where it is written. */
export interface CsvCell {
  readonly text: string;
  readonly location: Location;
}

/** More than an import of any team has; a file of commas alone would be 16 million of them. */
const MOST_CELLS = 500_000;

/**
 * Reads a table of comma-separated values (RFC 4180; any line break, blanks around cells do not count). Empty
 * lines are left out; rows may differ in length. Of several broken quotes it gives the first, since what follows
 * one can't be told apart.
 */
export function readCsv(source: SourceText): Result<readonly (readonly CsvCell[])[]> {
  const cells = cellReader(source);
  try {
    const rows: unknown = parse(source.text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      // Not the cell: the parser turns each row of another length into JSON, and a cell leads to the whole text.
      cast: (text, { bytes }) => cells.next(text, bytes),
    });
    return success(
      (rows as readonly (readonly number[])[]).map((row) => row.flatMap((at) => cells.all[at] ?? [])),
    );
  } catch (problem) {
    if (cells.all.length > MOST_CELLS)
      return failure(error('csv-size', { most: MOST_CELLS }, { subject: source.path }));
    if (!(problem instanceof CsvError)) throw problem;
    return failure(brokenQuote(problem, cells.rest()));
  }
}

/** Follows the parser, which says at which byte each cell ends, and turns that into places of the text. */
function cellReader(source: SourceText) {
  const bytes = Buffer.from(source.text);
  const all: CsvCell[] = [];
  let at = { byte: 0, offset: 0 };
  const upTo = (end: number): Location => {
    const text = bytes.toString('utf8', at.byte, end);
    const start = at.offset + text.length - text.trimStart().length;
    const location = { source, start, end: Math.max(start, at.offset + text.trimEnd().length) };
    at = { byte: end, offset: at.offset + text.length };
    return location;
  };
  return {
    all,
    /** Gives the place of the cell in `all`. */
    next(text: string, end: number): number {
      const location = upTo(end);
      // The comma, or the first character of the line break.
      if (end < bytes.length) at = { byte: end + 1, offset: at.offset + 1 };
      all.push({ text, location });
      if (all.length > MOST_CELLS) throw new Error('There are too many cells.');
      return all.length - 1;
    },
    rest: (): Location => upTo(bytes.length),
  };
}

function brokenQuote({ code }: CsvError, { source, start }: Location): Diagnostic {
  const { line, column } = source.positionAt(start);
  const end = start + Math.max(1, source.line(line).length - column + 1);
  return error('csv-syntax', { code }, { location: { source, start, end } });
}
