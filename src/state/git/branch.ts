import { type Result, success } from '../../text/diagnostic.ts';
import type { Change, Engine, Replacement, Shared, Snapshot, Trouble } from '../shared/engine.ts';
import { BranchObjects, type BranchOptions } from './objects.ts';

/** The server met another push that was not through. */
const MOMENTARY = /stale info|cannot lock ref|failed to update ref/;

/**
 * A branch of a remote repository as a folder: every change is one commit on the tip that it was decided on, and its
 * push names that tip.
 */
export class GitBranch implements Engine {
  readonly #objects: BranchObjects;

  /** `subject`: the state, as problems name it. */
  constructor(options: BranchOptions, subject: string) {
    this.#objects = new BranchObjects(options, subject);
  }

  get busy() {
    return this.#objects.problem({ why: 'busy' });
  }

  shared(): Promise<Result<Shared>> {
    return this.#objects.shared();
  }

  contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>> {
    return this.#objects.contents(ids);
  }

  async read(known: Snapshot | undefined): Promise<Result<Snapshot | undefined>> {
    const tip = await this.#objects.tip();
    if (!tip.ok) return tip;
    const version = tip.value;
    if (known && version === known.version) return success(known);
    if (version === undefined) return success({ version, files: new Map() });
    const fetched = await this.#objects.fetch(version);
    if (!fetched.ok) return fetched;
    if (!fetched.value) return success(undefined);
    const files = await this.#objects.filesOf(version);
    return files.ok ? success({ version, files: files.value }) : files;
  }

  async replace(before: Snapshot, change: Change): Promise<Result<Replacement>> {
    const made = await this.#objects.commit(before, change);
    if (!made.ok) return made;
    const intended = made.value;
    const trouble = await this.#objects.push(before.version, intended.version);
    return success({ intended, trouble: trouble && this.#troubleOf(trouble) });
  }

  #troubleOf(trouble: Parameters<BranchObjects['problem']>[0]): Trouble {
    const isFinal = trouble.why === 'refused' && !MOMENTARY.test(trouble.said);
    return { kind: isFinal ? 'refused' : 'unknown', problem: this.#objects.problem(trouble) };
  }
}
