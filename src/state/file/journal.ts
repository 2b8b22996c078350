import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import type { Journal, JournalStore } from '../store.ts';
import { syncFolder } from './folder.ts';
import { codeOf, ioFailure } from './io-failure.ts';
import { readJournal } from './journal-reader.ts';
import { openJournal } from './journal-writer.ts';
import type { FileStoreOptions, WhileCurrent } from './options.ts';
import type { Place } from './place.ts';

/** The journal `STATE.journal` beside the state file, where that really is. */
export function createFileJournal(
  place: Place,
  { within, newId = randomUUID }: FileStoreOptions,
  whileCurrent: WhileCurrent,
): JournalStore {
  const path = `${place.path}.journal`;
  const locate = async () => `${await place.real()}.journal`;
  const { moved } = place;

  async function replay(): Promise<Result<Journal | undefined>> {
    try {
      return await readJournal(await locate(), path, within);
    } catch (cause) {
      return failure(ioFailure('The journal could not be read', path, cause));
    }
  }

  async function discard(): Promise<Result<void>> {
    try {
      const real = await locate();
      await rm(real, { force: true });
      await syncFolder(dirname(real));
      return success(undefined);
    } catch (cause) {
      // No folder: no journal in it either.
      if (codeOf(cause) === 'ENOENT') return success(undefined);
      return failure(ioFailure('The journal could not be removed', path, cause));
    }
  }

  return {
    replay,
    open: (header, events) =>
      openJournal({ path, locate, moved, suffix: newId(), header, events, whileCurrent }),
    discard,
  };
}
