import { describe, expect, test } from 'vitest';
import { SourceText } from '../../src/text/source.ts';
import { readYaml } from '../../src/text/yaml.ts';
import { inWords } from '../rig/in-words.ts';
import { parse, problemsOf, shown } from './parsed.ts';

describe('the YAML reader', () => {
  test.each([
    ['a: 1\nb: 2\na: 3\n', ['3:1 duplicate-key: the key `a` is declared twice in this mapping (1:1)']],
    [
      '{ "a": 1, b: { a: 1 }, a: 2 }',
      ['1:24 duplicate-key: the key `a` is declared twice in this mapping (1:3)'],
    ],
    [
      'a: !foo 1\nb: !!set {x}\nc: !!float a\n',
      [
        '1:4 unknown-tag: the tag `!foo` is not supported',
        '2:4 unknown-tag: the tag `!!set` is not supported',
        '3:4 unknown-tag: the tag `!!float` is not supported',
      ],
    ],
    [
      'a: !!str 014\n!!int 5: b\n',
      [
        '1:4 unknown-tag: the tag `!!str` is not supported',
        '2:1 unknown-tag: the tag `!!int` is not supported',
        '2:7 non-string-key: a key must be text, but this one is read as a number',
      ],
    ],
    ['a: *b\n', ['1:4 unknown-alias: no anchor `&b` is defined before this alias']],
    ['a: &a [1, *a]\n', ['1:11 self-alias: the alias `*a` refers to the node that contains it (1:7)']],
    [
      'a: { <<: 3 }\nb: { <<: [{ x: 1 }, 4] }\n',
      [
        '1:6 bad-merge: a merge key `<<` accepts a mapping or a list of mappings',
        '2:6 bad-merge: a merge key `<<` accepts a mapping or a list of mappings',
      ],
    ],
    [
      '1: a\ntrue: b\n~: c\n[x]: d\n: e\n',
      [
        '1:1 non-string-key: a key must be text, but this one is read as a number',
        '2:1 non-string-key: a key must be text, but this one is read as a boolean',
        '3:1 non-string-key: a key must be text, but this one is read as null',
        '4:1 non-string-key: a key must be text, but this one is read as a collection',
        '4:6 non-string-key: a key must be text, but this one is read as null',
      ],
    ],
    [
      'a: { b: 1,5, c: -2,25 }\n',
      [
        '1:9 decimal-comma: the comma in `1,5` ends the value',
        '1:17 decimal-comma: the comma in `-2,25` ends the value',
      ],
    ],
    ['a: { b: x,5 }\n', ['1:11 non-string-key: a key must be text, but this one is read as a number']],
    ['__proto__: { polluted: true }\n', ['1:1 reserved-key: the key `__proto__` is not allowed']],
    [
      'a: 1\n---\nb: 2\n',
      ['2:1 several-documents: a file contains one document, but a second one starts here'],
    ],
    [
      '--- # first\na: 1\n--- # second\n',
      ['3:1 several-documents: a file contains one document, but a second one starts here'],
    ],
  ])('reports every problem with its place in %j', (text, expected) => {
    expect(problemsOf(parse(text))).toEqual(expected);
  });

  const notFinite = "is not a finite number, and JSON can't represent it: it would become null";
  test.each([
    ['9007199254740993', "can't be represented exactly as a number: it would become `9007199254740992`"],
    ['-9007199254740993', "can't be represented exactly as a number: it would become `-9007199254740992`"],
    ['0.1000000000000000055', "can't be represented exactly as a number: it would become `0.1`"],
    ['1e400', 'is too large for a JSON number'],
    ['1e-400', "can't be represented exactly as a number: it would become `0`"],
    ['123456789012345678', "can't be represented exactly as a number: it would become `123456789012345680`"],
    ['0x20000000000001', "can't be represented exactly as a number: it would become `9007199254740992`"],
    ...['.inf', '-.INF', '.nan'].map((text) => [text, notFinite]),
    ...['014', '-007', '00'].map((text) => [text, 'is ambiguous: some parsers read a leading zero as octal']),
  ])('reports the number %s', (text, reason) => {
    expect(problemsOf(parse(`a: ${text}`))).toEqual([`1:4 inexact-number: \`${text}\` ${reason}`]);
    expect(problemsOf(parse(`a: "${text}"`))).toEqual([]);
  });

  test.each('9007199254740992 0.1 1e22 5e-324 1.7976931348623157e308 0.30000000000000004 -0'.split(' '))(
    'keeps the number %s',
    (text) => {
      const parsed = parse(`a: ${text}`);
      const exact = JSON.parse(JSON.stringify({ a: Number(text) }));
      expect([problemsOf(parsed), parsed.document?.value]).toEqual([[], exact]);
    },
  );

  test('lets aliases stand for 100,000 values, and no more', () => {
    const levels = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [one, next] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
      levels.push(`${next}: &${next} [${Array(9).fill(`*${one}`).join(', ')}]`);
    }
    const bomb = parse(levels.join('\n'));
    expect(bomb.document).toBe(undefined);
    expect(problemsOf(bomb)).toEqual([
      '6:8 alias-limit: the aliases in this file expand to more than 100000 values',
    ]);
    expect(problemsOf(parse(levels.slice(0, 4).join('\n')))).toEqual([]);
  });

  test('accepts many merges of one mapping', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => `item-${index}: { <<: *base, d: ${index} }`);
    expect(problemsOf(parse(`base: &base { a: 1, b: 2, c: 3 }\n${items.join('\n')}\n`))).toEqual([]);
  });

  test('keeps the prototype of a mapping with the key __proto__', () => {
    const { document } = parse('a: { __proto__: { polluted: true }, <<: { __proto__: { polluted: true } } }');
    const { a: value } = (document?.value ?? {}) as { a: { polluted?: boolean } };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect([value.polluted, Object.keys(value)]).toEqual([undefined, []]);
  });
});

describe('syntax errors', () => {
  test('are all reported, each as a sentence', async () => {
    const { diagnostics } = await readYaml(new SourceText('a.yaml', 'a: b: c\nd: "\\q"\ne: [1, 2\nf: 3\n'));
    expect(inWords(diagnostics).map(({ message }) => message)).toEqual([
      'second colon on this line; put a value that contains a colon in quotes',
      'unknown escape in double quotes; single quotes keep a backslash as is',
      'missing `]`: the bracket opened here is never closed',
    ]);
  });

  test.each([
    ['before the end of the file', 'a:\n  b: "x\n  c: 1\nd: 2\n', '2:6'],
    ['before the next quote', 'a:\n  b: "x\n  c: 1\nd: "y"\n', '2:6'],
    ['between braces', "a: { b: 'x, c: 1 }\nd: { e: 1 }\n", '1:9'],
  ])('show the start of a quote that is not closed %s', async (_, text, place) => {
    const words = 'the quote opened here is never closed';
    expect(await shown(text)).toContain(`error: ${words}  [yaml-syntax]\n --> a.yaml:${place}\n`);
  });

  test('include those that only the first parser finds', async () => {
    expect(problemsOf(await readYaml(new SourceText('a.yaml', 'a: b\u0080\n')))).toEqual([
      '1:5 yaml-syntax: the stream contains non-printable characters',
    ]);
  });

  test('come after control characters, which are reported even in comments', () => {
    const found = 'control-character: YAML does not allow this control character';
    expect(problemsOf(parse('a: 1\nb: [ # \u0000'))).toEqual([`2:8 ${found}`]);
    expect(problemsOf(parse('a: "\u0001"'))).toEqual([`1:5 ${found}`]);
    expect(problemsOf(parse('a: "\t"\r\n'))).toEqual([]);
  });

  test.each([100, 785, 2000, 20_000])(
    'are the same the second time in text nested %i deep',
    async (depth) => {
      for (const text of [
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
        `${'- '.repeat(depth)}a`,
        `a: b: c\nd: ${'['.repeat(depth)}`,
      ]) {
        const first = await shown(text);
        expect(await shown(text)).toBe(first);
        expect(first).toMatch(/\[yaml-(?:depth|syntax)\]/);
      }
    },
  );
});

const catalog = `classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
items:
  iron-sword:
    name: Iron Sword
    rollNumerator: 40
    classifiers: { rarity: common, slot: [main-hand, off-hand] }
    lifecycle:
      ignoreChanges:
        - thumbnail
        - rollNumerator
  oak-bow:
    name: Oak Bow
    rollNumerator: 12.5
    classifiers:
      rarity: rare
  torch:
    name: Torch
    rollNumerator: 100
`;

test.each([
  ['a key indented too far', '    rollNumerator: 40', '     rollNumerator: 40', '9:11'],
  ['a key indented too little', '    rollNumerator: 12.5', '   rollNumerator: 12.5', '18:1'],
  ['a first key indented too far', '    name: Iron Sword', '     name: Iron Sword', '10:1'],
  ['an item indented too little', '  oak-bow:', ' oak-bow:', '16:1'],
  ['one of two list entries indented too little', '        - roll', '       - roll', '15:1'],
  ['one of two options indented too far', '      rare: {', '       rare: {', '6:1'],
  ['a tab', '    rollNumerator: 40', '\trollNumerator: 40', '10:1'],
  ['a tab before a first key', '    name: Oak Bow', '\tname: Oak Bow', '17:1'],
  ['a tab before a list entry', '        - rollNumerator', '\t- rollNumerator', '15:1'],
  ['no colon', 'Numerator: 12.5', 'Numerator 12.5', '18:5'],
  ['no colon after an item', '  torch:', '  torch', '21:3'],
  ['no colon at the top', 'items:', 'items', '7:1'],
  ['an equals sign', 'Numerator: 40', 'Numerator = 40', '10:5'],
  ['no colon before a text', 'name: Iron Sword', 'name Iron Sword', '9:5'],
  ['no blank', 'Numerator: 100', 'Numerator:100', '23:5'],
  ['no dash', '- rollNumerator', 'rollNumerator', '15:1'],
  ['no blank after a dash', '- rollNumerator', '-rollNumerator', '15:1'],
  ['an open double quote', 'name: Iron Sword', 'name: "Iron Sword', '9:11'],
  ['an open single quote', 'name: Oak', "name: 'Oak", '17:11'],
  ['an open quote between braces', 'name: Rare,', 'name: "Rare,', '6:21'],
  ['an apostrophe in single quotes', 'name: Oak Bow', "name: 'Oak's Bow'", '17:16'],
  ['an open bracket', 'off-hand] }', 'off-hand }', '11:42'],
  ['an open brace', '1 }', '1', '5:15'],
  ['a bracket of the wrong kind', 'off-hand] }', 'off-hand} }', '11:42'],
  ['a brace too many', '0.25 }', '0.25 } }', '6:54'],
  ['a bracket too many', 'off-hand]', 'off-hand]]', '11:65'],
  ['a bracket on its own line', '  torch:\n', '  torch: # ]\n  ]\n', '22:3'],
  ['a second colon', 'name: Rarity', 'name: Rarity: of things', '3:11'],
  ['a value that begins with a sign', 'name: Torch', 'name: @Torch', '22:11'],
])('a typo in a catalog is reported near its place: %s', async (_, from, to, place) => {
  expect(catalog).toContain(from);
  const [first] = (await readYaml(new SourceText('a.yaml', catalog.replace(from, to)))).diagnostics;
  const { line, column } = first?.location?.source.positionAt(first.location.start) ?? {};
  expect([first?.rule, `${line}:${column}`]).toEqual(['yaml-syntax', place]);
});

test('a tab is reported without the lines around it, whose indentation is right', async () => {
  const text = catalog.replace('    rollNumerator: 40', '\trollNumerator: 40');
  const { diagnostics } = await readYaml(new SourceText('a.yaml', text));
  expect(diagnostics.map(({ values }) => values)).toMatchObject([{ why: 'tab' }]);
});
