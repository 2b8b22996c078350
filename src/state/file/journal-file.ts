import type { BigIntStats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { type Diagnostic, success } from '../../text/diagnostic.ts';
import { isIntent, type StateEvent } from '../event.ts';
import { encodeLine, type JournalHeader } from '../journal-format.ts';
import { JournalError, journalFailure } from '../journal-writer.ts';
import type { OpenJournal } from '../store.ts';
import { replaceFile } from './disk.ts';
import type { StateFile } from './state-file.ts';

/**
 * A journal in a file of its own. One commit is one line, so that a crash in it tears one line, the last, and everything
 * before is whole.
 *
 * The new file replaces the earlier one by a rename. A process that still has the earlier one open (its lock
 * was removed by force) sees after its next sync that the path names another file, and its append fails. So it does as
 * soon as the lock is gone: whoever took it since has perhaps read the journal before this append.
 *
 * Once the state was moved, no request is announced any more: another run may have it at its new place. What became of
 * those under way is still recorded.
 */
export class JournalFile implements OpenJournal {
  readonly #store: StateFile;
  readonly #realPath: string;
  readonly #file: FileHandle;
  /** Where the next line goes. */
  #end: number;

  private constructor(store: StateFile, realPath: string, file: FileHandle, end: number) {
    this.#store = store;
    this.#realPath = realPath;
    this.#file = file;
    this.#end = end;
  }

  static async begin(
    store: StateFile,
    header: JournalHeader,
    inherited: readonly StateEvent[],
  ): Promise<JournalFile> {
    const begun = await store.whileCurrent(header, async () => {
      const realPath = `${await store.lock.real()}.journal`;
      const events = inherited.map((event) => encodeLine(JSON.stringify([event])));
      const text = encodeLine(JSON.stringify(header)) + events.join('');
      const file = await replaceFile(realPath, text);
      return success(new JournalFile(store, realPath, file, Buffer.byteLength(text)));
    });
    if (begun.ok) return begun.value;
    throw new JournalError('ESTALE', begun.diagnostics);
  }

  get isHalfFull(): boolean {
    return this.#end > this.#store.maxBytes / 2;
  }

  async append(events: readonly StateEvent[]): Promise<Diagnostic | undefined> {
    const moved = events.some(isIntent) ? await this.#store.moved() : undefined;
    const allowed = moved ? outcomesOf(events) : events;
    if (allowed.length > 0) await this.#commit(allowed);
    return moved;
  }

  async #commit(events: readonly StateEvent[]): Promise<void> {
    const line = lineOf(events);
    try {
      await this.#write(line);
      await this.#file.datasync();
      const named = await stat(this.#realPath, { bigint: true }).catch(() => undefined);
      assertSame(await this.#file.stat({ bigint: true }), named);
      if (!(await this.#store.lock.isHeld())) throw journalFailure('ESTALE', 'state-lock-lost');
      this.#end += line.length;
    } catch (cause) {
      await this.#takeBack(events);
      throw cause;
    }
  }

  async #write(line: Buffer): Promise<void> {
    for (let done = 0; done < line.length; ) {
      const { bytesWritten } = await this.#file.write(line, done, line.length - done, this.#end + done);
      done += bytesWritten;
    }
  }

  /**
   * As well as it can be done: an intent that is read back would be taken for sent, and half a line for damage. The
   * outcomes alone, in a line as long as it was, are written over it.
   */
  async #takeBack(events: readonly StateEvent[]): Promise<void> {
    const outcomes = outcomesOf(events);
    const missing = lineOf(events).length - lineOf(outcomes).length;
    await this.#write(lineOf(outcomes, ' '.repeat(missing))).catch(() =>
      this.#file.truncate(this.#end).catch(() => undefined),
    );
    await this.#file.datasync().catch(() => undefined);
  }

  async close(): Promise<void> {
    // Whatever was promised is synced already, so that closing may fail without loss.
    await this.#file.close().catch(() => undefined);
  }
}

function lineOf(events: readonly StateEvent[], padding = ''): Buffer {
  return Buffer.from(encodeLine(JSON.stringify(events) + padding));
}

function outcomesOf(events: readonly StateEvent[]): readonly StateEvent[] {
  return events.filter((event) => !isIntent(event));
}

function assertSame(ours: BigIntStats, named: BigIntStats | undefined): void {
  if (named?.ino === ours.ino && named.dev === ours.dev) return;
  throw journalFailure('ESTALE', 'journal-replaced');
}
