import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isInside } from '../../text/read-file.ts';

export interface GitRun {
  /** 0: done. Undefined: it was killed after its time, or could not be started. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  /** In English, without the parts of URLs that can be secret. */
  readonly stderr: string;
  readonly isMissing: boolean;
}

export interface GitOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
  readonly timeout?: number;
}

/** A server that answers nothing for so long has failed. */
const SLOWEST_MS = 60_000;
const SETTINGS = [
  'core.fsmonitor=false',
  // Whole or not at all: a pack gets its name last.
  'fetch.unpackLimit=1',
  'core.hooksPath=/dev/null',
  'gc.auto=0',
  'safe.bareRepository=explicit',
];

/**
 * Runs git and waits for its end. Never asks on a terminal, and runs no hook and no file system monitor. It has a process
 * group of its own: Ctrl-C is for trove, which finishes what is under way.
 */
export function runGit(
  args: readonly string[],
  { cwd, env, input = '', timeout = SLOWEST_MS }: GitOptions,
): Promise<GitRun> {
  const all = [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args];
  const own = { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const child = spawn('git', all, { cwd, env: own, detached: true });
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), timeout);
  const printed = Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  // It may end before it has read all: its code says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((done) => {
    child.on('error', ({ code }: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      done({ code: undefined, stdout: Buffer.alloc(0), stderr: '', isMissing: code === 'ENOENT' });
    });
    child.on('close', async (code) => {
      clearTimeout(timer);
      const [stdout, stderr] = await printed;
      done({ code: code ?? undefined, stdout, stderr: withoutSecrets(stderr.toString()), isMissing: false });
    });
  });
}

/**
 * The checkout that a folder is in. Only a repository with a `.git` counts: git also takes a folder that is laid out like
 * one, which any commit can contain, and runs the filters of its `config`.
 */
export async function checkoutOf({ cwd, env }: GitOptions): Promise<{ readonly top: string } | undefined> {
  const pathFrom = async (flag: string): Promise<string | undefined> => {
    const { code, stdout } = await runGit(['rev-parse', flag], { cwd, env });
    // Only its own line break: a name may end in another one.
    return code === 0 ? stdout.toString().replace(/\n$/, '') : undefined;
  };
  const [folder, top] = [await pathFrom('--absolute-git-dir'), await pathFrom('--show-toplevel')];
  if (!folder || !top || isInside(relative(folder, await realpath(cwd)))) return undefined;
  return { top };
}

/** URLs may have a password before their @, or a token in their query. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://').replaceAll(/(:\/\/[^\s'"?]*)\?[^\s'"]*/g, '$1?...');
}

/** The line of its complaint that tells most. */
export function saidBy({ code, stderr }: GitRun): string {
  if (code === undefined) return 'git was stopped, or had no answer for a minute';
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /^(?:fatal|error|remote):/.test(line)) ?? lines[0] ?? '').trim().slice(0, 300);
}
