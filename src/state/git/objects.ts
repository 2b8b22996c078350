import { randomUUID } from 'node:crypto';
import {
  type Diagnostic,
  error,
  failure,
  type GitTrouble,
  type Result,
  success,
} from '../../text/diagnostic.ts';
import { type Change, inTurn, type Shared, type Snapshot } from '../shared/engine.ts';
import type { Checkout, StateRepositories, StateRepository } from './remote.ts';
import { type GitRun, runGit, saidBy, withoutSecrets } from './run-git.ts';

export interface BranchOptions extends Checkout {
  readonly branch: string;
  readonly repositories: StateRepositories;
}

/** What git does with the remote; all else is of this machine. */
const REMOTE = ['ls-remote', 'fetch'];
const INTERIM = 'Trove-Interim: true';

/** The objects of a branch, as git has them: read, written and pushed, without a thought about others. */
export class BranchObjects {
  readonly #options: BranchOptions;
  readonly #ref: string;
  readonly #subject: string;

  /** `subject`: the state, as problems name it. */
  constructor(options: BranchOptions, subject: string) {
    this.#options = options;
    this.#ref = `refs/heads/${options.branch}`;
    this.#subject = subject;
  }

  /** What the environments of this command on one branch share. */
  async shared(): Promise<Result<Shared>> {
    const repository = await this.#prepared();
    if (!repository.ok) return repository;
    const { branches } = repository.value;
    const shared = branches.get(this.#ref) ?? { known: undefined, last: Promise.resolve() };
    branches.set(this.#ref, shared);
    return success(shared);
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
    const repository = await this.#prepared();
    if (!repository.ok) return repository;
    // Git refuses a second one at the same time.
    return inTurn(repository.value.fetches, () => this.#fetchOnce(commit));
  }

  async #fetchOnce(commit: string): Promise<Result<boolean>> {
    if (await this.#has(commit)) return success(true);
    const flags = ['--depth=2', '--no-tags', '--no-write-fetch-head', '--refmap=', '--quiet'];
    const run = await this.#git(['fetch', ...flags, '--', this.#options.remote, this.#ref]);
    return run.ok ? success(await this.#has(commit)) : run;
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
      const end = line.indexOf('\t');
      return [line.slice(end + 1), line.slice(0, end).split(' ')[2] ?? ''];
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
      const head = rest.subarray(0, end).toString();
      const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1] ?? Number.NaN);
      // A folder or a submodule, say: nothing that Trove has put there.
      if (Number.isNaN(size)) return this.failed({ why: 'local', said: head });
      contents.push(rest.subarray(end + 1, end + 1 + size));
      rest = rest.subarray(end + 2 + size);
    }
    return success(contents);
  }

  /** Makes a commit on the snapshot, here only, in one run of git. */
  async commit(base: Snapshot, change: Change): Promise<Result<Snapshot & { readonly version: string }>> {
    const onto = await this.#baseOf(base.version);
    const repository = await this.#prepared();
    if (!onto.ok) return onto;
    if (!repository.ok) return repository;
    const { head, idLength } = repository.value;
    const catalog = head === undefined ? [] : [`Catalog: ${head}`];
    const [subject, ...facts] = change.message;
    const lines = [...facts, ...catalog, ...(change.isInterim ? [INTERIM] : [])];
    const stream = streamOf(change.texts, onto.value, `${[subject, '', ...lines].join('\n')}\n`, idLength);
    const run = await this.#git(['fast-import', '--quiet', '--done', '--date-format=now'], stream);
    if (!run.ok) return run;
    const ids = run.value.stdout.toString().trimEnd().split('\n');
    const [made = '', ...blobs] = ids;
    // Nothing else is ever pushed: an empty name would delete the branch.
    if (!ids.every((id) => /^[0-9a-f]{40,64}$/.test(id))) return this.failed({ why: 'local', said: made });
    const files = new Map(base.files);
    for (const [path, text] of change.texts) {
      if (text === null) files.delete(path);
      else files.set(path, blobs.shift() ?? '');
    }
    return success({ version: made, files });
  }

  /** What a commit on this one begins with: an interim one is replaced, and its parents become those of the next. */
  async #baseOf(commit: string | undefined): Promise<Result<Base>> {
    if (commit === undefined) return success({ parents: [] });
    const run = await this.#git(['cat-file', 'commit', commit]);
    if (!run.ok) return run;
    const lines = run.value.stdout.toString().split('\n');
    const head = lines.slice(0, lines.indexOf(''));
    const named = (name: string) =>
      head.flatMap((line) => (line.startsWith(`${name} `) ? line.split(' ')[1] : []));
    const [tree] = named('tree') as string[];
    return success({ tree, parents: lines.includes(INTERIM) ? (named('parent') as string[]) : [commit] });
  }

  /** Undefined: done. Anything else is what the server said, which need not be what became of it. */
  async push(before: string | undefined, commit: string): Promise<GitTrouble | undefined> {
    const lease = `--force-with-lease=${this.#ref}:${before ?? ''}`;
    const args = [
      'push',
      '--porcelain',
      '--no-signed',
      lease,
      '--',
      this.#options.remote,
      `${commit}:${this.#ref}`,
    ];
    const run = await this.#run(args);
    if (!run.ok) return { why: 'unreachable', said: '' };
    if (run.value.code === 0) return undefined;
    const [, reason] = /^!.*\t\[[^\]]*\] ?\(?(.*?)\)?$/m.exec(run.value.stdout.toString()) ?? [];
    if (reason === undefined) return { why: 'unreachable', said: saidBy(run.value) };
    const remote = [...run.value.stderr.matchAll(/^remote: *(?:error: *)?(\S.*?) *$/gm)].map(
      ([, line]) => line,
    );
    const repository = await this.#prepared();
    const said = [reason, ...remote.slice(0, 2)].join('; ');
    return { why: 'refused', said: repository.ok ? withoutSecrets(said, repository.value.env) : '' };
  }

  problem(trouble: GitTrouble): Diagnostic {
    const { remote, branch } = this.#options;
    return error('state-branch', { ...trouble, remote, branch }, { subject: this.#subject });
  }

  failed<T>(trouble: GitTrouble): Result<T> {
    return failure(this.problem(trouble));
  }

  async #git(args: readonly string[], input?: string): Promise<Result<GitRun>> {
    const run = await this.#run(args, input);
    if (!run.ok || run.value.code === 0) return run;
    if (run.value.isMissing) return this.failed({ why: 'no-git' });
    if (run.value.isTooLarge) return this.failed({ why: 'too-large' });
    const why = REMOTE.includes(args[0] ?? '') ? 'unreachable' : 'local';
    return this.failed({ why, said: saidBy(run.value) });
  }

  async #run(args: readonly string[], input?: string): Promise<Result<GitRun>> {
    const repository = await this.#prepared();
    if (!repository.ok) return repository;
    const { cwd, env } = repository.value;
    return success(await runGit(args, { cwd, env, input }));
  }

  async #prepared(): Promise<Result<StateRepository>> {
    const repository = await this.#options.repositories.of(this.#options);
    return 'why' in repository ? this.failed(repository) : success(repository);
  }
}

interface Base {
  readonly tree?: string | undefined;
  readonly parents: readonly string[];
}

/**
 * For `git fast-import`, which prints the ID of the commit, then those of the contents in their order. The ref that it
 * asks for is gone at the end.
 */
function streamOf(
  changes: Change['texts'],
  { tree, parents }: Base,
  message: string,
  idLength: number,
): string {
  const ref = `refs/trove/${randomUUID()}`;
  const texts = [...changes].flatMap(([path, text]) => (text === null ? [] : [{ path, text }]));
  const removed = [...changes].flatMap(([path, text]) => (text === null ? [`D ${path}`] : []));
  const [parent] = parents;
  return [
    ...texts.map(({ text }, index) => `blob\nmark :${index + 2}\n${dataOf(text)}`),
    `commit ${ref}\nmark :1\ncommitter Trove <trove@localhost> now\n${dataOf(message)}`,
    ...(parent === undefined ? [] : [`from ${parent}`]),
    ...(tree === undefined ? [] : [`M 040000 ${tree} ""`]),
    ...removed,
    ...texts.map(({ path }, index) => `M 100644 :${index + 2} ${path}`),
    ...[1, ...texts.map((_, index) => index + 2)].map((mark) => `get-mark :${mark}`),
    `reset ${ref}\nfrom ${'0'.repeat(idLength)}\n`,
    'done\n',
  ].join('\n');
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}
