import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { linkOutside, MAX_WRITTEN_BYTES, readRegularFile } from '../../text/read-file.ts';
import { formatState, parseState } from '../format.ts';
import type { State } from '../model.ts';
import type { LockFailed, StateStore } from '../store.ts';
import { digestOf, isSameVersion, type StateVersion, versionOf } from '../version.ts';
import { atomicWrite } from './atomic-write.ts';
import { ioFailure } from './io-failure.ts';
import { createFileJournal } from './journal.ts';
import { createPlace, type FileStoreOptions, type WhileCurrent, type WhileHeld } from './place.ts';
import { createFileLock } from './store-lock.ts';

const NOTHING: StateVersion = { lineage: '', serial: 0, digest: '' };

/**
 * A state in a file, with `PATH.lock` and `PATH.journal` beside it while a run has it. The compare-and-swap is safe
 * because only the lock's holder writes, and nobody can take the lock away in the middle of a change.
 */
export function createFileStore(options: FileStoreOptions): StateStore {
  const { path, within, newId = randomUUID, maxBytes = MAX_WRITTEN_BYTES } = options;
  const place = createPlace(path);
  const lock = createFileLock(place);

  const whileHeld: WhileHeld = async (change) => (await lock.whileHeld(change)) ?? failure(lockLost(path));

  const whileCurrent: WhileCurrent = (version, change) => whileUnchanged(version, change, UNCHANGED);

  function whileUnchanged<T>(version: StateVersion, change: () => Promise<Result<T>>, hint: string) {
    return whileHeld(async () => {
      const moved = await place.moved();
      if (moved) return failure(moved);
      const text = await readText();
      if (!text.ok) return text;
      // The usual case, without parsing what was written here.
      if (text.value !== undefined && digestOf(text.value) === version.digest) return change();
      const stored = parsed(text.value);
      if (!stored.ok) return stored;
      const current = stored.value ? versionOf(stored.value) : NOTHING;
      return isSameVersion(current, version)
        ? change()
        : failure(changedMeanwhile(path, version, current, hint));
    });
  }

  async function verify(version: StateVersion): Promise<Result<void>> {
    try {
      return await whileCurrent(version, async () => success(undefined));
    } catch (cause) {
      return failure(ioFailure('The state could not be read', path, cause));
    }
  }

  async function write(state: State, expected: StateVersion): Promise<Result<void>> {
    if (state.serial <= expected.serial) throw new Error('The serial of a state must rise with every write.');
    try {
      const text = formatState(state);
      if (Buffer.byteLength(text) > maxBytes) return failure(tooLarge(path, maxBytes));
      const replace = async () => success(await atomicWrite(await place.real(), text, newId()));
      return await whileUnchanged(expected, replace, NOT_SAVED);
    } catch (cause) {
      return failure(ioFailure('The state could not be written', path, cause));
    }
  }

  async function read(): Promise<Result<State | undefined>> {
    const text = await readText();
    return text.ok ? parsed(text.value) : text;
  }

  function parsed(text: string | undefined): Result<State | undefined> {
    return text === undefined ? success(undefined) : parseState(text, path);
  }

  async function readText(): Promise<Result<string | undefined>> {
    try {
      const found = await readRegularFile(path, { shown: path, maxBytes, within });
      if (found.kind === 'absent') return success(undefined);
      if (found.kind === 'refused') return failure(found.problem);
      return isUtf8(found.bytes) ? success(found.bytes.toString()) : failure(notText(path));
    } catch (cause) {
      return failure(ioFailure('The state could not be read', path, cause));
    }
  }

  /** What is written there would land on somebody else's file. */
  async function inside<Outcome>(work: () => Promise<Outcome>): Promise<Outcome | LockFailed> {
    const stray = within && (await linkOutside(path, path, within));
    return stray ? { kind: 'failed', diagnostics: [stray] } : work();
  }

  return {
    describe: () => path,
    read,
    verify,
    write,
    lock: (owner) => inside(() => lock.take(owner)),
    inspectLock: () => inside(lock.inspect),
    unlock: (by, holder, force) => inside(() => lock.remove(by, holder, force)),
    journal: createFileJournal(place, options, { isHeld: lock.isHeld, whileHeld, whileCurrent }),
  };
}

/** What could not be read again is not written. */
function tooLarge(path: string, maxBytes: number): Diagnostic {
  return error('state-too-large', `The state would be larger than ${maxBytes / 2 ** 20} MiB.`, {
    subject: path,
    hint:
      'Nothing is lost: the state is as it was, and the journal beside it has what was recorded since. Records this ' +
      'large are a mistake: look for them with trove state list, and let go of them with trove state forget.',
  });
}

function notText(path: string): Diagnostic {
  return error('state-not-json', 'The state is not text in UTF-8.', {
    subject: path,
    hint: 'Put back the last good version of this file (git has it where it is committed).',
  });
}

function lockLost(path: string): Diagnostic {
  return error('state-lock-lost', 'The lock of the state was removed while this run had it.', {
    subject: path,
    hint:
      'Find out who removed the lock, and whether another run has written since. If a journal is beside the state, it ' +
      'has what this run recorded before that.',
  });
}

const UNCHANGED = 'Nothing was overwritten. Make a new plan and run again.';
const NOT_SAVED =
  'Nothing was overwritten. If a journal is beside the state, it has what this run recorded: put back the state that ' +
  'the run began with (git may have it), and the next run replays the rest from the journal.';

function changedMeanwhile(
  path: string,
  expected: StateVersion,
  found: StateVersion,
  hint: string,
): Diagnostic {
  const isSameSerial = found.serial === expected.serial;
  const how = isSameSerial
    ? `it has the same serial (${found.serial}) and other contents, as the state of another branch has`
    : `its serial is ${found.serial}, and this run began with ${expected.serial}`;
  return error('state-changed', `The state was changed by somebody else: ${how}.`, {
    subject: path,
    hint,
  });
}
