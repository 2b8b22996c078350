import { CORE_SCHEMA, dump, load, mergeTag } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import fc from '../rig/property.ts';
import { parse, problemsOf } from './parsed.ts';

const reference = { schema: CORE_SCHEMA.withTags(mergeTag) };

describe('YAML values', () => {
  test.each([
    ...[
      'yes no on null ~ Null true FALSE tRuE 0 -0.5 +12 1e3 1. .5 0x1F 0o17 0b1 2024-05-01 1_000 - +',
      '. .. -. 1e 0x "<<" 123456789012345 9007199254740992 1.0 é',
    ].flatMap((words) => words.split(' ')),
    "''",
    '"a\\u00e9"',
    "'it''s'",
    '|\n  a\n  b\n',
    '>-\n  a\n  b\n',
    'a b',
    '{a: 1, b: [2, {c: 3}]}',
    '[a: 1, b]',
    '{a, b: }',
    '- 1\n-\n- - 2\n',
    'a: &x {b: 1}\nc: *x',
    '&k a: 1\nb: *k',
    'a: &a {x: 1, y: 2}\nb: {y: 3, <<: *a}\n',
    'a: &a {x: 1}\nb: &b {x: 2, z: 4}\nc: {<<: [*a, *b], w: 0}\n',
    'c:\n  <<: {x: 1}\n  <<: {x: 2, y: 2}\n  x: 3\n',
    '"<<": {a: 1}',
    '--- {a: 1}\n',
    'a: 1\n...\n',
    '? a\n: 1\n',
    'constructor: 1\ntoString: 2\n',
  ])('follow the core schema in %j', (text) => {
    const parsed = parse(text);
    expect(problemsOf(parsed)).toEqual([]);
    expect(parsed.document?.value).toEqual(load(text, reference));
  });

  test('follow the core schema for any plain data in any style', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
    );
    const key = fc.string().filter((text) => text !== '__proto__' && text !== '<<');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value')), fc.dictionary(key, tie('value'))),
    }));
    const styles = fc.record({
      flowLevel: fc.integer({ min: -1, max: 3 }),
      indent: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(value, styles, (data, style) => {
        const text = dump(data, style);
        const parsed = parse(text);
        expect(problemsOf(parsed)).toEqual([]);
        expect(JSON.stringify(parsed.document?.value)).toBe(JSON.stringify(load(text, reference)));
      }),
      { numRuns: 300 },
    );
  });

  test('are null for a file without content', () => {
    for (const text of ['', '\n', '# only a comment\n', '---\n'])
      expect(parse(text).document?.value).toBe(null);
  });
});
