import { type CastingContext, CsvError, parse } from 'csv-parse/sync';
import { type Diagnostic, error, failure, type Result, success } from './diagnostic.ts';
import type { Location, SourceText } from './source.ts';

/** One cell of a table: its text without quotes and outer blanks, and where it is written. */
export interface CsvCell {
  readonly text: string;
  readonly location: Location;
}

/** More than an import of any team has; a file of commas alone would be 16 million of them. */
const MOST_CELLS = 500_000;

/** What stands between two cells: around a comma, or at the end of a row with the empty lines behind it. */
const COMMA = /\s*,[ \t\f]*/y;
const LINES = /(?:\s*[\r\n])?[ \t\f]*/y;

/**
 * Reads a table of comma-separated values (RFC 4180; any line break, blanks around cells do not count). Empty
 * lines are left out; rows may differ in length. Of several broken quotes it gives the first, since what follows
 * one can't be told apart.
 */
export function readCsv(source: SourceText): Result<readonly (readonly CsvCell[])[]> {
  const cells: CsvCell[] = [];
  let at = 0;
  const skip = (between: RegExp) => {
    between.lastIndex = at;
    if (between.test(source.text)) at = between.lastIndex;
  };
  // The parser turns each row of another length into JSON, and a cell leads to the whole text: it gets its place here.
  const cast = (text: string, { index, quoting }: CastingContext): number => {
    skip(index === 0 ? LINES : COMMA);
    const start = at;
    at += quoting ? text.replaceAll('"', '""').length + 2 : text.length;
    if (cells.push({ text, location: { source, start, end: at } }) > MOST_CELLS)
      throw new Error('There are too many cells.');
    return cells.length - 1;
  };
  try {
    const rows: unknown = parse(source.text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      cast,
    });
    return success(
      (rows as readonly (readonly number[])[]).map((row) => row.flatMap((each) => cells[each] ?? [])),
    );
  } catch (problem) {
    if (cells.length > MOST_CELLS)
      return failure(error('csv-size', { most: MOST_CELLS }, { subject: source.path }));
    if (!(problem instanceof CsvError)) throw problem;
    skip(LINES);
    skip(COMMA);
    return failure(brokenQuote(problem, { source, start: at, end: at }));
  }
}

function brokenQuote({ code }: CsvError, { source, start }: Location): Diagnostic {
  const { line, column } = source.positionAt(start);
  const end = start + Math.max(1, source.line(line).length - column + 1);
  return error('csv-syntax', { code }, { location: { source, start, end } });
}
