import { type Dirent, existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { codeOf } from '../../text/read-file.ts';
import type { StateEvent } from '../event.ts';
import type { Target } from '../model.ts';
import { assertTarget } from '../version.ts';
import { followLinks, ioFailure, orIoFailure, syncFolder } from './disk.ts';
import { type Journal, type JournalHeader, readJournal } from './journal-format.ts';
import { JournalWriter, type StateFile } from './journal-writer.ts';

const ENDING = '.journal';

/** A journal that the state does not find: `path` is where it lies, `place` where it would be found. */
export interface MislaidJournal {
  readonly path: string;
  readonly place: string;
  readonly journal: Journal;
}

/** The journal `STATE.journal`: what happened since the state was last written. Only the lock's holder writes it. */
export class FileJournal {
  readonly #state: StateFile;
  readonly #target: Target | undefined;

  /** `target`: whose records the state is of, if no other state may be of it. */
  constructor(state: StateFile, target: Target | undefined) {
    this.#state = state;
    this.#target = target;
  }

  /** Fails if one of the events can't be read any more. */
  replay(): Promise<Result<Journal | undefined>> {
    const { within, maxBytes } = this.#state;
    const shown = this.#shown();
    return orIoFailure('read-journal', shown, async () =>
      readJournal(await this.#path(), { shown, within, maxBytes }),
    );
  }

  /** Does not touch the disk before the first append. */
  open(header: JournalHeader, events: readonly StateEvent[]): JournalWriter {
    return new JournalWriter(this.#state, header, events);
  }

  /** Removes the journal, if the lock is not lost: its events are in the state. May find none. */
  discard(): Promise<Result<void>> {
    // Without the lock it may be that of the next holder by now.
    return orIoFailure<void>('remove-journal', this.#shown(), () =>
      this.#state.lock.whileHeld(async () => {
        const real = await this.#path();
        await rm(real, { force: true });
        await syncFolder(dirname(real));
        return success(undefined);
      }),
    );
  }

  /**
   * Every journal of this lineage that lies where the state may have been before it was moved; without a lineage,
   * for nothing is recorded, those of the same target.
   */
  async elsewhere(lineage: string | undefined): Promise<Result<readonly MislaidJournal[]>> {
    const target = this.#target;
    const only = (header: JournalHeader) =>
      lineage === undefined
        ? target !== undefined && assertTarget(header, target) === undefined
        : header.lineage === lineage;
    const own = await this.#path();
    const mislaid: MislaidJournal[] = [];
    for (const path of await this.#journalsAround()) {
      if (path === own) continue;
      const read = await readOther(path, only);
      if (!read.ok) return read;
      if (read.value) mislaid.push({ path, place: own, journal: read.value });
    }
    return success(mislaid);
  }

  /** The real paths of all journals beside the state, beside a link to it, and in the folder that it is kept in. */
  async #journalsAround(): Promise<ReadonlySet<string>> {
    const { path, within } = this.#state;
    const beside = [dirname(await this.#state.real()), await followLinks(dirname(path))];
    const found = await Promise.all([
      ...beside.map((folder) => journalsIn(folder, false)),
      ...(within ? [journalsIn(await followLinks(within.path), true)] : []),
    ]);
    return new Set(found.flat());
  }

  #shown(): string {
    return `${this.#state.path}${ENDING}`;
  }

  async #path(): Promise<string> {
    return `${await this.#state.real()}${ENDING}`;
  }
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
