import { isUtf8 } from 'node:buffer';
import { type Diagnostic, error } from './diagnostic.ts';
import { type Folder, type ReadFile, readRegularFile } from './read-file.ts';
import { SourceText } from './source.ts';

export type ReadText =
  | { readonly ok: true; readonly source: SourceText; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Reads a UTF-8 text file of at most 16 MiB; a byte order mark is dropped. `shown` is its path as people see it.
 * What can't be read, is too large or is not UTF-8 is a diagnostic, and so is a link that leads out of `within`.
 */
export async function readText(path: string, shown: string, within?: Folder): Promise<ReadText> {
  let read: ReadFile;
  try {
    read = await readRegularFile(path, { shown, within });
  } catch (problem) {
    return { ok: false, problem: unreadable(shown, problem) };
  }
  if (read.kind === 'absent') return { ok: false, problem: unreadable(shown, { code: 'ENOENT' }) };
  if (read.kind === 'refused') return { ok: false, problem: read.problem };
  const { bytes } = read;
  if (!isUtf8(bytes)) return { ok: false, problem: notUtf8(shown, bytes) };
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { ok: true, source: new SourceText(shown, bytes.toString('utf8', marked ? 3 : 0)), bytes };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'its links go round in a circle',
};

/** Says in words why the system refused, with its code for those who search. */
export function unreadable(shown: string, problem: unknown): Diagnostic {
  const code =
    typeof problem === 'object' && problem !== null && 'code' in problem
      ? String(problem.code)
      : String(problem);
  return error('unreadable', `${shown} can't be read: ${reasons[code] ?? code}`, { subject: shown });
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
