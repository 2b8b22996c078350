import { crc32 } from 'node:zlib';
import { exceeds, FILE_BOUNDS } from '../contract/json-structure.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import { type Folder, MAX_WRITTEN_BYTES, readRegularFile } from '../text/read-file.ts';
import { isEvent, type StateEvent } from './event.ts';
import { otherFormat } from './format.ts';
import type { Target } from './model.ts';
import type { StateVersion } from './version.ts';

/** The state that a journal continues. */
export interface JournalHeader extends StateVersion {
  readonly formatVersion: 2;
  readonly target: Target;
}

export interface Journal {
  readonly header: JournalHeader;
  /** Every event whose append resolved, in order. */
  readonly events: readonly StateEvent[];
}

/** One line of a journal: eight hexadecimal digits of CRC-32, a space, one JSON value, a line break. */
export function encodeLine(json: string): string {
  return `${checksum(Buffer.from(json))} ${json}\n`;
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

interface JournalReading {
  /** The path as people see it. */
  readonly shown: string;
  readonly within?: Folder | undefined;
  readonly maxBytes?: number;
  /** Any other file is passed over, also one that is no journal. Left out: any other file is damage. */
  readonly only?: (header: JournalHeader) => boolean;
}

export async function readJournal(
  realPath: string,
  { shown, maxBytes = MAX_WRITTEN_BYTES, within, only }: JournalReading,
): Promise<Result<Journal | undefined>> {
  const read = await readRegularFile(realPath, { shown, maxBytes, within });
  if (!read.ok) return only ? success(undefined) : read;
  return read.value ? parseJournal(read.value, shown, only) : success(undefined);
}

/**
 * The first line is the header, each later one the events of one commit. Only a tail that no completed append can
 * have left is dropped; any other damage fails, because it may have been an ID. `shown` and `only` as in reading a file.
 */
export function parseJournal(
  bytes: Buffer,
  shown: string,
  only?: JournalReading['only'],
): Result<Journal | undefined> {
  const lines = linesOf(bytes);
  const header = decodeLine(lines.next().value);
  if (only && !(isHeader(header) && only(header))) return success(undefined);
  if (!isHeader(header)) return failure(damage(shown, 1));
  const other = otherFormat('journal', header.formatVersion, shown);
  if (other) return failure(other);
  const events: StateEvent[] = [];
  let number = 1;
  for (const line of lines) {
    const commit = decodeLine(line);
    number += 1;
    if (isCommit(commit)) for (const event of commit) events.push(event);
    else if (commit !== undefined || !isCutShort(line, bytes)) return failure(damage(shown, number));
  }
  return success({ header, events });
}

const LINE_BREAK = 0x0a;
const PREFIX_LENGTH = 9;

/** With their breaks, one after the other. What stands after the last break is a line too, unless it is nothing. */
function* linesOf(bytes: Buffer): Generator<Buffer, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_BREAK, start) + 1 || bytes.length;
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** An event is nested in fewer levels than the entry that it leads to. */
const LINE_BOUNDS = { ...FILE_BOUNDS, levels: FILE_BOUNDS.levels / 2 };

/** The value of a line, or undefined if it is damaged. */
function decodeLine(line: Buffer = Buffer.alloc(0)): unknown {
  const json = line.subarray(PREFIX_LENGTH, line.at(-1) === LINE_BREAK ? -1 : undefined);
  if (line.toString('latin1', 0, PREFIX_LENGTH) !== `${checksum(json)} `) return undefined;
  const text = json.toString();
  if (exceeds(text, LINE_BOUNDS)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCommit(value: unknown): value is readonly StateEvent[] {
  return Array.isArray(value) && value.every(isEvent);
}

/**
 * Whether a damaged line is a write cut short: a killed process leaves it without its break, and a power
 * failure may leave blocks that were never written, which read as zeros. Only the last one can be that. A line that is
 * complete and still fails its checksum was changed later, and what it said may have been promised to be durable.
 */
function isCutShort(line: Buffer, all: Buffer): boolean {
  const isLast = line.byteOffset + line.length === all.byteOffset + all.length;
  return isLast && (line.at(-1) !== LINE_BREAK || line.includes(0));
}

function isHeader(value: unknown): value is JournalHeader {
  const { formatVersion, lineage, serial, target, digest } = (value ?? {}) as Partial<JournalHeader>;
  return (
    typeof formatVersion === 'number' &&
    typeof lineage === 'string' &&
    typeof serial === 'number' &&
    typeof digest === 'string' &&
    typeof target?.baseUrl === 'string' &&
    typeof target.teamId === 'string'
  );
}

function damage(path: string, line: number) {
  return error('journal-damaged', { line }, { subject: path });
}
