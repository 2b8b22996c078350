import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Result, success } from '../../text/diagnostic.ts';
import { codeOf, readRegularFile } from '../../text/read-file.ts';
import type { State } from '../model.ts';
import type { StateJournal, StateStore } from '../store.ts';
import type { SavedVersion } from '../version.ts';
import { atomicWrite, makeLocalFolder } from './disk.ts';
import { discardJournal, journalOf, journalsElsewhere } from './journal.ts';
import { JournalFile } from './journal-file.ts';
import { StateFile } from './state-file.ts';

/** The state of one environment in a file, with its journal beside it. */
export class FileStore extends StateFile implements StateStore {
  /** A lock leaves nothing behind here. */
  async hasAnything(): Promise<Result<boolean>> {
    return success(true);
  }

  readonly journal: StateJournal = {
    read: () => journalOf(this),
    elsewhere: (lineage) => journalsElsewhere(this, lineage),
    discard: () => discardJournal(this),
    begin: (header, inherited) => JournalFile.begin(this, header, inherited),
  };
}

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
    if (!read.ok || !read.value) return undefined;
    const { lineage, serial, revision } = Object(JSON.parse(read.value.toString()));
    if (typeof lineage !== 'string' || !Number.isSafeInteger(serial)) return undefined;
    return {
      lineage,
      serial,
      ...(typeof revision === 'string' && { revision }),
      at: (await stat(path)).mtime.toISOString(),
    };
  } catch (cause) {
    if (cause instanceof SyntaxError || codeOf(cause) !== undefined) return undefined;
    throw cause;
  }
}

/** Notes the version of a state, unless a newer one of the same history is noted. A note that can't be made is left out. */
export async function noteVersion(path: string, { lineage, serial, revisions }: State): Promise<void> {
  const revision = revisions?.[0];
  const noted = await newestVersion(path);
  const isNoted = noted?.serial === serial && noted.revision === revision;
  if (noted?.lineage === lineage && (isNoted || noted.serial > serial)) return;
  try {
    await makeLocalFolder(dirname(path));
    await atomicWrite(path, `${JSON.stringify({ lineage, serial, revision })}\n`);
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause;
  }
}
