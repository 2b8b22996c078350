/** One setting with all that it can be; the first value is the default. */
export interface SettingRow {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
}

/** A table of settings: name, value, and what else is possible, with the default marked. */
export function renderSettings(rows: readonly SettingRow[]): string {
  const table = [
    ['POINT', 'VALUE', 'ALSO POSSIBLE'],
    ...rows.map(({ name, value, values }) => {
      const mark = (one: string) => (one === values[0] ? `${one} (default)` : one);
      const others = values.filter((other) => other !== value);
      return [name, mark(value), others.map(mark).join(', ')];
    }),
  ];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line}\n`)
    .join('');
}
