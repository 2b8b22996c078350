import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Diagnostic, error } from './diagnostic.ts';
import { SourceText } from './source.ts';

/** Files that people write are far smaller; a larger one is a mistake, and parsing it would take minutes. */
const MAX_BYTES = 16 * 2 ** 20;

export type ReadText =
  | { readonly ok: true; readonly source: SourceText; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Reads a UTF-8 text file of at most 16 MiB; a byte order mark is dropped. `shown` is its path as people see it.
 * What can't be read, is too large or is not UTF-8 is a diagnostic.
 */
export async function readText(path: string, shown: string): Promise<ReadText> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readBytes(path);
  } catch (problem) {
    return { ok: false, problem: unreadable(shown, problem) };
  }
  if (bytes === undefined)
    return {
      ok: false,
      problem: error('file-size', 'the file is larger than 16 MiB, or no regular file', { subject: shown }),
    };
  if (!isUtf8(bytes)) return { ok: false, problem: notUtf8(shown, bytes) };
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { ok: true, source: new SourceText(shown, bytes.toString('utf8', marked ? 3 : 0)), bytes };
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  // Without NONBLOCK a named pipe would hold the open for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Says in words why the system refused, with its code for those who search. */
export function unreadable(shown: string, problem: unknown): Diagnostic {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : String(problem);
  const reason = code === 'EACCES' ? 'you may not read it' : code === 'ENOENT' ? 'it does not exist' : code;
  return error('unreadable', `${shown} can't be read: ${reason}`, { subject: shown });
}

function notUtf8(shown: string, bytes: Buffer): Diagnostic {
  const text = bytes.toString('utf8');
  const again = Buffer.from(text, 'utf8');
  let same = 0;
  while (bytes[same] === again[same] && same < bytes.length) same++;
  const start = bytes
    .subarray(0, same)
    .toString('utf8')
    .replace(/\uFFFD$/, '').length;
  const location = { source: new SourceText(shown, text), start, end: start + 1 };
  return error('not-utf8', 'the file is not UTF-8 text from here on', {
    location,
    hint: 'save it with the encoding UTF-8',
  });
}
