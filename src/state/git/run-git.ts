import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Readable } from 'node:stream';
import { type Credentials, createRedact, credentialsOf } from '../../contract/redact.ts';
import { isInside, MAX_WRITTEN_BYTES } from '../../text/read-file.ts';

export interface GitRun {
  /** 0: done. Undefined: it was killed after its time or for what it printed, or could not be started. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  /** In English, without credentials. */
  readonly stderr: string;
  readonly isMissing: boolean;
  /** It printed more than a state may have. */
  readonly isTooLarge?: boolean;
}

export interface GitOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
  readonly timeout?: number;
}

/** A server that answers nothing for so long has failed. */
const SLOWEST_MS = 60_000;
/** Beside the contents, what git says about each. */
const MOST_BYTES = MAX_WRITTEN_BYTES + 1024 ** 2;
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
  const kill = () => child.pid && process.kill(-child.pid, 'SIGKILL');
  const timer = setTimeout(kill, timeout);
  const printed = Promise.all([bounded(child.stdout, kill), bounded(child.stderr, kill)]);
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
      const isTooLarge = [stdout, stderr].includes(undefined);
      const said = withoutSecrets((stderr ?? '').toString(), env);
      const given = { stdout: stdout ?? Buffer.alloc(0), stderr: said, isMissing: false, isTooLarge };
      done({ ...given, code: isTooLarge ? undefined : (code ?? undefined) });
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

/** Undefined, after `stop`, for more than any state has. */
async function bounded(stream: Readable, stop: () => void): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length <= MOST_BYTES) chunks.push(chunk);
    else if (length - chunk.length <= MOST_BYTES) stop();
  }
  return length <= MOST_BYTES ? Buffer.concat(chunks) : undefined;
}

/** What the settings of the remote have for its server only, which may repeat it. */
function credentialsIn(env: NodeJS.ProcessEnv): readonly Credentials[] {
  return Object.entries(env)
    .filter(([name]) => /^GIT_CONFIG_(?:KEY|VALUE)_/.test(name))
    .flatMap(([, text = '']) => {
      const [, given] = /^[\w-]+: *(?!\/\/)(?:\w+ +)?(\S+)$/.exec(text) ?? [];
      const [user = '', ...secret] = Buffer.from(given ?? '', 'base64')
        .toString()
        .split(':');
      if (given)
        return [
          { username: '', password: given },
          { username: user, password: secret.join(':') },
        ];
      // Also in the name of a setting: `url.URL.insteadOf`.
      const [url = ''] = /\w+:\/\/\S+?(?=\.\w+$|$)/.exec(text) ?? [];
      return URL.canParse(url) ? credentialsOf(url) : [];
    });
}

/** URLs may have a password before their @, or a token in their query. */
export function withoutSecrets(text: string, env: NodeJS.ProcessEnv): string {
  if (text === '') return text;
  return createRedact(...credentialsIn(env))(text)
    .replaceAll(/:\/\/\S*@/g, '://')
    .replaceAll(/(:\/\/[^\s'"?]*)\?[^\s'"]*/g, '$1?...');
}

/** The line of its complaint that tells most. */
export function saidBy({ code, stderr }: GitRun): string {
  if (code === undefined) return 'git was stopped, or had no answer for a minute';
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /^(?:fatal|error|remote):/.test(line)) ?? lines[0] ?? '').trim().slice(0, 300);
}
