import { type CsvCell, readCsv } from '../../text/csv.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { problemsIn } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { SourceText } from '../../text/source.ts';
import type { NamedId, NamedIds, Place } from './named-id.ts';

const columns = ['address', 'id'] as const;

type Column = (typeof columns)[number];
type Row = readonly CsvCell[];

/** Ids in CSV: the first row names the columns, of which `address` and `id` count, in any order. */
export function readIdTable(source: SourceText): NamedIds {
  const read = readCsv(source);
  if (!read.ok) return { ids: [], problems: read.diagnostics };
  const [header = [], ...rows] = read.value;
  const at = { address: indexOf('address', header), id: indexOf('id', header) };
  const problems = headerProblems(header, source);
  if (problems.length > 0) return { ids: [], problems };
  const named = rows.map((row) => namedIn(row, at));
  return {
    ids: named,
    problems: problemsIn(named, ({ id, place }) =>
      id === undefined ? () => error('import-form', 'no id stands here', place('id')) : undefined,
    ),
  };
}

function indexOf(column: Column, header: Row): number {
  return header.findIndex(({ text }) => text.toLowerCase() === column);
}

/** A cell that is missing or empty is complained about where the row ends, or where it should have stood. */
function namedIn(row: Row, at: Readonly<Record<Column, number>>): NamedId {
  const place: NamedId['place'] = (part) => placeIn(row, at[part]);
  const id = row[at.id]?.text;
  return { address: row[at.address]?.text ?? '', ...(id && { id }), place };
}

function placeIn(row: Row, column: number): Place {
  const cell = row[column]?.location;
  if (cell) return { location: cell };
  const last = row.at(-1)?.location;
  return last ? { location: { ...last, start: last.end } } : {};
}

function headerProblems(header: Row, source: SourceText): readonly Diagnostic[] {
  const start = header[0]?.location.start ?? 0;
  const whole = { source, start, end: header.at(-1)?.location.end ?? start };
  if (header.length === 1 && /[;\t]/.test(header[0]?.text ?? '')) {
    const hint = 'address,id';
    return [error('import-form', 'the cells of a row are separated by commas', { location: whole, hint })];
  }
  return columns.flatMap((column) => {
    const found = header.filter(({ text }) => text.toLowerCase() === column);
    if (found.length === 1) return [];
    const [first, second] = found;
    if (first && second) {
      const related = [{ message: 'the other', location: first.location }];
      return [
        error('import-form', `two columns are named ${quoted(column)}`, {
          location: second.location,
          related,
        }),
      ];
    }
    return [
      error('import-form', `no column is named ${quoted(column)}`, {
        location: whole,
        hint: hintFor(column, header),
      }),
    ];
  });
}

function hintFor(column: Column, header: Row): string {
  const meant = nearest(
    column,
    header.map(({ text }) => text),
  );
  return meant
    ? `is it ${quoted(meant)}? Name it ${quoted(column)}`
    : 'the first row names the columns: address,id';
}
