import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readPassword } from '../../src/commands/credentials.ts';

test('a password loses only the line break at its end', async () => {
  const chunks = [
    Buffer.from(' p\u00e4').subarray(0, 3),
    Buffer.from(' p\u00e4').subarray(3),
    Buffer.from(' \r\n'),
  ];
  expect(await readPassword(Readable.from(chunks))).toMatchObject({ ok: true, value: ' p\u00e4 ' });
});

test('input without an end is read no further than the longest password', async () => {
  let read = 0;
  function* zeros() {
    for (; read < 2 ** 24; read += 4096) yield Buffer.alloc(4096);
  }
  const result = await readPassword(Readable.from(zeros(), { highWaterMark: 1 }));
  expect(result).toMatchObject({ diagnostics: [{ values: { why: 'input-too-long' } }] });
  expect(read).toBeLessThan(2 ** 16);
});

test('a password that is not UTF-8 is refused', async () => {
  const result = await readPassword(Readable.from([Buffer.from('p\u00e4ss', 'latin1')]));
  expect(result).toMatchObject({ diagnostics: [{ values: { why: 'input-not-text' } }] });
});
