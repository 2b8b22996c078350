import { type BigIntStats, fdatasyncSync, fstatSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { success } from '../../text/diagnostic.ts';
import { isIntent, type StateEvent } from '../event.ts';
import { JournalError, type JournalHeader, type JournalWriter } from '../store.ts';
import { replaceFile } from './atomic-write.ts';
import { codeOf, reasonOf } from './io-failure.ts';
import { encodeLine } from './journal-reader.ts';
import type { Place, WhileCurrent } from './place.ts';

interface JournalPlace {
  /** As people see it, and where it really is. */
  readonly path: string;
  readonly locate: () => Promise<string>;
  /** Why no request may be announced any more, if so. */
  readonly moved: Place['moved'];
  /** Makes the name of the temporary file unique. */
  readonly suffix: string;
  readonly header: JournalHeader;
  readonly events: readonly StateEvent[];
  /** Whether the lock is still there. */
  readonly isHeld: () => Promise<boolean>;
  /** Does the beginning while the lock and the stored state can't change. */
  readonly whileCurrent: WhileCurrent;
  /** A larger journal can't be read again. */
  readonly maxBytes: number;
}

interface OpenFile {
  readonly realPath: string;
  readonly file: FileHandle;
  /** Where the next line goes. */
  end: number;
}

interface Waiting {
  readonly event: StateEvent;
  readonly json: string;
  readonly resolve: () => void;
  readonly reject: (error: JournalError) => void;
}

/** What one commit takes; it has a line once there is a file to write it to. */
interface Group {
  readonly batch: readonly Waiting[];
  line?: Line;
}

interface Line {
  readonly bytes: Buffer;
  readonly at: number;
}

/**
 * A journal that is begun with the first append: until then, and until the new file is whole and durable,
 * the earlier journal stands. It is only begun by the holder of the lock, for the state that is stored: whoever waited
 * at a question, or slept, must not overwrite the journal of a run that came meanwhile.
 *
 * Group commit: while one write and sync is under way further appends gather, and the next write takes them
 * all. One commit is one line, so that a crash in it tears one line, the last, and everything before is whole.
 *
 * Every line has its place in the file before it is written, so that a process that has to end can write the line that
 * is under way once more, in this turn: whichever write comes later changes nothing.
 *
 * The new file replaces the earlier one by a rename. A process that still has the earlier one open (its lock
 * was removed by force) sees after its next sync that the path names another file, and its append fails. So it does as
 * soon as the lock is gone: whoever took it since has perhaps read the journal before this append.
 *
 * Once the state was moved, no request is announced any more: another run may have it at its new place. What became of
 * those under way is still recorded.
 */
export function openJournal(journal: JournalPlace): JournalWriter {
  const { path, locate, suffix, header, events, isHeld, whileCurrent, maxBytes } = journal;
  let open: OpenFile | undefined;
  let failed: JournalError | undefined;
  let waiting: Waiting[] = [];
  let underWay: Group | undefined;
  let running: Promise<void> | undefined;

  function append(event: StateEvent): Promise<void> {
    if (failed) return Promise.reject(failed);
    // Nothing more is sent long before it is full: what was sent needs room for its answers.
    if (isIntent(event) && open && open.end > maxBytes / 2) return Promise.reject(fullJournal(path));
    const json = JSON.stringify(event);
    return new Promise((resolve, reject) => {
      waiting.push({ event, json, resolve, reject });
      running ??= commitAll();
    });
  }

  async function commitAll(): Promise<void> {
    // Appends made in the same turn join the first commit.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      underWay = { batch };
      try {
        open ??= await begin();
        underWay = { batch: await withoutIntents(batch) };
        if (underWay.batch.length > 0) await commit(underWay, open);
        for (const { resolve } of underWay.batch) resolve();
      } catch (cause) {
        failed = asJournalError(path, cause);
        const left = [...batch, ...waiting];
        waiting = [];
        const line = underWay?.line && outcomesIn(underWay.batch, underWay.line);
        underWay = undefined;
        for (const { reject } of left) reject(failed);
        if (open && line) await takeBack(open.file, line);
      }
    }
    underWay = undefined;
    // In the same turn as the last look at `waiting`: an append in between would find nobody to commit it.
    running = undefined;
  }

  /** Refuses intents once the state was moved. */
  async function withoutIntents(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const intents = batch.filter(({ event }) => isIntent(event));
    const moved = intents.length > 0 ? await journal.moved() : undefined;
    if (!moved) return batch;
    for (const { reject } of intents) reject(new JournalError(path, 'ESTALE', moved.message));
    return batch.filter(({ event }) => !isIntent(event));
  }

  async function commit(group: Group, open: OpenFile): Promise<void> {
    const { file } = open;
    await write(file, place(group, open));
    await file.datasync();
    const named = await stat(open.realPath, { bigint: true }).catch(() => undefined);
    assertSame(path, await file.stat({ bigint: true }), named);
    if (!(await isHeld())) throw new JournalError(path, 'ESTALE', LOCK_REMOVED);
  }

  function appendNow(): readonly StateEvent[] {
    const left = [...(underWay?.batch ?? []), ...waiting];
    if (left.length === 0 || !open) return eventsOf(left);
    // Without a line of its own no intent was promised yet, so its request can't have been sent.
    const begun = underWay?.line ? [underWay] : [];
    const later = begun.length > 0 ? waiting : left;
    const groups = [...begun, { batch: later.filter(({ event }) => !isIntent(event)) }];
    try {
      const { fd } = open.file;
      for (const group of groups) if (group.batch.length > 0) writeNow(fd, place(group, open));
      fdatasyncSync(fd);
      const named = statSync(open.realPath, { bigint: true, throwIfNoEntry: false });
      assertSame(path, fstatSync(fd, { bigint: true }), named);
      return eventsOf(later).filter(isIntent);
    } catch (cause) {
      failed = asJournalError(path, cause);
      return eventsOf(left);
    }
  }

  async function begin(): Promise<OpenFile> {
    const begun = await whileCurrent(header, async () => {
      const realPath = await locate();
      const text = beginning(header, events);
      const file = await replaceFile(realPath, text, suffix);
      return success({ realPath, file, end: Buffer.byteLength(text) });
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

  return { append, appendNow, close };
}

const LOCK_REMOVED = 'The lock of the state was removed while this run had it.';

function fullJournal(path: string): JournalError {
  return new JournalError(
    path,
    'EFBIG',
    'The journal has become too large: the answers are far larger than records.',
  );
}

function beginning(header: JournalHeader, events: readonly StateEvent[]): string {
  const lines = events.map((event) => encodeLine(JSON.stringify([event])));
  return encodeLine(JSON.stringify(header)) + lines.join('');
}

/** Gives a line its place, once. */
function place(group: Group, file: OpenFile): Line {
  if (group.line) return group.line;
  const bytes = Buffer.from(encodeLine(`[${group.batch.map(({ json }) => json).join(',')}]`));
  group.line = { bytes, at: file.end };
  file.end += bytes.length;
  return group.line;
}

/** Only the outcomes of a line, as long as it was: written over it, they leave nothing of its intents. */
function outcomesIn(batch: readonly Waiting[], { bytes, at }: Line): Line {
  const outcomes = batch.filter(({ event }) => !isIntent(event));
  const json = `[${outcomes.map((each) => each.json).join(',')}]`;
  const missing = bytes.length - Buffer.byteLength(encodeLine(json));
  return { bytes: Buffer.from(encodeLine(json + ' '.repeat(missing))), at };
}

async function write(file: FileHandle, { bytes, at }: Line): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** As well as it can be done: an intent that is read back would be taken for sent, and half a line for damage. */
async function takeBack(file: FileHandle, outcomes: Line): Promise<void> {
  await write(file, outcomes).catch(() => file.truncate(outcomes.at).catch(() => undefined));
  await file.datasync().catch(() => undefined);
}

function writeNow(fd: number, { bytes, at }: Line): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

function eventsOf(waiting: readonly Waiting[]): readonly StateEvent[] {
  return waiting.map(({ event }) => event);
}

function assertSame(path: string, ours: BigIntStats, named: BigIntStats | undefined): void {
  if (named?.ino === ours.ino && named.dev === ours.dev) return;
  throw new JournalError(path, 'ESTALE', 'The journal was removed or replaced by somebody else.');
}

function asJournalError(path: string, cause: unknown): JournalError {
  if (cause instanceof JournalError) return cause;
  const code = codeOf(cause);
  const reason = code === undefined ? String(cause) : reasonOf(cause);
  return new JournalError(path, code ?? 'EIO', `The journal could not be made durable: ${reason}.`, cause);
}
