import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, readRegularFile } from '../../text/read-file.ts';
import { isOlder, type SavedVersion } from '../version.ts';
import { atomicWrite, makeLocalFolder } from './disk.ts';

/** The newest version of a state that this machine has saved or had in use. */
export interface NewestVersion extends SavedVersion {
  /** ISO 8601 instant at which that was noted. */
  readonly at: string;
}

const MOST_BYTES = 1024;

/**
 * Reads the note of `noteVersion`. It only ever helps, so one that is missing, damaged or out of reach is none: it
 * must not keep anybody from working.
 */
export async function newestVersion(path: string): Promise<NewestVersion | undefined> {
  try {
    const read = await readRegularFile(path, { shown: path, maxBytes: MOST_BYTES });
    if (read.kind !== 'read') return undefined;
    const { lineage, serial } = Object(JSON.parse(read.bytes.toString()));
    if (typeof lineage !== 'string' || !Number.isSafeInteger(serial)) return undefined;
    return { lineage, serial, at: (await stat(path)).mtime.toISOString() };
  } catch (cause) {
    if (cause instanceof SyntaxError || codeOf(cause) !== undefined) return undefined;
    throw cause;
  }
}

/** Notes a version, unless a newer one of the same history is noted. A note that can't be made is left out. */
export async function noteVersion(path: string, { lineage, serial }: SavedVersion): Promise<void> {
  const noted = await newestVersion(path);
  if (noted?.lineage === lineage && !isOlder(noted, { lineage, serial })) return;
  try {
    await makeLocalFolder(dirname(path));
    await atomicWrite(path, `${JSON.stringify({ lineage, serial })}\n`);
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause;
  }
}
