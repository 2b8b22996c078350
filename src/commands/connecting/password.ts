import type { Readable } from 'node:stream';

/** All of standard input as a password, without the line break that `echo` and editors put at its end. */
export async function readPassword(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
