import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson } from '../../src/render/terminal.ts';

test('JSON is the same value, and nothing of it acts on a terminal', () => {
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
