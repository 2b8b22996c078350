import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { type Folder, MAX_WRITTEN_BYTES } from '../../text/read-file.ts';
import type { Journal, JournalHeader, JournalStore, MislaidJournal } from '../store.ts';
import { assertTarget } from '../version.ts';
import { followLinks, syncFolder } from './atomic-write.ts';
import { codeOf, ioFailure } from './io-failure.ts';
import { readJournal } from './journal-reader.ts';
import { openJournal } from './journal-writer.ts';
import type { FileStoreOptions, Place, WhileCurrent, WhileHeld } from './place.ts';

const ENDING = '.journal';

/** What the lock of the state lets the journal do. */
interface JournalLock {
  readonly isHeld: () => Promise<boolean>;
  readonly whileHeld: WhileHeld;
  readonly whileCurrent: WhileCurrent;
}

/** The journal `STATE.journal` beside the state file, where that really is. */
export function createFileJournal(
  place: Place,
  { within, target, newId = randomUUID, maxBytes = MAX_WRITTEN_BYTES }: FileStoreOptions,
  { isHeld, whileHeld, whileCurrent }: JournalLock,
): JournalStore {
  const path = `${place.path}${ENDING}`;
  const locate = async () => `${await place.real()}${ENDING}`;
  const { moved } = place;

  async function replay(): Promise<Result<Journal | undefined>> {
    try {
      return await readJournal(await locate(), { shown: path, within, maxBytes });
    } catch (cause) {
      return failure(ioFailure('The journal could not be read', path, cause));
    }
  }

  async function discard(): Promise<Result<void>> {
    try {
      // Without the lock it may be that of the next holder by now.
      return await whileHeld(async () => {
        const real = await locate();
        await rm(real, { force: true });
        await syncFolder(dirname(real));
        return success(undefined);
      });
    } catch (cause) {
      // No folder: no journal in it either.
      if (codeOf(cause) === 'ENOENT') return success(undefined);
      return failure(ioFailure('The journal could not be removed', path, cause));
    }
  }

  async function elsewhere(lineage: string | undefined): Promise<Result<readonly MislaidJournal[]>> {
    const only = (header: JournalHeader) =>
      lineage === undefined
        ? target !== undefined && assertTarget(header, target) === undefined
        : header.lineage === lineage;
    const own = await locate();
    const mislaid: MislaidJournal[] = [];
    for (const path of await journalsAround(place, within)) {
      if (path === own) continue;
      const read = await readOther(path, only);
      if (!read.ok) return read;
      if (read.value) mislaid.push({ path, place: own, journal: read.value });
    }
    return success(mislaid);
  }

  return {
    replay,
    elsewhere,
    open: (header, events) => {
      const lock = { isHeld, whileCurrent };
      return openJournal({ path, locate, moved, suffix: newId(), header, events, maxBytes, ...lock });
    },
    discard,
  };
}

/** One that can't be read is the concern of the state beside it, if that is there. */
async function readOther(
  path: string,
  only: (header: JournalHeader) => boolean,
): Promise<Result<Journal | undefined>> {
  try {
    return await readJournal(path, { shown: path, only });
  } catch (cause) {
    const hasState = await lstat(path.slice(0, -ENDING.length)).then(
      () => true,
      () => false,
    );
    return hasState ? success(undefined) : failure(ioFailure('A journal could not be read', path, cause));
  }
}

/** The real paths of all journals beside the state, beside a link to it, and in the folder that it is kept in. */
async function journalsAround(
  { path, real }: Place,
  within: Folder | undefined,
): Promise<ReadonlySet<string>> {
  const beside = [dirname(await real()), await followLinks(dirname(path))];
  const found = await Promise.all([
    ...beside.map((folder) => journalsIn(folder, false)),
    ...(within ? [journalsIn(await followLinks(within.path), true)] : []),
  ]);
  return new Set(found.flat());
}

async function journalsIn(folder: string, deep: boolean): Promise<readonly string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    // No state can have been read from there either.
    if (codeOf(cause) === undefined) throw cause;
    return [];
  }
  const named = (which: (entry: Dirent) => boolean) =>
    entries.filter(which).map(({ name }) => join(folder, name));
  const below = named((entry) => deep && entry.isDirectory() && !entry.name.startsWith('.'));
  const deeper = await Promise.all(below.map((each) => journalsIn(each, true)));
  return [...named((entry) => entry.isFile() && entry.name.endsWith(ENDING)), ...deeper.flat()];
}
