import { type Diagnostic, error } from '../text/diagnostic.ts';
import { codeOf } from '../text/read-file.ts';
import { isIntent, type StateEvent } from './event.ts';
import type { JournalHeader } from './journal-format.ts';
import type { OpenJournal, StateStore } from './store.ts';

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

/** What one commit takes. `done` gives why its intents were refused, if so, and all else is durable then. */
interface Batch {
  readonly events: StateEvent[];
  readonly done: Promise<Diagnostic | undefined>;
}

/**
 * A journal that is begun with the first append: until then, and until the new one is whole and durable,
 * the earlier journal stands. It is only begun by the holder of the lock, for the state that is stored: whoever waited
 * at a question, or slept, must not overwrite the journal of a run that came meanwhile.
 *
 * Group commit: while one is under way further appends gather, and the next takes them all.
 */
export class JournalWriter {
  readonly #store: StateStore;
  readonly #header: JournalHeader;
  readonly #inherited: readonly StateEvent[];
  #open: OpenJournal | undefined;
  #failed: JournalError | undefined;
  /** Appends join it until it is its turn. */
  #waiting: Batch | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** The journal will hold `inherited` from its beginning, and replace any earlier one in a single step. */
  constructor(store: StateStore, header: JournalHeader, inherited: readonly StateEvent[]) {
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
    if (isIntent(event) && this.#open?.isHalfFull) throw journalFailure('EFBIG', 'journal-full');
    this.#waiting ??= this.#nextBatch();
    this.#waiting.events.push(event);
    const moved = await this.#waiting.done;
    if (moved && isIntent(event)) throw new JournalError('ESTALE', [moved]);
  }

  /** Waits for the appends under way, then lets go of the file, which stays. */
  async close(): Promise<void> {
    await this.#last;
    await this.#open?.close();
    this.#open = undefined;
    this.#failed ??= journalFailure('EBADF', 'journal-closed');
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
      this.#open ??= await this.#store.journal.begin(this.#header, this.#inherited);
      return await this.#open.append(events);
    } catch (cause) {
      this.#failed = asJournalError(cause);
      throw this.#failed;
    }
  }
}

type Failure = 'journal-closed' | 'journal-full' | 'journal-replaced' | 'state-lock-lost';

export function journalFailure(code: string, rule: Failure): JournalError {
  return new JournalError(code, [error(rule, {})]);
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
