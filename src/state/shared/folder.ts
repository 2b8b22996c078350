import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { type Change, type Engine, inTurn, type Shared, type Snapshot, type Trouble } from './engine.ts';

/** What is to be done, given what is there; without a change, nothing. */
export type Decision<T> = Result<{ readonly value: T; readonly change?: Change }>;

type Decide<T> = (snapshot: Snapshot) => Promise<Decision<T>>;

/** Environments that share a folder get into each other's way for a moment at most. */
const ATTEMPTS = 100;
/** After a change without an answer, in which a server may be restarted. */
const RETRIES = 4;
const LONGEST_PAUSE_MS = 50;
const RESTART_MS = 250;
/** A server that takes requests and answers none is not waited for again and again. */
const PATIENCE_MS = 10_000;

/**
 * A folder that is changed by compare-and-swap: each change names the snapshot that it was decided on, so that the
 * server refuses it if another one came first. Then the folder is read again, and decided again. A change without a
 * usable answer is never repeated blindly: the folder tells what became of it.
 */
export class SharedFolder {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The contents of some files of a snapshot, in order. */
  contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>> {
    return this.#engine.contents(ids);
  }

  /** The content of a file of a snapshot; undefined for none. */
  async text(id: string | undefined): Promise<Result<string | undefined>> {
    if (id === undefined) return success(undefined);
    const contents = await this.contents([id]);
    return contents.ok ? success(contents.value[0]?.toString()) : contents;
  }

  /** The folder as it is now. */
  async read(): Promise<Result<Snapshot>> {
    const shared = await this.#engine.shared();
    return shared.ok ? this.#read(shared.value) : shared;
  }

  async #read(shared: Shared): Promise<Result<Snapshot>> {
    for (let attempt = 0; attempt <= ATTEMPTS; attempt++) {
      const found = await this.#engine.read(shared.known);
      if (!found.ok) return found;
      if (!found.value) continue;
      shared.known = found.value;
      return success(found.value);
    }
    return failure(this.#engine.busy);
  }

  /**
   * Makes the change that `decide` wants of the newest snapshot, once, whatever happens to others or to answers. What is
   * decided without a change is decided on the folder as it is now.
   */
  async change<T>(decide: Decide<T>): Promise<Result<T>> {
    const shared = await this.#engine.shared();
    // Environments of one command wait for each other instead of getting into each other's way.
    return shared.ok ? inTurn(shared.value, () => this.#change(shared.value, decide)) : shared;
  }

  async #change<T>(shared: Shared, decide: Decide<T>): Promise<Result<T>> {
    let isFresh = shared.known === undefined;
    let patience: AbortSignal | undefined;
    let found: Result<Snapshot> = shared.known ? success(shared.known) : await this.#read(shared);
    for (let [conflicts, failures] = [0, 0]; found.ok; isFresh = true) {
      const decided = await decide(found.value);
      const { value, change } = decided.ok ? decided.value : {};
      if (change) {
        const tried = await this.#try(shared, found.value, change);
        if (!tried.ok) return tried;
        const trouble = tried.value;
        if (!trouble) return success(value as T);
        if (trouble.kind === 'conflict') conflicts += 1;
        else failures += 1;
        if (trouble.kind === 'refused' || conflicts > ATTEMPTS || failures > RETRIES || patience?.aborted)
          return failure(trouble.problem);
        if (failures > 0) patience ??= AbortSignal.timeout(PATIENCE_MS);
        await setTimeout(failures > 0 ? RESTART_MS * 2 ** (failures - 1) : randomInt(LONGEST_PAUSE_MS));
      } else if (isFresh) return decided.ok ? success(value as T) : decided;
      found = await this.#read(shared);
    }
    return found;
  }

  /** A server may be restarting: until it can be read, the outcome of the change stays unknown. */
  async #readAgain(shared: Shared): Promise<Result<Snapshot>> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    for (let attempt = 0; ; attempt++) {
      const found = await this.#read(shared);
      if (found.ok || attempt === RETRIES || patience.aborted) return found;
      await setTimeout(RESTART_MS * 2 ** attempt);
    }
  }

  /** Undefined: the change is there. One that failed may have been made all the same. */
  async #try(shared: Shared, before: Snapshot, change: Change): Promise<Result<Trouble | undefined>> {
    const replaced = await this.#engine.replace(before, change);
    if (!replaced.ok) return replaced;
    const { intended, trouble } = replaced.value;
    if (!trouble) {
      shared.known = intended;
      return success(undefined);
    }
    const now = await this.#readAgain(shared);
    if (!now.ok) return now;
    const { version, files } = now.value;
    const isThere = [...change.texts.keys()].every((path) => files.get(path) === intended.files.get(path));
    if (isThere) return success(undefined);
    return success(version === before.version ? trouble : { kind: 'conflict', problem: this.#engine.busy });
  }
}
