import { dump, load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import fc from '../rig/property.ts';
import { parse } from './parsed.ts';

type Path = readonly (string | number)[];

function textAt(text: string, path: Path, part?: 'key' | 'value'): string {
  const { document } = parse(text);
  if (!document) throw new Error('Not a document');
  const { start, end } = document.locate(path, part);
  return text.slice(start, end);
}

const example = `# comment
base: &base
  name: "Base: one"
  tags: [a, {b: 'c'}, ]  # end
list:
- x
-
- { <<: *base, name: Own }
copy: *base
'quoted "key"': 1
block: |
  text
empty:
`;

describe('the place of a value', () => {
  test.each<[Path, 'key' | 'value', string]>([
    [['base', 'name'], 'value', '"Base: one"'],
    [['base', 'name'], 'key', 'name'],
    [['base', 'tags'], 'value', "[a, {b: 'c'}, ]"],
    [['base', 'tags', 1], 'value', "{b: 'c'}"],
    [['base', 'tags', 1, 'b'], 'value', "'c'"],
    [['list'], 'value', '- x\n-\n- { <<: *base, name: Own }'],
    [['list', 0], 'value', 'x'],
    [['list', 2, 'name'], 'value', 'Own'],
    [['copy'], 'value', '*base'],
    [['empty'], 'value', 'empty'],
    [['empty'], 'key', 'empty'],
    [['block'], 'value', '  text\n'],
  ])('is found for %j (%s)', (path, part, expected) => {
    expect(textAt(example, path, part)).toBe(expected);
  });

  test('is that of the anchor for aliases and merge keys', () => {
    expect(textAt(example, ['copy', 'tags', 0])).toBe('a');
    expect(textAt(example, ['list', 2, 'tags', 1, 'b'])).toBe("'c'");
  });

  test('is that of the nearest parent if the value does not exist', () => {
    expect(textAt(example, ['base', 'missing', 'deeper'])).toBe('base');
    expect(textAt(example, ['list', 7])).toBe('list');
    expect(textAt(example, ['base', 'tags', 0, 'x'])).toBe('tags');
    expect(textAt('', ['a'])).toBe('');
  });

  test('is found for any scalar of any data', () => {
    const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null));
    const key = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__' && text !== '<<');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value')), fc.dictionary(key, tie('value'))),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: -1, max: 3 }), (data, flowLevel) => {
        const text = dump(data, { flowLevel, noRefs: true });
        const { document } = parse(text);
        for (const [path, found] of scalarsIn(data)) {
          const { start, end } = document?.locate(path) ?? { start: 0, end: 0 };
          const written = text.slice(start, end);
          // A block scalar's own lines are not a value without their header.
          if (written.includes('\n')) continue;
          expect(load(written)).toEqual(found);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function scalarsIn(data: unknown, path: Path = []): [Path, unknown][] {
  if (typeof data !== 'object' || data === null) return [[path, data]];
  const entries: [string | number, unknown][] = Array.isArray(data)
    ? [...data.entries()]
    : Object.entries(data);
  return entries.flatMap(([key, child]) => scalarsIn(child, [...path, key]));
}
