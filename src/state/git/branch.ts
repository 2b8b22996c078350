import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type GitTrouble, type Result, success } from '../../text/diagnostic.ts';
import { BranchObjects, type BranchOptions, type Commit } from './objects.ts';
import { inTurn, type SharedBranch, type Snapshot } from './remote.ts';

/** What is to be done, given what is there; without a commit, nothing. */
export type Decision<T> = Result<{ readonly value: T; readonly commit?: Commit }>;

type Decide<T> = (snapshot: Snapshot) => Promise<Decision<T>>;

/** Environments that share a branch get into each other's way for a moment at most. */
const ATTEMPTS = 100;
/** After a push without an answer, or one that met another that was not through. */
const RETRIES = 4;
const MOMENTARY = /stale info|cannot lock ref|failed to update ref/;
const LONGEST_PAUSE_MS = 50;

/**
 * A branch of a remote repository that is changed by compare-and-swap: every change is one commit on the tip that it
 * was decided on, and its push names that tip, so that the server refuses it if another one came first. Then the branch
 * is read again, and decided again. A push without a usable answer is never repeated blindly: the branch tells what
 * became of it.
 */
export class StateBranch {
  readonly #objects: BranchObjects;

  /** `subject`: the state, as problems name it. */
  constructor(options: BranchOptions, subject: string) {
    this.#objects = new BranchObjects(options, subject);
  }

  /** The contents of some files of a snapshot, in order. */
  contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>> {
    return this.#objects.contents(ids);
  }

  /** The content of a file of a snapshot; undefined for none. */
  async text(id: string | undefined): Promise<Result<string | undefined>> {
    if (id === undefined) return success(undefined);
    const contents = await this.contents([id]);
    return contents.ok ? success(contents.value[0]?.toString()) : contents;
  }

  /** The branch as it is now. */
  async read(): Promise<Result<Snapshot>> {
    const shared = await this.#objects.shared();
    return shared.ok ? this.#read(shared.value) : shared;
  }

  async #read(shared: SharedBranch): Promise<Result<Snapshot>> {
    for (let attempt = 0; ; attempt++) {
      const tip = await this.#objects.tip();
      if (!tip.ok) return tip;
      if (shared.known && tip.value === shared.known.commit) return success(shared.known);
      if (tip.value === undefined) return saw(shared, { commit: undefined, files: new Map() });
      const fetched = await this.#objects.fetch(tip.value);
      if (!fetched.ok) return fetched;
      const files = fetched.value ? await this.#objects.filesOf(tip.value) : undefined;
      if (files) return files.ok ? saw(shared, { commit: tip.value, files: files.value }) : files;
      // It was changed in between.
      if (attempt === ATTEMPTS) return this.#objects.failed({ why: 'busy' });
    }
  }

  /**
   * Makes the change that `decide` wants of the newest branch, once, whatever happens to others or to answers. What is
   * decided without a change is decided on the branch as it is now.
   */
  async change<T>(decide: Decide<T>): Promise<Result<T>> {
    const shared = await this.#objects.shared();
    // Environments of one command wait for each other instead of getting into each other's way.
    return shared.ok ? inTurn(shared.value, () => this.#change(shared.value, decide)) : shared;
  }

  async #change<T>(shared: SharedBranch, decide: Decide<T>): Promise<Result<T>> {
    let isFresh = shared.known === undefined;
    let found: Result<Snapshot> = shared.known ? success(shared.known) : await this.#read(shared);
    for (let [conflicts, failures] = [0, 0]; found.ok; isFresh = true) {
      const decided = await decide(found.value);
      const { value, commit } = decided.ok ? decided.value : {};
      if (commit) {
        const tried = await this.#try(shared, found.value, commit);
        if (!tried.ok) return tried;
        const trouble = tried.value;
        if (!trouble) return success(value as T);
        if (trouble.why === 'busy') conflicts += 1;
        else failures += 1;
        const isFinal = trouble.why === 'refused' && !MOMENTARY.test(trouble.said);
        if (isFinal || conflicts > ATTEMPTS || failures > RETRIES) return this.#objects.failed(trouble);
        await setTimeout(randomInt(LONGEST_PAUSE_MS));
      } else if (isFresh) return decided.ok ? success(value as T) : decided;
      found = await this.#read(shared);
    }
    return found;
  }

  /** Undefined: the change is on the branch. A push that failed may have made it all the same. */
  async #try(
    shared: SharedBranch,
    before: Snapshot,
    commit: Commit,
  ): Promise<Result<GitTrouble | undefined>> {
    const made = await this.#objects.commit(before, commit);
    if (!made.ok) return made;
    const trouble = await this.#objects.push(before.commit, made.value.commit);
    if (!trouble) {
      shared.known = made.value;
      return success(undefined);
    }
    const now = await this.#read(shared);
    if (!now.ok) return now;
    const isThere = [...commit.changes.keys()].every(
      (path) => now.value.files.get(path) === made.value.files.get(path),
    );
    if (isThere) return success(undefined);
    return success(now.value.commit === before.commit ? trouble : { why: 'busy' });
  }
}

function saw(shared: SharedBranch, snapshot: Snapshot): Result<Snapshot> {
  shared.known = snapshot;
  return success(snapshot);
}
