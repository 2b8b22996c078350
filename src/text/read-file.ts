import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  type Diagnostic,
  error,
  type FolderName,
  failure,
  type Result,
  type SystemCause,
  success,
} from './diagnostic.ts';
import { SourceText } from './source.ts';

const MIB = 2 ** 20;
/** Files that people write are far smaller; a larger one is a mistake, and parsing it would take minutes. */
const MAX_BYTES = 16 * MIB;
/** For files that Trove writes: more than the records of any team, and less than the longest text of JavaScript. */
export const MAX_WRITTEN_BYTES = 256 * MIB;

export interface ReadOptions {
  /** The path as people see it. */
  readonly shown: string;
  /** Default: 16 MiB. */
  readonly maxBytes?: number;
  /** No link on the way may lead out of this folder (absolute). */
  readonly within?: Folder | undefined;
}

export interface Folder {
  readonly path: string;
  readonly called: FolderName;
}

/**
 * Reads a file that anyone may have put there: a regular file, of bounded size, behind no link that leads out.
 * Nothing else is read, and nothing waits: a named pipe is refused. Undefined if there is none. Throws what the system
 * says otherwise.
 */
export async function readRegularFile(
  path: string,
  { shown, maxBytes = MAX_BYTES, within }: ReadOptions,
): Promise<Result<Buffer | undefined>> {
  const stray = within && (await linkOutside(path, shown, within));
  if (stray) return failure(stray);
  let file: FileHandle;
  try {
    // Without NONBLOCK a named pipe would block the open forever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return success(undefined);
    throw cause;
  }
  try {
    const found = await file.stat();
    const isFolder = found.isDirectory();
    if (isFolder || !found.isFile())
      return failure(error('not-a-file', { file: shown, isFolder }, { subject: shown }));
    const bytes = found.size > maxBytes ? undefined : await readAtMost(file, found.size, maxBytes);
    if (bytes) return success(bytes);
    return failure(error('file-size', { file: shown, most: maxBytes / MIB }, { subject: shown }));
  } finally {
    await file.close();
  }
}

/** Undefined: there is more. Files of the system give a size of 0 and hold something all the same. */
async function readAtMost(file: FileHandle, size: number, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let wanted = size + 1; ; wanted = 2 ** 16) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted);
    if (bytesRead === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
    if (length > maxBytes) return undefined;
  }
}

/** The complaint about a path that seems to lie in a folder, and lies elsewhere once links are followed. */
export async function linkOutside(
  path: string,
  shown: string,
  { path: folder, called }: Folder,
): Promise<Diagnostic | undefined> {
  if (!isInside(relative(folder, path)) || (await isBelow(folder, path))) return undefined;
  return error('link-outside', { folder: called }, { subject: shown });
}

/** Whether a path is a folder or below it once links are followed; neither needs to exist. */
export async function isBelow(folder: string, path: string): Promise<boolean> {
  return isInside(relative(await realOf(folder), await realOf(path)));
}

/** Whether a relative path leads to a folder itself, or below it. */
export function isInside(way: string): boolean {
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** The real path, of which the end need not exist yet: what is written to a link makes the file that it leads to. */
async function realOf(path: string, links = MOST_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    if (above === path) return path;
    const folder = await realOf(above, links);
    const place = join(folder, basename(path));
    const target = links > 0 ? await readlink(place).catch(() => undefined) : undefined;
    return target === undefined ? place : realOf(resolve(folder, target), links - 1);
  }
}

export type ReadText =
  | { readonly ok: true; readonly source: SourceText; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Reads a UTF-8 text file, by default of at most 16 MiB; a byte order mark is dropped. `shown` is its path as people see it.
 * What can't be read, is too large or is not UTF-8 is a diagnostic, and so is a link that leads out of `within`.
 */
export async function readText(
  path: string,
  shown: string,
  within?: Folder,
  maxBytes?: number,
): Promise<ReadText> {
  const options = { shown, within, ...(maxBytes && { maxBytes }) };
  const read = await readRegularFile(path, options).catch((problem) => failure(unreadable(shown, problem)));
  const bytes = read.ok ? read.value : undefined;
  if (!bytes) {
    const [problem = unreadable(shown, { code: 'ENOENT' })] = read.ok ? [] : read.diagnostics;
    return { ok: false, problem };
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (!isUtf8(bytes)) return { ok: false, problem: notUtf8(shown, bytes) };
  return { ok: true, source: new SourceText(shown, bytes.toString('utf8', marked ? 3 : 0)), bytes };
}

/** The system refused to give the file. */
export function unreadable(shown: string, problem: unknown): Diagnostic {
  const { code = String(problem) } = problem as NodeJS.ErrnoException;
  return error('unreadable', { file: shown, code }, { subject: shown });
}

function notUtf8(shown: string, bytes: Buffer): Diagnostic {
  const text = bytes.toString();
  const again = Buffer.from(text);
  const broken = bytes.findIndex((byte, at) => byte !== again[at]);
  // The last character may be one that is cut off.
  const sound = bytes.toString('utf8', 0, broken === -1 ? bytes.length : broken).replace(/\uFFFD$/, '');
  const start = sound.length;
  const location = { source: new SourceText(shown, text), start, end: start + 1 };
  return error('not-utf8', {}, { location });
}

/** The system's code of an error that a file operation gave, or undefined for every other error. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('syscall' in cause) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

/** What the system said when it refused. Anything else is our bug and is thrown again. */
export function systemCause(cause: unknown): SystemCause {
  const code = codeOf(cause);
  if (code === undefined) throw cause;
  return { code, said: (cause as Error).message };
}
