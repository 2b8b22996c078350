import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { error, failure, type GitTrouble, type Result, success } from '../../text/diagnostic.ts';
import { type Checkout, prepareRepository, type StateRepository } from './remote.ts';
import { type GitRun, runGit, saidBy } from './run-git.ts';

export interface BranchOptions extends Checkout {
  readonly branch: string;
}

/** The branch as one commit has it. */
export interface Snapshot {
  /** Undefined: there is no such branch. */
  readonly commit: string | undefined;
  /** Path to the ID of its content. */
  readonly files: ReadonlyMap<string, string>;
}

export interface Commit {
  /** The text of each path, or null to remove it. */
  readonly changes: ReadonlyMap<string, string | null>;
  /** The first line, then one line for each further fact. */
  readonly message: readonly string[];
  /** The next commit takes this one's place, so that the branch grows by one commit for each saved state. */
  readonly isInterim: boolean;
}

const NO_OBJECT = '0'.repeat(40);
const INTERIM = 'Trove-Interim: true';

/** The objects of a branch, as git has them: read, written and pushed, without a thought about others. */
export class BranchObjects {
  readonly #options: BranchOptions;
  readonly #ref: string;
  readonly #subject: string;
  #repository: Promise<StateRepository | GitTrouble> | undefined;

  /** `subject`: the state, as problems name it. */
  constructor(options: BranchOptions, subject: string) {
    this.#options = options;
    this.#ref = `refs/heads/${options.branch}`;
    this.#subject = subject;
  }

  /** The default branch belongs to the catalog, and people's commits are never replaced. */
  async tip(): Promise<Result<string | undefined>> {
    const run = await this.#git(['ls-remote', '--symref', '--', this.#options.remote, 'HEAD', this.#ref]);
    if (!run.ok) return run;
    const lines = run.value.stdout.toString().split('\n');
    if (lines.includes(`ref: ${this.#ref}\tHEAD`)) return this.failed({ why: 'default-branch' });
    return success(lines.find((line) => line.endsWith(`\t${this.#ref}`))?.split('\t')[0]);
  }

  /** Whether the commit is there now. Its parent comes with it, for what takes its place. */
  async fetch(commit: string): Promise<Result<boolean>> {
    if (await this.#has(commit)) return success(true);
    const flags = ['--depth=2', '--no-tags', '--no-write-fetch-head', '--refmap=', '--quiet'];
    const run = await this.#git(['fetch', ...flags, '--', this.#options.remote, this.#ref]);
    if (!run.ok) return run;
    const isThere = await this.#has(commit);
    // Named, so that it is not taken for rubbish.
    if (isThere) await this.#git(['update-ref', `refs/trove/${this.#options.branch}`, commit]);
    return success(isThere);
  }

  async #has(commit: string): Promise<boolean> {
    const run = await this.#git(['cat-file', '-e', `${commit}^{commit}`]);
    return run.ok;
  }

  async filesOf(commit: string): Promise<Result<ReadonlyMap<string, string>>> {
    const run = await this.#git(['ls-tree', '-r', '-z', commit]);
    if (!run.ok) return run;
    const lines = run.value.stdout.toString().split('\0').slice(0, -1);
    const files = lines.map((line): [string, string] => {
      const [facts = '', path = ''] = line.split('\t');
      return [path, facts.split(' ')[2] ?? ''];
    });
    return success(new Map(files));
  }

  /** The contents of some files of a snapshot, in order. */
  async contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>> {
    if (ids.length === 0) return success([]);
    const run = await this.#git(['cat-file', '--batch'], `${ids.join('\n')}\n`);
    if (!run.ok) return run;
    const contents: Buffer[] = [];
    let rest = run.value.stdout;
    for (let left = ids.length; left > 0; left--) {
      const end = rest.indexOf('\n');
      const size = Number(rest.subarray(0, end).toString().split(' ')[2]);
      contents.push(rest.subarray(end + 1, end + 1 + size));
      rest = rest.subarray(end + 2 + size);
    }
    return success(contents);
  }

  /** Makes a commit on the snapshot, here only. */
  async commit(base: Snapshot, commit: Commit): Promise<Result<Snapshot & { readonly commit: string }>> {
    const parents = await this.#parentsOn(base.commit);
    if (!parents.ok) return parents;
    const files = new Map(base.files);
    const entries: string[] = [];
    for (const [path, text] of commit.changes) {
      files.delete(path);
      const written = text === null ? undefined : await this.#print(['hash-object', '-w', '--stdin'], text);
      if (written && !written.ok) return written;
      if (written) files.set(path, written.value);
      entries.push(written ? `100644 ${written.value}\t${path}\0` : `0 ${NO_OBJECT}\t${path}\0`);
    }
    const tree = await this.#treeOf(base.commit, entries);
    if (!tree.ok) return tree;
    const [subject, ...facts] = commit.message;
    const repository = await this.#prepared();
    const head = repository.ok && repository.value.head;
    const catalog = head ? [`Catalog: ${head}`] : [];
    const trailers = [...facts, ...catalog, ...(commit.isInterim ? [INTERIM] : [])].map(
      (line) => `${line}\n`,
    );
    const named = parents.value.flatMap((parent) => ['-p', parent]);
    const made = await this.#print(
      ['commit-tree', tree.value, ...named, '-F', '-'],
      `${subject}\n\n${trailers.join('')}`,
    );
    return made.ok ? success({ commit: made.value, files }) : made;
  }

  async #parentsOn(base: string | undefined): Promise<Result<readonly string[]>> {
    if (base === undefined) return success([]);
    const run = await this.#print(['cat-file', 'commit', base]);
    if (!run.ok) return run;
    const lines = run.value.split('\n');
    if (!lines.includes(INTERIM)) return success([base]);
    const head = lines.slice(0, lines.indexOf(''));
    return success(head.filter((line) => line.startsWith('parent ')).map((line) => line.slice(7)));
  }

  async #treeOf(base: string | undefined, entries: readonly string[]): Promise<Result<string>> {
    const index = join(tmpdir(), `trove-${randomUUID()}.index`);
    try {
      const read = await this.#git(['read-tree', base ?? '--empty'], '', index);
      if (!read.ok) return read;
      const filled = await this.#git(['update-index', '-z', '--index-info'], entries.join(''), index);
      return filled.ok ? await this.#print(['write-tree'], '', index) : filled;
    } finally {
      await rm(index, { force: true });
    }
  }

  /** Undefined: done. Anything else is what the server said, which need not be what became of it. */
  async push(before: string | undefined, commit: string): Promise<GitTrouble | undefined> {
    const lease = `--force-with-lease=${this.#ref}:${before ?? ''}`;
    const args = ['push', '--porcelain', lease, '--', this.#options.remote, `${commit}:${this.#ref}`];
    const run = await this.#run(args);
    if (!run.ok) return { why: 'unreachable', said: '' };
    if (run.value.code === 0) return undefined;
    const [, reason] = /^!.*\t\[[^\]]*\] ?\(?(.*?)\)?$/m.exec(run.value.stdout.toString()) ?? [];
    if (reason === undefined) return { why: 'unreachable', said: saidBy(run.value) };
    // Another push came between, which the branch may no longer show.
    if (/stale info|cannot lock ref|failed to update ref/.test(reason)) return { why: 'busy' };
    const remote = [...run.value.stderr.matchAll(/^remote: *(?:error: *)?(\S.*)$/gm)].map(([, line]) => line);
    return { why: 'refused', said: [reason, ...remote.slice(0, 2)].join('; ') };
  }

  failed<T>(trouble: GitTrouble): Result<T> {
    const { remote, branch } = this.#options;
    return failure(error('state-branch', { ...trouble, remote, branch }, { subject: this.#subject }));
  }

  /** What it prints, without the last line break. */
  async #print(args: readonly string[], input?: string, index?: string): Promise<Result<string>> {
    const run = await this.#git(args, input, index);
    return run.ok ? success(run.value.stdout.toString().replace(/\n$/, '')) : run;
  }

  async #git(args: readonly string[], input?: string, index?: string): Promise<Result<GitRun>> {
    const run = await this.#run(args, input, index);
    if (!run.ok || run.value.code === 0) return run;
    if (run.value.isMissing) return this.failed({ why: 'no-git' });
    return this.failed({ why: 'unreachable', said: saidBy(run.value) });
  }

  async #run(args: readonly string[], input?: string, index?: string): Promise<Result<GitRun>> {
    const repository = await this.#prepared();
    if (!repository.ok) return repository;
    const { env } = repository.value;
    const own = index === undefined ? env : { ...env, GIT_INDEX_FILE: index };
    return success(await runGit(args, { cwd: this.#options.catalogFolder, env: own, input }));
  }

  async #prepared(): Promise<Result<StateRepository>> {
    this.#repository ??= prepareRepository(this.#options);
    const repository = await this.#repository;
    return 'why' in repository ? this.failed(repository) : success(repository);
  }
}
