import { harmless } from './wrap.ts';

/** Rows of cells as lines with aligned columns, two blanks between them. The cells are escaped already. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length - 1));
  const widths = Array.from({ length: columns }, (_, column) =>
    rows.reduce((widest, row) => Math.max(widest, [...(row[column] ?? '')].length), 0),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${harmless(line)}\n`)
    .join('');
}
