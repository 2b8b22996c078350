import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/api/answer.ts';

const parse = (text: string) => {
  const parsed = parseJson(Buffer.from(text));
  return parsed.ok ? { ok: true, value: parsed.value } : parsed;
};

test('gives what JSON.parse gives', () => {
  const shallow = fc
    .jsonValue({ maxDepth: 5 })
    .filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(shallow, (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('brackets inside of strings are no depth', () => {
  const value = ['['.repeat(100), `\\"${'{'.repeat(100)}`];
  expect(parse(JSON.stringify(value))).toEqual({ ok: true, value });
});

test.each([
  ['32 levels', '['.repeat(32) + ']'.repeat(32), true],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), false],
  ['33 objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, false],
])('%s', (_, text, ok) => {
  expect(parse(text).ok).toBe(ok);
});

test('a text of megabytes is no trouble', () => {
  expect(parse(`["${'\\\\'.repeat(2_000_000)}"`)).toEqual({ ok: false, problem: 'it is not JSON' });
  expect(parse('['.repeat(16_000_000))).toMatchObject({ ok: false });
});

test('says what is wrong', () => {
  expect(parse(' ')).toEqual({ ok: false, problem: 'it is empty' });
  expect(parse('{')).toEqual({ ok: false, problem: 'it is not JSON' });
  expect(parseJson(Buffer.from([0x22, 0xc3, 0x22]))).toEqual({ ok: false, problem: 'it is not UTF-8 text' });
});
