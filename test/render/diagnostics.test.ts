import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { renderDiagnostics } from '../../src/render/diagnostics.ts';
import { type ExplainedDiagnostic, explained } from '../../src/render/messages/explain-problem.ts';
import { escapeTerminal } from '../../src/render/terminal.ts';
import { SourceText } from '../../src/text/source.ts';
import fc from '../rig/property.ts';

function at(text: string, part: string): ExplainedDiagnostic['location'] & object {
  const start = text.indexOf(part);
  return { source: new SourceText('catalog/items.yaml', text), start, end: start + part.length };
}

function shown(...diagnostics: ExplainedDiagnostic[]): string {
  return renderDiagnostics(diagnostics, { color: false });
}

test('an error shows its place and its help', () => {
  const text = `${'\n'.repeat(11)}    classifiers: { rarity: rar }\n`;
  const message = 'option `rar` is not declared in classifier `rarity`';
  const location = { ...at(text, 'rar }'), end: text.indexOf('rar }') + 3 };
  expect(
    shown(explained('unknown-reference', message, { location, hint: 'did you mean `rare`?' })),
  ).toMatchInlineSnapshot(`
    "error: option \`rar\` is not declared in classifier \`rarity\`  [unknown-reference]
      --> catalog/items.yaml:12:28
       |
    12 |     classifiers: { rarity: rar }
       |                            ^^^
       = help: did you mean \`rare\`?
    "
  `);
});

test('diagnostics without a source text are separated by empty lines', () => {
  const warning: ExplainedDiagnostic = { severity: 'warning', rule: 'old', message: 'this is old' };
  expect(
    shown(warning, explained('missing', 'nothing is here', { subject: 'catalog' })),
  ).toMatchInlineSnapshot(`
    "warning: this is old  [old]

    error: nothing is here  [missing]
     --> catalog
    "
  `);
});

test('long sentences wrap at 80 columns with an indent, and commands stay whole', () => {
  const message = `a sentence that does not fit in one line of a terminal, ${'and goes on '.repeat(8)}for long`;
  const hint = `${'do this '.repeat(7)}and then: trove state unlock --force -e a-team-with-a-name; or do that`;
  const warning: ExplainedDiagnostic = { severity: 'warning', rule: 'long', message, hint };
  const rule = 'a-rule-that-has-to-go-below';
  expect(
    shown(explained(rule, 'words that leave no room for the rule behind them', {}), warning),
  ).toMatchInlineSnapshot(`
    "error: words that leave no room for the rule behind them
           [a-rule-that-has-to-go-below]

    warning: a sentence that does not fit in one line of a terminal, and goes on and
             goes on and goes on and goes on and goes on and goes on and goes on and
             goes on for long  [long]
      = help: do this do this do this do this do this do this do this and then:
              trove state unlock --force -e a-team-with-a-name; or do that
    "
  `);
});

test('a related place is shown with line numbers of different lengths', () => {
  const text = `${'a: 1\n'.repeat(9)}b: 2\n`;
  const related = [{ role: 'first-declared', message: 'first here', location: at(text, 'a: 1') } as const];
  expect(shown(explained('rule', 'twice', { location: at(text, 'b: 2'), related }))).toMatchInlineSnapshot(`
    "error: twice  [rule]
      --> catalog/items.yaml:10:1
       |
    10 | b: 2
       | ^^^^
      ::: catalog/items.yaml:1:1
       |
     1 | a: 1
       | ---- first here
    "
  `);
});

test('tabs, wide and combined characters keep the underline below the place', () => {
  for (const text of ['\tkey:\tplace', '鉄の剣: place', '😀😀 place', 'e\u0301e\u0301: place']) {
    const lines = shown(explained('rule', 'm', { location: at(text, 'place') })).split('\n');
    expect(lines.slice(3, 5)).toMatchSnapshot(JSON.stringify(text));
  }
});

test('a place is underlined on its first line, even if it is empty', () => {
  const underline = (location: ReturnType<typeof at>) => shown(explained('rule', 'm', { location }));
  expect(underline(at('a: |\n  one\n  two\n', '|\n  one'))).toContain('  |    ^\n');
  expect(underline({ ...at('ab', 'b'), start: 2, end: 2 })).toContain('  |   ^\n');
  expect(underline({ ...at('', ''), start: 0, end: 0 })).toContain('  | ^\n');
});

test('a long line is cut around the place', () => {
  const linesOf = (text: string) =>
    shown(explained('rule', 'm', { location: at(text, 'place') }))
      .split('\n')
      .slice(3, 5);
  const cut = '1 | …xxxxxxxxxxxxxxxxxxxxxxxx place';
  const below = '  |                           ^^^^^';
  expect(linesOf(`${'x'.repeat(5000)} place ${'y'.repeat(5000)}`)).toEqual([
    `${cut} ${'y'.repeat(43)}…`,
    below,
  ]);
  const words = ', and more words that go on';
  expect(linesOf(`${'x'.repeat(70)} place${words}`)).toEqual([`${cut}${words}`, below]);
});

test('no text of a file or message reaches the terminal unescaped', () => {
  const attack = '\u001b]0;owned\u0007\u009b31m\r\u202Eevil\u2028\u200b';
  expect(escapeTerminal(attack)).toBe('\\e]0;owned\\u0007\\u009b31m\\r\\u202eevil\\u2028\\u200b');
  expect(escapeTerminal('\ud800 ok 😀 \udc00')).toBe('\\ud800 ok 😀 \\udc00');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const source = new SourceText(one, `${other}${attack}`);
      const location = { source, start: 0, end: source.text.length };
      const related = [{ role: 'other', message: one, location } as const];
      const diagnostic = explained('rule', one, { location, hint: other, subject: other, related });
      const lines = shown(diagnostic).split('\n');
      expect(lines.map(escapeTerminal)).toEqual(lines);
      expect(lines).toHaveLength(11);
    }),
  );
});

test('color only adds escapes', () => {
  const diagnostic = explained('rule', 'm', { location: at('a: place', 'place'), hint: 'h' });
  const colored = renderDiagnostics([diagnostic], { color: true });
  expect(colored).toContain('\u001b[');
  expect(stripVTControlCharacters(colored)).toBe(shown(diagnostic));
});
