import { expect, test } from 'vitest';
import { type CsvCell, readCsv } from '../../src/text/csv.ts';
import { SourceText } from '../../src/text/source.ts';
import { rendered } from '../rig/in-words.ts';
import fc from '../rig/property.ts';

function rowsOf(text: string): readonly (readonly CsvCell[])[] {
  const read = readCsv(new SourceText('ids.csv', text));
  if (!read.ok) throw new Error('It has problems.');
  return read.value;
}

test('every cell has its place despite quotes, blanks, empty lines and line breaks', () => {
  const text = 'address , id\r\n"item.é",  "a ""b"""\r\n\r\nitem.\u{1f5e1},x\n,y\n"two\nlines",z';
  const found = rowsOf(text).map((row) =>
    row.map(({ text: cell, location: { source, start, end } }) => {
      const { line, column } = source.positionAt(start);
      return `${line}:${column} ${JSON.stringify(cell)} ${JSON.stringify(source.text.slice(start, end))}`;
    }),
  );
  expect(found).toEqual([
    ['1:1 "address" "address"', '1:11 "id" "id"'],
    ['2:1 "item.é" "\\"item.é\\""', '2:12 "a \\"b\\"" "\\"a \\"\\"b\\"\\"\\""'],
    ['4:1 "item.\u{1f5e1}" "item.\u{1f5e1}"', '4:9 "x" "x"'],
    ['5:1 "" ""', '5:2 "y" "y"'],
    ['6:1 "two\\nlines" "\\"two\\nlines\\""', '7:8 "z" "z"'],
  ]);
});

test.each([
  ['item.a,1\nitem.b,"open\nitem.c,3\n', 'ids.csv:2:8', 'never closed'],
  ['item.a,"1"x\n', 'ids.csv:1:8', 'expected a comma or a line break'],
  ['item.a,1\nite"m,2\n', 'ids.csv:2:1', 'quote inside an unquoted cell'],
])('%j is reported with its place', (text, place, said) => {
  const read = readCsv(new SourceText('ids.csv', text));
  const shown = read.ok ? 'fine' : rendered(read.diagnostics);
  expect(shown).toContain(place);
  expect(shown).toContain(said);
});

test('a row may have many more cells than the others, up to a limit', () => {
  expect(rowsOf(`address,id\n${','.repeat(20_000)}`)[1]).toHaveLength(20_001);
  const read = readCsv(new SourceText('ids.csv', ','.repeat(500_000)));
  const values = { most: 500_000 };
  expect(read).toMatchObject({ ok: false, diagnostics: [{ rule: 'csv-size', subject: 'ids.csv', values }] });
});

test('no text makes the reader throw, and every cell is at its place', () => {
  const texts = fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', ' ', '\t', 'a', 'é', '\u{1f5e1}', '\ud800'),
  });
  fc.assert(
    fc.property(texts, (text) => {
      const read = readCsv(new SourceText('ids.csv', text));
      if (!read.ok) return;
      for (const { text: cell, location } of read.value.flat()) {
        const written = text.slice(location.start, location.end);
        if (!written.startsWith('"') && !text.includes('\ud800')) expect(written).toBe(cell);
      }
    }),
  );
});
