import { crc32 } from 'node:zlib';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import { type Folder, MAX_WRITTEN_BYTES, readRegularFile } from '../text/read-file.ts';
import type { StateEvent } from './event.ts';
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
  // Each character is one byte; what stands after the last break is a line too, unless it is nothing.
  const lines = bytes.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (only) {
    const first = lines[0] && decodeLine(lines[0]);
    if (!isHeader(first) || !only(first)) return success(undefined);
  }
  const values = lines.map(decodeLine);
  const isTorn = values.at(-1) === undefined && lines.length > 1 && isCutShort(lines.at(-1), bytes);
  const [header, ...commits] = isTorn ? values.slice(0, -1) : values;
  if (!isHeader(header)) return failure(damage(shown, 1));
  const other = otherFormat('journal', header.formatVersion, shown);
  if (other) return failure(other);
  const damaged = commits.findIndex((commit) => !Array.isArray(commit));
  if (damaged !== -1) return failure(damage(shown, damaged + 2));
  return success({ header, events: (commits as StateEvent[][]).flat() });
}

const LINE_BREAK = 0x0a;
const PREFIX_LENGTH = 9;

/** The value of a line (without its break), or undefined if it is damaged. */
function decodeLine(line: string): unknown {
  const json = Buffer.from(line.slice(PREFIX_LENGTH), 'latin1');
  if (line.slice(0, PREFIX_LENGTH) !== `${checksum(json)} `) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

/**
 * Whether a damaged last line is a write cut short: a killed process leaves it without its break, and a power
 * failure may leave blocks that were never written, which read as zeros. A line that is complete and still
 * fails its checksum was changed later, and what it said may have been promised to be durable.
 */
function isCutShort(line = '', all: Buffer): boolean {
  return all.at(-1) !== LINE_BREAK || line.includes('\0');
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
