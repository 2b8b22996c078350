import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { MAX_WRITTEN_BYTES } from '../../text/read-file.ts';
import type { StateEvent } from '../event.ts';
import { formatState, parseState } from '../format.ts';
import { encodeLine, type Journal, type JournalHeader, parseJournal } from '../journal-format.ts';
import { JournalError } from '../journal-writer.ts';
import type { LockOwner } from '../lock-owner.ts';
import type { State, Target } from '../model.ts';
import type { OpenJournal, StateJournal, StateStore } from '../store.ts';
import { isSameVersion, type StateVersion, versionOf } from '../version.ts';
import type { Change, Engine, Snapshot } from './engine.ts';
import { SharedFolder } from './folder.ts';
import { SharedLock } from './lock.ts';

export interface SharedStoreOptions {
  readonly engine: Engine;
  /** In its folder: `staging.json`. */
  readonly file: string;
  readonly path: string;
  readonly target?: Target | undefined;
  /** Where the log of this run is, for people who read the history. */
  readonly runUrl?: string | undefined;
  readonly maxBytes?: number;
}

/**
 * The state of one environment in a folder that several machines see: `FILE`, and while a run has it `FILE.lock` and the
 * journal, one file for each append (`FILE.journal/SERIAL-000001`). All are in one folder, and every change is a
 * compare-and-swap of it: whoever lost the lock can't append or save.
 */
export class SharedStore implements StateStore {
  readonly path: string;
  readonly target: Target | undefined;
  readonly #file: string;
  readonly #maxBytes: number;
  readonly #runUrl: string | undefined;
  readonly #folder: SharedFolder;
  readonly lock: SharedLock;
  #seen: { readonly id: string | undefined; readonly version: StateVersion } = {
    id: undefined,
    version: versionOf(undefined),
  };

  constructor({ engine, file, path, target, runUrl, maxBytes = MAX_WRITTEN_BYTES }: SharedStoreOptions) {
    this.path = path;
    this.target = target;
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#runUrl = runUrl;
    this.#folder = new SharedFolder(engine);
    const change = (what: string, texts: Change['texts']) => this.#change(what, texts, true);
    this.lock = new SharedLock({ folder: this.#folder, file: `${file}.lock`, path, change });
  }

  async hasAnything(): Promise<Result<boolean>> {
    const found = await this.#folder.read();
    if (!found.ok) return found;
    return success([...found.value.files.keys()].some((path) => path.startsWith(this.#file)));
  }

  async read(): Promise<Result<State | undefined>> {
    const found = await this.#folder.read();
    return found.ok ? this.#stateIn(found.value) : found;
  }

  async verify(version: StateVersion): Promise<Result<void>> {
    const found = await this.#folder.read();
    return found.ok ? this.#checkCurrent(found.value, version, false) : found;
  }

  write(state: State, expected?: StateVersion): Promise<Result<void>> {
    const text = formatState(state);
    if (Buffer.byteLength(text) > this.#maxBytes)
      return Promise.resolve(this.#refused(error('state-too-large', { maxBytes: this.#maxBytes })));
    return this.#folder.change(async (snapshot) => {
      const current = await (expected
        ? this.#checkCurrent(snapshot, expected, true)
        : this.lock.check(snapshot));
      if (!current.ok) return current;
      // The state has taken the journal in: both change in one step.
      const texts = new Map([[this.#file, text], ...this.#withoutJournal(snapshot)]);
      return success({ value: undefined, change: this.#change(`serial ${state.serial}`, texts, false) });
    });
  }

  async #stateIn({ files }: Snapshot): Promise<Result<State | undefined>> {
    const text = await this.#folder.text(files.get(this.#file));
    if (!text.ok) return text;
    return text.value === undefined ? success(undefined) : parseState(text.value, this.path);
  }

  /** Fails unless this store has the lock and the stored state is this version. */
  async #checkCurrent(snapshot: Snapshot, version: StateVersion, isSaving: boolean): Promise<Result<void>> {
    const own = await this.lock.check(snapshot);
    if (!own.ok) return own;
    const current = await this.#versionIn(snapshot);
    if (!current.ok) return current;
    if (isSameVersion(current.value, version)) return success(undefined);
    const serials = { expected: version.serial, found: current.value.serial };
    return this.#refused(error('state-changed', { ...serials, isSaving }));
  }

  /** Of a content that was seen before, without reading it again: this is asked before every request. */
  async #versionIn(snapshot: Snapshot): Promise<Result<StateVersion>> {
    const id = snapshot.files.get(this.#file);
    if (this.#seen.id === id) return success(this.#seen.version);
    const stored = await this.#stateIn(snapshot);
    if (!stored.ok) return stored;
    this.#seen = { id, version: versionOf(stored.value) };
    return success(this.#seen.version);
  }

  readonly journal: StateJournal = {
    read: () => this.#readJournal(),
    // It is never apart from its state.
    elsewhere: async () => success([]),
    discard: () => this.#discard(),
    begin: (header, inherited) => this.#begin(header, inherited),
  };

  async #readJournal(): Promise<Result<Journal | undefined>> {
    const snapshot = await this.#folder.read();
    if (!snapshot.ok) return snapshot;
    const slots = this.#slotsIn(snapshot.value);
    if (slots.length === 0) return success(undefined);
    const contents = await this.#folder.contents(slots.map(([, id]) => id));
    return contents.ok ? parseJournal(Buffer.concat(contents.value), `${this.path}.journal`) : contents;
  }

  #slotsIn({ files }: Snapshot): readonly (readonly [path: string, id: string])[] {
    const folder = `${this.#file}.journal/`;
    return [...files]
      .filter(([path]) => path.startsWith(folder))
      .sort(([one], [other]) => (one < other ? -1 : 1));
  }

  #withoutJournal(snapshot: Snapshot): readonly [string, string | null][] {
    return this.#slotsIn(snapshot).map(([path]) => [path, null]);
  }

  #discard(): Promise<Result<void>> {
    return this.#folder.change<void>(async (snapshot) => {
      const own = await this.lock.check(snapshot);
      if (!own.ok) return own;
      const texts = new Map(this.#withoutJournal(snapshot));
      if (texts.size === 0) return success({ value: undefined });
      return success({ value: undefined, change: this.#change('journal removed', texts, true) });
    });
  }

  async #begin(header: JournalHeader, inherited: readonly StateEvent[]): Promise<OpenJournal> {
    const lines = [JSON.stringify(header), ...inherited.map((event) => JSON.stringify([event]))];
    const text = lines.map(encodeLine).join('');
    const begun = await this.#folder.change<void>(async (snapshot) => {
      const current = await this.#checkCurrent(snapshot, header, false);
      if (!current.ok) return current;
      const texts = new Map([...this.#withoutJournal(snapshot), [this.#slot(header, 0), text]]);
      return success({ value: undefined, change: this.#change('journal begun', texts, true) });
    });
    if (!begun.ok) throw new JournalError('ESTALE', begun.diagnostics);
    return this.#open(header, Buffer.byteLength(text));
  }

  #open(header: JournalHeader, begun: number): OpenJournal {
    let [size, slots] = [begun, 1];
    const half = this.#maxBytes / 2;
    return {
      get isHalfFull() {
        return size > half;
      },
      append: async (events) => {
        const text = encodeLine(JSON.stringify(events));
        const appended = await this.#append(header, slots, text);
        if (!appended.ok) throw new JournalError('ESTALE', appended.diagnostics);
        [size, slots] = [size + Buffer.byteLength(text), slots + 1];
        return undefined;
      },
      close: async () => undefined,
    };
  }

  /** A slot is written once, and only after the one before it. */
  #append(header: JournalHeader, slot: number, text: string): Promise<Result<void>> {
    const [before, path] = [this.#slot(header, slot - 1), this.#slot(header, slot)];
    return this.#folder.change<void>(async (snapshot) => {
      const own = await this.lock.check(snapshot);
      if (!own.ok) return own;
      if (snapshot.files.has(path) || !snapshot.files.has(before))
        return failure(error('journal-replaced', {}));
      return success({ value: undefined, change: this.#change('journal', new Map([[path, text]]), true) });
    });
  }

  /** In the order of their names. */
  #slot({ serial }: JournalHeader, slot: number): string {
    return `${this.#file}.journal/${serial}-${String(slot).padStart(6, '0')}`;
  }

  #refused(problem: Diagnostic): Result<never> {
    return failure({ ...problem, subject: this.path });
  }

  /** `what` is for the people who read the history. */
  #change(what: string, texts: Change['texts'], isInterim: boolean): Change {
    const url = this.#runUrl === undefined ? [] : [`Run: ${this.#runUrl}`];
    const message = [`${this.#file.replace(/\.json$/, '')}: ${what}`, ...factsOf(this.lock.held), ...url];
    return { message, texts, isInterim };
  }
}

function factsOf(owner: LockOwner | undefined): readonly string[] {
  return owner
    ? [`Run-by: ${owner.who}`, `Command: trove ${owner.operation}`, `Trove: ${owner.version}`]
    : [];
}
