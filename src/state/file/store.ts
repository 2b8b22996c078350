import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { formatState, parseState } from '../format.ts';
import type { State } from '../model.ts';
import type { StateStore } from '../store.ts';
import { atomicWrite } from './atomic-write.ts';
import { followLinks } from './folder.ts';
import { codeOf, ioFailure } from './io-failure.ts';
import { createFileJournal } from './journal.ts';
import { createFileLock } from './store-lock.ts';

export interface FileStoreOptions {
  /** Where the state is, or will be; its folders are created when it is first locked. */
  readonly path: string;
  /** Gives fresh UUIDs, for the names of temporary files. */
  readonly newId?: () => string;
}

/**
 * A state in a file, with `PATH.lock` and `PATH.journal` beside it while a run has it. The
 * compare-and-swap is safe because only the lock's holder writes; the lock is looked at again before each
 * write, for a person may have removed it by force.
 */
export function createFileStore({ path, newId = randomUUID }: FileStoreOptions): StateStore {
  const lock = createFileLock(path);

  async function write(state: State, expectedSerial: number): Promise<Result<void>> {
    if (state.serial <= expectedSerial) throw new Error('The serial of a state must rise with every write.');
    try {
      if (!(await lock.isStillHeld())) return failure(lockLost(path));
      const stored = await readStateFile(path);
      if (!stored.ok) return stored;
      const serial = stored.value?.serial ?? 0;
      if (serial !== expectedSerial) return failure(changedMeanwhile(path, expectedSerial, serial));
      await atomicWrite(await followLinks(path), formatState(state), newId());
      return success(undefined);
    } catch (cause) {
      return failure(ioFailure('The state could not be written', path, cause));
    }
  }

  return {
    describe: () => path,
    read: () => readStateFile(path),
    write,
    lock: lock.take,
    inspectLock: lock.inspect,
    unlock: lock.remove,
    journal: createFileJournal(path, newId),
  };
}

async function readStateFile(path: string): Promise<Result<State | undefined>> {
  try {
    const bytes = await readFile(path);
    return isUtf8(bytes) ? parseState(bytes.toString(), path) : failure(notText(path));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return success(undefined);
    return failure(ioFailure('The state could not be read', path, cause));
  }
}

function notText(path: string): Diagnostic {
  return error('state-not-json', 'The state is not text in UTF-8.', {
    subject: path,
    hint: 'Put back the last good version of this file (git has it where it is committed).',
  });
}

function lockLost(path: string): Diagnostic {
  return error(
    'state-lock-lost',
    'The lock of the state was removed while this run had it, so it was not written.',
    {
      subject: path,
      hint: 'What this run recorded stands in the journal beside the state. Find out who removed the lock first.',
    },
  );
}

function changedMeanwhile(path: string, expected: number, found: number): Diagnostic {
  return error(
    'state-changed',
    `The state was changed by somebody else: its serial is ${found}, and this run began with ${expected}.`,
    { subject: path, hint: 'Nothing was overwritten. Make a new plan and run again.' },
  );
}
