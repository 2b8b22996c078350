import { describe, expect, test } from 'vitest';
import {
  alignColumns,
  inColor,
  renderJson,
  stoppedText,
  styled,
  wantsColor,
  wrap,
} from '../../src/render/terminal.ts';
import { fold } from '../../src/state/draft.ts';
import { entriesOf } from '../../src/state/entries.ts';
import type { StateEvent } from '../../src/state/event.ts';
import fc from '../rig/property.ts';
import { emptyState, intent } from '../state/events.ts';

describe('wrap', () => {
  const long = 'x'.repeat(100);

  test.each<[string, string, readonly string[]]>([
    ['keeps a short text on one line', 'a b', ['- a b']],
    ['keeps a word that is too long whole', `a ${long} b`, ['- a', `  ${long}`, '  b']],
    ['leaves no empty line before a long first word', long, [`- ${long}`]],
    [
      'keeps a command that fits behind its sentence',
      'Once there is room: trove apply',
      ['- Once there is room: trove apply'],
    ],
    [
      'gives a command that does not fit a line of its own',
      `Say what became of it: trove resolve item.${long} --id ID`,
      ['- Say what became of it:', `  trove resolve item.${long} --id ID`],
    ],
    [
      'keeps a command in the middle whole, and continues behind it',
      'if this environment is really new, and only then: trove apply -e s --new-environment; if not, put it back',
      [
        '- if this environment is really new, and only then:',
        '  trove apply -e s --new-environment; if not, put it back',
      ],
    ],
    [
      'keeps two commands whole, even with a blank in a quoted word',
      "look at the plan above, then: trove apply --catalog 'my, games' --yes, or trove plan --out FILE and go",
      [
        "- look at the plan above, then: trove apply --catalog 'my, games' --yes, or",
        '  trove plan --out FILE and go',
      ],
    ],
    [
      'keeps a command whole that has an apostrophe in a quoted word',
      "to go on with what is left of the plan: trove apply --catalog 'it'\\''s a game' -e staging --yes",
      [
        '- to go on with what is left of the plan:',
        "  trove apply --catalog 'it'\\''s a game' -e staging --yes",
      ],
    ],
    [
      'keeps a command whole that moves a file',
      'move it to where this state expects it: mv -n catalog/state/one.json.journal catalog/state/other.json.journal',
      [
        '- move it to where this state expects it:',
        '  mv -n catalog/state/one.json.journal catalog/state/other.json.journal',
      ],
    ],
    ['keeps several blanks', 'a   b', ['- a   b']],
  ])('%s', (_, text, lines) => {
    expect(wrap(text, '- ', '  ')).toEqual(lines);
  });

  test('fills lines up to 80 columns', () => {
    const lines = wrap(Array.from({ length: 60 }, () => 'abc').join(' '), '', '');
    expect(lines.map((line) => line.length)).toEqual([79, 79, 79]);
    expect(wrap(`${'a'.repeat(39)} ${'b'.repeat(40)}`, '', '')).toHaveLength(1);
    expect(wrap(`${'a'.repeat(39)} ${'b'.repeat(41)}`, '', '')).toHaveLength(2);
  });
});

describe('color', () => {
  const terminal = { isTTY: true };
  test.each<[string, { isTTY?: boolean }, NodeJS.ProcessEnv, boolean, boolean]>([
    ['a terminal', terminal, {}, false, true],
    ['a pipe', {}, {}, false, false],
    ['--no-color', terminal, { FORCE_COLOR: '1' }, true, false],
    ['NO_COLOR', terminal, { NO_COLOR: '1' }, false, false],
    ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, false, true],
    ['FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false, false],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false, false],
  ])('depends on %s', (_, stream, env, noColor, expected) => {
    expect(wantsColor(stream, env, noColor)).toBe(expected);
  });

  test('of a style is left out if it is not wanted', () => {
    const red = styled('red', 'x');
    expect([inColor(false, red), inColor(true, red)]).toEqual(['x', '\u001b[31mx\u001b[39m']);
  });
});

test('JSON keeps its value, and nothing in it acts on a terminal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u009b31m', '\u202e', '\u007f'))),
      (values) => {
        const text = renderJson(values);
        expect(JSON.parse(text)).toEqual(values);
        expect(text.replaceAll('\n', '')).not.toMatch(
          /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u,
        );
      },
    ),
  );
});

test('lines and tables are escaped, and none begins with a CI command', () => {
  expect(wrap('\u001b[31m a')).toEqual(['\\e[31m a']);
  expect(alignColumns([['::error::x', '\u202e'], ['b']])).toBe('\\::error::x  \\u202e\nb\n');
});

test('a second Ctrl-C leaves what is open of a probe to the next probe', () => {
  const flags = ' -e staging';
  const probing = [intent('item.trove-probe-a')];
  const stopped = (events: StateEvent[]) => stoppedText(entriesOf(fold(emptyState(), events)), [], [], flags);
  expect(stopped(probing)).toContain('run it again: trove probe -e staging\n');
  expect(stopped(probing)).not.toContain('trove apply');
  expect(stopped([...probing, intent('item.a')])).toMatch(/again: trove apply .*again: trove probe /s);
});
