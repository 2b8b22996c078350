import { expect, test } from 'vitest';
import { readRetryAfter } from '../../src/api/retry.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['seconds', '120', undefined, 120_000],
  ['seconds with blanks', ' 5 ', undefined, 5000],
  ['a date, by our clock', 'Thu, 01 Jan 2026 00:00:10 GMT', undefined, 10_000],
  [
    'a date, by the clock of the service',
    'Thu, 01 Jan 2026 00:00:10 GMT',
    'Thu, 01 Jan 2026 00:00:07 GMT',
    3000,
  ],
  ['a date with an unreadable Date header', 'Thu, 01 Jan 2026 00:00:10 GMT', 'today', 10_000],
  ['a date that is past', 'Wed, 31 Dec 2025 23:59:00 GMT', undefined, 0],
  ['nothing', undefined, undefined, undefined],
  ['empty', '', undefined, undefined],
  ['negative', '-5', undefined, undefined],
  ['a fraction', '1.5', undefined, undefined],
  ['words', 'soon', undefined, undefined],
  ['a date that does not exist', 'Thu, 99 Jan 2026 00:00:10 GMT', undefined, undefined],
])('%s', (_, value, date, expected) => {
  expect(readRetryAfter(value, date, now)).toBe(expected);
});
