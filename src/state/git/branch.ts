import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { error, failure, type GitTrouble, type Result, success } from '../../text/diagnostic.ts';
import { type GitRun, gitFolderOf, runGit } from './run-git.ts';

export interface BranchOptions {
  /** A remote of the repository that the catalog is in. */
  readonly remote: string;
  readonly branch: string;
  readonly catalogFolder: string;
  readonly env: NodeJS.ProcessEnv;
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

/** What is to be done, given what is there; without a commit, nothing. */
export type Decision<T> = Result<{ readonly value: T; readonly commit?: Commit }>;

const NO_OBJECT = '0'.repeat(40);
const INTERIM = 'Trove-Interim: true';
/** Environments that share a branch get into each other's way for a moment at most. */
const ATTEMPTS = 30;
/** After a push without an answer. */
const RETRIES = 2;
const LONGEST_PAUSE_MS = 250;
/** What a checkout may say about how its remote is reached; everything else in it is its own business. */
const REACHING =
  /^(?:http|https|credential|url|ssh|protocol)\.|^core\.(?:sshCommand|gitProxy)$|^remote\..+\.(?:url|pushUrl|proxy|proxyAuthMethod|uploadPack|receivePack)$/i;

/**
 * A branch of a remote repository that is changed by compare-and-swap: every change is one commit on the tip that it
 * was decided on, and its push names that tip, so that the server refuses it if another one came first. Then the branch
 * is read again, and decided again. A push without a usable answer is never repeated blindly: the branch tells what
 * became of it.
 */
export class StateBranch {
  readonly #options: BranchOptions;
  readonly #ref: string;
  readonly #subject: string;
  #environment: Promise<Result<NodeJS.ProcessEnv>> | undefined;
  /** The commit of the catalog that is checked out. */
  #head: string | undefined;
  /** As this process last saw it. */
  #known: Snapshot | undefined;

  /** `subject`: the state, as problems name it. */
  constructor(options: BranchOptions, subject: string) {
    this.#options = options;
    this.#ref = `refs/heads/${options.branch}`;
    this.#subject = subject;
  }

  /** The branch as it is now. */
  async read(): Promise<Result<Snapshot>> {
    for (let attempt = 0; ; attempt++) {
      const tip = await this.#tip();
      if (!tip.ok) return tip;
      if (tip.value === this.#known?.commit && this.#known) return success(this.#known);
      if (tip.value === undefined) return this.#knows({ commit: undefined, files: new Map() });
      const fetched = await this.#fetch(tip.value);
      if (!fetched.ok) return fetched;
      const files = fetched.value ? await this.#filesOf(tip.value) : undefined;
      if (files) return files.ok ? this.#knows({ commit: tip.value, files: files.value }) : files;
      // It was changed in between.
      if (attempt === ATTEMPTS) return this.#failed({ why: 'busy' });
    }
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

  /**
   * Makes the change that `decide` wants of the newest branch, once, whatever happens to others or to answers. What is
   * decided without a change is decided on the branch as it is now.
   */
  async change<T>(decide: (snapshot: Snapshot) => Promise<Decision<T>>): Promise<Result<T>> {
    let isFresh = this.#known === undefined;
    let found: Result<Snapshot> = this.#known ? success(this.#known) : await this.read();
    for (let [conflicts, failures] = [0, 0]; found.ok; isFresh = true) {
      const decided = await decide(found.value);
      const { value, commit } = decided.ok ? decided.value : {};
      if (commit) {
        const tried = await this.#try(found.value, commit);
        if (!tried.ok) return tried;
        const trouble = tried.value;
        if (!trouble) return success(value as T);
        conflicts += 1;
        failures += trouble.why === 'unreachable' ? 1 : 0;
        if (trouble.why === 'refused' || conflicts > ATTEMPTS || failures > RETRIES)
          return this.#failed(trouble);
        await setTimeout(randomInt(LONGEST_PAUSE_MS));
      } else if (isFresh) return decided.ok ? success(value as T) : decided;
      found = await this.read();
    }
    return found;
  }

  /** Undefined: the change is on the branch. A push that failed may have made it all the same. */
  async #try(before: Snapshot, commit: Commit): Promise<Result<GitTrouble | undefined>> {
    const made = await this.#commit(before, commit);
    if (!made.ok) return made;
    const trouble = await this.#push(before.commit, made.value.commit);
    if (!trouble) {
      this.#known = made.value;
      return success(undefined);
    }
    const now = await this.read();
    if (!now.ok) return now;
    const isThere = [...commit.changes.keys()].every(
      (path) => now.value.files.get(path) === made.value.files.get(path),
    );
    if (isThere) return success(undefined);
    const isStale = trouble.why === 'refused' && now.value.commit !== before.commit;
    return success(isStale ? { why: 'busy' } : trouble);
  }

  #knows(snapshot: Snapshot): Result<Snapshot> {
    this.#known = snapshot;
    return success(snapshot);
  }

  /** The default branch belongs to the catalog, and people's commits are never replaced. */
  async #tip(): Promise<Result<string | undefined>> {
    const run = await this.#git(['ls-remote', '--symref', '--', this.#options.remote, 'HEAD', this.#ref]);
    if (!run.ok) return run;
    const lines = run.value.stdout.toString().split('\n');
    if (lines.includes(`ref: ${this.#ref}\tHEAD`)) return this.#failed({ why: 'default-branch' });
    return success(lines.find((line) => line.endsWith(`\t${this.#ref}`))?.split('\t')[0]);
  }

  /** Whether the commit is there now. Its parent comes with it, for what takes its place. */
  async #fetch(commit: string): Promise<Result<boolean>> {
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

  async #filesOf(commit: string): Promise<Result<ReadonlyMap<string, string>>> {
    const run = await this.#git(['ls-tree', '-r', '-z', commit]);
    if (!run.ok) return run;
    const lines = run.value.stdout.toString().split('\0').slice(0, -1);
    const files = lines.map((line): [string, string] => {
      const [facts = '', path = ''] = line.split('\t');
      return [path, facts.split(' ')[2] ?? ''];
    });
    return success(new Map(files));
  }

  async #commit(base: Snapshot, commit: Commit): Promise<Result<Snapshot & { readonly commit: string }>> {
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
    const catalog = this.#head === undefined ? [] : [`Catalog: ${this.#head}`];
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
  async #push(before: string | undefined, commit: string): Promise<GitTrouble | undefined> {
    const lease = `--force-with-lease=${this.#ref}:${before ?? ''}`;
    const args = ['push', '--porcelain', lease, '--', this.#options.remote, `${commit}:${this.#ref}`];
    const run = await this.#run(args);
    if (!run.ok) return { why: 'unreachable', said: '' };
    if (run.value.code === 0) return undefined;
    const [, reason] = /^!.*\t\[[^\]]*\] ?\(?(.*?)\)?$/m.exec(run.value.stdout.toString()) ?? [];
    if (reason === undefined) return { why: 'unreachable', said: said(run.value) };
    // Another push came between, which the branch may no longer show.
    if (/stale info|cannot lock ref|failed to update ref/.test(reason)) return { why: 'busy' };
    const remote = [...run.value.stderr.matchAll(/^remote: *(?:error: *)?(\S.*)$/gm)].map(([, line]) => line);
    return { why: 'refused', said: [reason, ...remote.slice(0, 2)].join('; ') };
  }

  #failed<T>(trouble: GitTrouble): Result<T> {
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
    if (run.value.isMissing) return this.#failed({ why: 'no-git' });
    return this.#failed({ why: 'unreachable', said: said(run.value) });
  }

  async #run(args: readonly string[], input?: string, index?: string): Promise<Result<GitRun>> {
    this.#environment ??= this.#prepare();
    const env = await this.#environment;
    if (!env.ok) return env;
    const { catalogFolder: cwd } = this.#options;
    const own = index === undefined ? env.value : { ...env.value, GIT_INDEX_FILE: index };
    return success(await runGit(args, { cwd, env: own, input }));
  }

  /**
   * Makes a repository for the state beside that of the catalog, whose files, branches and settings stay as they are,
   * and takes over from it how the remote is reached. It is not in the catalog folder, where a commit could put one
   * with settings that run commands.
   */
  async #prepare(): Promise<Result<NodeJS.ProcessEnv>> {
    const { catalogFolder: cwd, remote } = this.#options;
    const env = withoutPlaces(this.#options.env);
    const gitFolder = await gitFolderOf({ cwd, env });
    const config = await runGit(['config', '--local', '--includes', '--list', '-z'], { cwd, env });
    if (config.isMissing) return this.#failed({ why: 'no-git' });
    const settings = config.stdout.toString().split('\0').slice(0, -1).map(settingOf);
    const isRemote = ({ key }: Setting) => key.toLowerCase() === `remote.${remote.toLowerCase()}.url`;
    if (!gitFolder || !settings.some(isRemote)) return this.#failed({ why: 'no-remote' });
    const head = await runGit(['rev-parse', '--quiet', '--verify', 'HEAD'], { cwd, env });
    if (head.code === 0) this.#head = head.stdout.toString().trim();
    const folder = join(gitFolder, 'trove');
    const own = { ...withSettings(env, settings), ...identity, GIT_DIR: folder };
    const made = await runGit(['init', '--bare', '--quiet', folder], { cwd, env: own });
    // Two runs may begin it at the same time.
    if (made.code === 0 || existsSync(join(folder, 'HEAD'))) return success(own);
    return this.#failed({ why: 'unreachable', said: said(made) });
  }
}

const identity = {
  GIT_AUTHOR_NAME: 'Trove',
  GIT_AUTHOR_EMAIL: 'trove@localhost',
  GIT_COMMITTER_NAME: 'Trove',
  GIT_COMMITTER_EMAIL: 'trove@localhost',
};

interface Setting {
  readonly key: string;
  readonly value: string;
}

function settingOf(entry: string): Setting {
  const [key = '', ...value] = entry.split('\n');
  return { key, value: value.join('\n') };
}

/** In a hook of the checkout, git names its own folders to what it starts. */
function withoutPlaces(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named =
    /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|QUARANTINE_PATH|SHALLOW_FILE)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.test(name)));
}

function withSettings(env: NodeJS.ProcessEnv, settings: readonly Setting[]): NodeJS.ProcessEnv {
  const before = Number(env.GIT_CONFIG_COUNT ?? 0);
  const reaching = settings.filter(({ key }) => REACHING.test(key));
  const given = reaching.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(given), GIT_CONFIG_COUNT: String(before + reaching.length) };
}

function said({ stderr }: GitRun): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /^(?:fatal|error|remote):/.test(line)) ?? lines[0] ?? '').slice(0, 300);
}
