import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { World } from '../../src/service/world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/** One user: each start verifies each password, and these tests start often. */
const world: World = {
  teams: [{ id: 'team_7', name: 'Armourers' }],
  users: [{ id: 'user_1', username: 'designer', password: 'correct horse', teamId: 'team_7' }],
};

export const database = 'items.db';

/** `trove serve` as a process of its own, made to be killed. */
export interface ServeChild {
  /** Sends a signal to the process, even if a wrapper started it. */
  kill(signal: NodeJS.Signals): void;
  /** Undefined if the process ended before it listened. */
  readonly url: string | undefined;
  /** Resolves once the process is gone, with its exit code and what it wrote to stderr. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>;
}

/** Serves `items.db` in `folder`. `wrapper` is a command that starts the command given to it. */
export async function startServe(folder: string, wrapper: readonly string[] = []): Promise<ServeChild> {
  await writeFile(join(folder, 'world.json'), JSON.stringify(world));
  const serve = ['serve', '--port', '0', '--db', database, '--world', 'world.json'];
  const [command = '', ...args] = [...wrapper, process.execPath, cli, ...serve];
  // One thread for files, so that "the third fsync" is the same one in every run.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const child = spawn(command, args, { cwd: folder, env, detached: true });
  const kill = (signal: NodeJS.Signals): void => signalGroup(child, signal);
  onTestFinished(() => kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, errors }));
  const line = await Promise.race([once(child.stdout, 'data').then(String), ended.then(() => '')]);
  return { kill, url: /http:\S+/.exec(line)?.[0], ended };
}

/** A wrapper such as strace keeps a signal to itself; the group that it leads has the service in it. */
function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

/** Sends one write and returns its status, with the body of a success; undefined without a response. */
export async function send(
  url: string,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<Reply | undefined> {
  const authorization = `Basic ${Buffer.from('designer:correct horse').toString('base64')}`;
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { id } = (await response.json()) as { id?: string };
    return { status: response.status, ...(id !== undefined && { id }) };
  } catch {
    return undefined;
  }
}

export interface Reply {
  readonly status: number;
  readonly id?: string;
}
