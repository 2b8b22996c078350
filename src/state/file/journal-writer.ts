import type { BigIntStats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { type Diagnostic, error, success } from '../../text/diagnostic.ts';
import { codeOf } from '../../text/read-file.ts';
import { isIntent, type StateEvent } from '../event.ts';
import { replaceFile } from './disk.ts';
import { encodeLine, type JournalHeader } from './journal-format.ts';
import type { FileStore } from './store.ts';

/**
 * The journal could not be made durable, so nothing may be sent any more. It stays failed: after a failed sync
 * the kernel may report the next one as successful although the data never reached the disk.
 */
export class JournalError extends Error {
  /** The system's code: `ENOSPC`, `EIO`; `ESTALE` if the file was removed or replaced by another process. */
  readonly code: string;
  readonly problems: readonly Diagnostic[];

  constructor(code: string, problems: readonly Diagnostic[], cause?: unknown) {
    super(problems.map(({ rule }) => rule).join(), { cause });
    this.name = 'JournalError';
    this.code = code;
    this.problems = problems;
  }
}

interface OpenFile {
  readonly realPath: string;
  readonly file: FileHandle;
  /** Where the next line goes. */
  end: number;
}

/** What one commit takes. `done` gives why its intents were refused, if so, and all else is durable then. */
interface Batch {
  readonly events: StateEvent[];
  readonly done: Promise<Diagnostic | undefined>;
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
 * was removed by force) sees after its next sync that the path names another file, and its append fails. So it does as
 * soon as the lock is gone: whoever took it since has perhaps read the journal before this append.
 *
 * Once the state was moved, no request is announced any more: another run may have it at its new place. What became of
 * those under way is still recorded.
 */
export class JournalWriter {
  readonly #store: FileStore;
  readonly #header: JournalHeader;
  readonly #inherited: readonly StateEvent[];
  #open: OpenFile | undefined;
  #failed: JournalError | undefined;
  /** Appends join it until it is its turn. */
  #waiting: Batch | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** The journal will hold `inherited` from its beginning, and replace any earlier one in a single step. */
  constructor(store: FileStore, header: JournalHeader, inherited: readonly StateEvent[]) {
    this.#store = store;
    this.#header = header;
    this.#inherited = inherited;
  }

  /**
   * Resolves once the event is durable. Appends that wait together become durable together, in the order of
   * the calls. After one failure this and every later append rejects with a `JournalError`; but once the state was
   * moved, only what announces a request.
   */
  async append(event: StateEvent): Promise<void> {
    if (this.#failed) throw this.#failed;
    // Nothing more is sent long before it is full: what was sent needs room for its answers.
    const isHalfFull = this.#open && this.#open.end > this.#store.maxBytes / 2;
    if (isIntent(event) && isHalfFull) throw failed('EFBIG', 'journal-full');
    this.#waiting ??= this.#nextBatch();
    this.#waiting.events.push(event);
    const moved = await this.#waiting.done;
    if (moved && isIntent(event)) throw new JournalError('ESTALE', [moved]);
  }

  /** Waits for the appends under way, then lets go of the file, which stays. */
  async close(): Promise<void> {
    await this.#last;
    // Whatever was promised is synced already, so that closing may fail without loss.
    await this.#open?.file.close().catch(() => undefined);
    this.#open = undefined;
    this.#failed ??= failed('EBADF', 'journal-closed');
  }

  #nextBatch(): Batch {
    const events: StateEvent[] = [];
    const done = this.#last.then(() => {
      this.#waiting = undefined;
      return this.#commit(events);
    });
    this.#last = done.catch(() => undefined);
    return { events, done };
  }

  async #commit(events: readonly StateEvent[]): Promise<Diagnostic | undefined> {
    if (this.#failed) throw this.#failed;
    try {
      this.#open ??= await this.#begin();
      const moved = events.some(isIntent) ? await this.#store.moved() : undefined;
      const allowed = moved ? outcomesOf(events) : events;
      if (allowed.length > 0) await this.#write(allowed, this.#open);
      return moved;
    } catch (cause) {
      this.#failed = asJournalError(cause);
      throw this.#failed;
    }
  }

  async #begin(): Promise<OpenFile> {
    const begun = await this.#store.whileCurrent(this.#header, async () => {
      const realPath = `${await this.#store.lock.real()}.journal`;
      const events = this.#inherited.map((event) => encodeLine(JSON.stringify([event])));
      const text = encodeLine(JSON.stringify(this.#header)) + events.join('');
      return success({ realPath, file: await replaceFile(realPath, text), end: Buffer.byteLength(text) });
    });
    if (begun.ok) return begun.value;
    throw new JournalError('ESTALE', begun.diagnostics);
  }

  async #write(events: readonly StateEvent[], open: OpenFile): Promise<void> {
    const { file } = open;
    const line = lineOf(events);
    try {
      await write(line, open);
      await file.datasync();
      const named = await stat(open.realPath, { bigint: true }).catch(() => undefined);
      assertSame(await file.stat({ bigint: true }), named);
      if (!(await this.#store.lock.isHeld())) throw failed('ESTALE', 'state-lock-lost');
      open.end += line.length;
    } catch (cause) {
      await takeBack(events, open);
      throw cause;
    }
  }
}

type Failure = 'journal-closed' | 'journal-full' | 'journal-replaced' | 'state-lock-lost';

function failed(code: string, rule: Failure): JournalError {
  return new JournalError(code, [error(rule, {})]);
}

function lineOf(events: readonly StateEvent[], padding = ''): Buffer {
  return Buffer.from(encodeLine(JSON.stringify(events) + padding));
}

function outcomesOf(events: readonly StateEvent[]): readonly StateEvent[] {
  return events.filter((event) => !isIntent(event));
}

async function write(line: Buffer, { file, end }: OpenFile): Promise<void> {
  for (let done = 0; done < line.length; )
    done += (await file.write(line, done, line.length - done, end + done)).bytesWritten;
}

/**
 * As well as it can be done: an intent that is read back would be taken for sent, and half a line for damage. The
 * outcomes alone, in a line as long as it was, are written over it.
 */
async function takeBack(events: readonly StateEvent[], open: OpenFile): Promise<void> {
  const outcomes = outcomesOf(events);
  const missing = lineOf(events).length - lineOf(outcomes).length;
  const { file, end } = open;
  await write(lineOf(outcomes, ' '.repeat(missing)), open).catch(() =>
    file.truncate(end).catch(() => undefined),
  );
  await file.datasync().catch(() => undefined);
}

function assertSame(ours: BigIntStats, named: BigIntStats | undefined): void {
  if (named?.ino === ours.ino && named.dev === ours.dev) return;
  throw failed('ESTALE', 'journal-replaced');
}

function asJournalError(cause: unknown): JournalError {
  if (cause instanceof JournalError) return cause;
  const code = codeOf(cause);
  const said = code === undefined ? String(cause) : (cause as Error).message;
  const problem = error('journal-not-durable', { code, said });
  return new JournalError(code ?? 'EIO', [problem], cause);
}

/** Why an event was not recorded: the journal failed, or the event can't follow what is recorded, which is our bug. */
export function recordingError(cause: unknown): JournalError {
  if (cause instanceof JournalError) return cause;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new JournalError('EINVAL', [error('impossible-event', { said })], cause);
}
