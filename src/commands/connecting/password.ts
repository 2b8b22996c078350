import { isUtf8 } from 'node:buffer';
import { addAbortSignal, type Readable } from 'node:stream';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';

/** Far more than any password; what is longer is another file, or has no end. */
const MOST_BYTES = 16 * 1024;

/**
 * All of standard input as a password, without the line break that `echo` and editors put at its end. Once `signal` is
 * aborted it is what came by then.
 */
export async function readPassword(stdin: Readable, signal?: AbortSignal): Promise<Result<string>> {
  if (signal) addAbortSignal(signal, stdin);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      if (length > MOST_BYTES) return unfit('is longer than 16 KiB, which no password is');
    }
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
  const bytes = Buffer.concat(chunks);
  // To replace what is wrong would make another password of it.
  if (!isUtf8(bytes)) return unfit('is not UTF-8 text');
  return success(bytes.toString('utf8').replace(/\r?\n$/, ''));
}

function unfit(what: string): Result<never> {
  const subject = '--password-stdin';
  return failure(error('invalid-credentials', `the password on standard input ${what}`, { subject }));
}
