import { type FileHandle, stat } from 'node:fs/promises';
import { success } from '../../text/diagnostic.ts';
import type { StateEvent } from '../event.ts';
import { JournalError } from '../journal-error.ts';
import type { JournalHeader, JournalWriter } from '../store.ts';
import { replaceFile } from './atomic-write.ts';
import { codeOf, reasonOf } from './io-failure.ts';
import { encodeLine } from './journal-line.ts';
import type { WhileCurrent } from './options.ts';
import type { Place } from './place.ts';

export interface JournalPlace {
  /** As people see it, and where it really is. */
  readonly path: string;
  readonly locate: () => Promise<string>;
  /** Why no request may be announced any more, if so. */
  readonly moved: Place['moved'];
  /** Makes the name of the temporary file unique. */
  readonly suffix: string;
  readonly header: JournalHeader;
  readonly events: readonly StateEvent[];
  /** Does the beginning while the lock and the stored state can't change. */
  readonly whileCurrent: WhileCurrent;
}

interface OpenFile {
  readonly realPath: string;
  readonly file: FileHandle;
}

interface Waiting {
  readonly json: string;
  /** It says that a request is about to be sent. */
  readonly announces: boolean;
  readonly resolve: () => void;
  readonly reject: (error: JournalError) => void;
}

/**
 * A journal that is begun with the first append: until then, and until the new file is whole and durable,
 * the earlier journal stands. It is only begun by the holder of the lock, for the state that is stored: whoever waited
 * at a question, or slept, must not overwrite the journal of a run that came meanwhile.
 *
 * Group commit: while one write and sync is under way further appends gather, and the next write takes them
 * all. One commit is one line, so that a crash in it tears one line, the last, and everything before is whole.
 *
 * The new file replaces the earlier one by a rename. A process that still has the earlier one open (its lock
 * was removed by force) sees after its next sync that the path names another file, and its append fails.
 *
 * Once the state was moved, no request is announced any more: another run may have it at its new place. What became of
 * those under way is still recorded.
 */
export function openJournal(place: JournalPlace): JournalWriter {
  const { path, header, events } = place;
  let open: OpenFile | undefined;
  let failed: JournalError | undefined;
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  function append(event: StateEvent): Promise<void> {
    if (failed) return Promise.reject(failed);
    const json = JSON.stringify(event);
    const announces = event.type === 'intent' || event.type === 'updating';
    return new Promise((resolve, reject) => {
      waiting.push({ json, announces, resolve, reject });
      running ??= commitAll();
    });
  }

  async function commitAll(): Promise<void> {
    // Appends made in the same turn join the first commit.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        open ??= await begin();
        const possible = await withoutAnnouncements(batch);
        if (possible.length > 0) await commit(possible, open);
        for (const { resolve } of possible) resolve();
      } catch (cause) {
        failed = asJournalError(path, cause);
        for (const { reject } of [...batch, ...waiting]) reject(failed);
        waiting = [];
      }
    }
    // In the same turn as the last look at `waiting`: an append in between would find nobody to commit it.
    running = undefined;
  }

  async function withoutAnnouncements(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const announcing = batch.filter(({ announces }) => announces);
    const moved = announcing.length > 0 ? await place.moved() : undefined;
    if (!moved) return batch;
    for (const { reject } of announcing) reject(new JournalError(path, 'ESTALE', moved.message));
    return batch.filter(({ announces }) => !announces);
  }

  async function commit(batch: readonly Waiting[], { file, realPath }: OpenFile): Promise<void> {
    await file.writeFile(encodeLine(`[${batch.map(({ json }) => json).join(',')}]`));
    await file.datasync();
    await assertStillNamed(path, { file, realPath });
  }

  async function begin(): Promise<OpenFile> {
    const begun = await place.whileCurrent(header, async () => {
      const realPath = await place.locate();
      return success({
        realPath,
        file: await replaceFile(realPath, beginning(header, events), place.suffix),
      });
    });
    if (begun.ok) return begun.value;
    const message = begun.diagnostics.map((each) => each.message).join(' ');
    throw new JournalError(path, 'ESTALE', message);
  }

  async function close(): Promise<void> {
    await running;
    // Whatever was promised is synced already, so that closing may fail without loss.
    await open?.file.close().catch(() => undefined);
    open = undefined;
    failed ??= new JournalError(path, 'EBADF', 'The journal is closed.');
  }

  return { append, close };
}

function beginning(header: JournalHeader, events: readonly StateEvent[]): string {
  const lines = events.map((event) => encodeLine(JSON.stringify([event])));
  return encodeLine(JSON.stringify(header)) + lines.join('');
}

async function assertStillNamed(path: string, { file, realPath }: OpenFile): Promise<void> {
  const ours = await file.stat({ bigint: true });
  const named = await stat(realPath, { bigint: true }).catch(() => undefined);
  if (named?.ino === ours.ino && named.dev === ours.dev) return;
  throw new JournalError(path, 'ESTALE', 'The journal was removed or replaced by somebody else.');
}

function asJournalError(path: string, cause: unknown): JournalError {
  if (cause instanceof JournalError) return cause;
  const code = codeOf(cause);
  const reason = code === undefined ? String(cause) : reasonOf(cause);
  return new JournalError(path, code ?? 'EIO', `The journal could not be made durable: ${reason}.`, cause);
}
