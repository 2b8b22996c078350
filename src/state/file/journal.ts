import { type Dirent, existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { codeOf } from '../../text/read-file.ts';
import { type Journal, type JournalHeader, readJournal } from '../journal-format.ts';
import type { MislaidJournal } from '../store.ts';
import { assertTarget } from '../version.ts';
import { followLinks, ioFailure, orIoFailure, syncFolder } from './disk.ts';
import type { StateFile } from './state-file.ts';

const ENDING = '.journal';

/** What the journal `STATE.journal` of a state holds. Fails if one of its events can't be read any more. */
export function journalOf(store: StateFile): Promise<Result<Journal | undefined>> {
  const { path, within, maxBytes } = store;
  const shown = `${path}${ENDING}`;
  return orIoFailure('read-journal', shown, async () =>
    readJournal(await realPath(store), { shown, within, maxBytes }),
  );
}

/** Removes the journal, if the lock is not lost: its events are in the state. May find none. */
export function discardJournal(store: StateFile): Promise<Result<void>> {
  const discard = async () => {
    const real = await realPath(store);
    await rm(real, { force: true });
    await syncFolder(dirname(real));
    return success(undefined);
  };
  // Without the lock it may be that of the next holder by now.
  return orIoFailure<void>('remove-journal', `${store.path}${ENDING}`, () => store.lock.whileHeld(discard));
}

/**
 * Every journal of this lineage that lies where the state may have been before it was moved; without a lineage,
 * for nothing is recorded, those of the same target.
 */
export async function journalsElsewhere(
  store: StateFile,
  lineage: string | undefined,
): Promise<Result<readonly MislaidJournal[]>> {
  const { target } = store;
  const only = (header: JournalHeader) =>
    lineage === undefined
      ? target !== undefined && assertTarget(header, target) === undefined
      : header.lineage === lineage;
  const own = await realPath(store);
  const mislaid: MislaidJournal[] = [];
  for (const path of await journalsAround(store)) {
    if (path === own) continue;
    const read = await readOther(path, only);
    if (!read.ok) return read;
    if (read.value) mislaid.push({ path, place: own, journal: read.value });
  }
  return success(mislaid);
}

async function realPath({ lock }: StateFile): Promise<string> {
  return `${await lock.real()}${ENDING}`;
}

/** The real paths of all journals beside the state, beside a link to it, and in the folder that it is kept in. */
async function journalsAround({ path, within, lock }: StateFile): Promise<ReadonlySet<string>> {
  const beside = [dirname(await lock.real()), await followLinks(dirname(path))];
  const found = await Promise.all([
    ...beside.map((folder) => journalsIn(folder, false)),
    ...(within ? [journalsIn(await followLinks(within.path), true)] : []),
  ]);
  return new Set(found.flat());
}

/** One that can't be read is the concern of the state beside it, if that is there. */
async function readOther(
  path: string,
  only: (header: JournalHeader) => boolean,
): Promise<Result<Journal | undefined>> {
  try {
    return await readJournal(path, { shown: path, only });
  } catch (cause) {
    if (existsSync(path.slice(0, -ENDING.length))) return success(undefined);
    return failure(ioFailure('read-other-journal', path, cause));
  }
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
