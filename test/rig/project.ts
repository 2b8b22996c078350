import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { main } from '../../src/commands/main.ts';
import type { State } from '../../src/state/model.ts';

export const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const exampleCatalog = resolve(import.meta.dirname, '../../catalog');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A folder of its own for the command line. `await using project = await createProject(...)`. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Replaces text in a file; throws where it is not there, so that no test passes by a slip. */
  edit(path: string, from: string, to: string): Promise<void>;
  /** Runs a command in this process: all but `cli.ts`, the bundle and what only a process has. */
  run(args: string, options?: RunOptions): Promise<Finished>;
  /** Runs it as users do, in a process of its own. */
  start(args: string, options?: RunOptions): ChildProcess;
  state(path?: string): Promise<State>;
}

/** `files` by path below the folder; without any, the example catalog. */
export async function createProject(files?: Readonly<Record<string, string>>): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-test-'));
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  if (files) for (const [path, content] of Object.entries(files)) await write(path, content);
  else
    await cp(exampleCatalog, join(folder, 'catalog'), {
      recursive: true,
      filter: (path) => !path.includes('.trove'),
    });
  const start = (args: string, { env = {}, input }: RunOptions = {}) => {
    const child = spawn(process.execPath, [cli, ...args.split(' ')], {
      cwd: folder,
      env: { ...cleanEnv(), ...env },
    });
    child.stdin.end(input);
    return child;
  };
  return {
    folder,
    write,
    read,
    start,
    async edit(path, from, to) {
      const before = await read(path);
      if (!before.includes(from)) throw new Error(`${path} does not contain ${from}`);
      await write(path, before.replace(from, to));
    },
    run: (args, options) => runHere(folder, args, options),
    state: async (path = 'catalog/.trove/local.state.json') => JSON.parse(await read(path)) as State,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs a command in this process, in a folder. */
export async function runHere(cwd: string, args: string, { env, input }: RunOptions = {}): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await main(args.split(' '), {
    stdin: Readable.from(input === undefined ? [] : [input]),
    stdout,
    stderr,
    env: { ...cleanEnv(), ...env },
    cwd,
    user: process.geteuid?.() ?? 0,
    nodeVersion: process.versions.node,
    now: () => new Date(),
    onInterrupt: () => () => {},
  });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}

/** A text as one line, so that a test can look for a sentence wherever the lines end. */
export function unwrapped(screen: string): string {
  return screen.replace(/\s+/g, ' ');
}

/** Exit code 1, nothing on standard output, and an error with these texts wherever its lines end. */
export function expectRefused({ code, stdout, stderr }: Finished, ...texts: readonly string[]): void {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: /m);
  expect(stderr).not.toMatch(/\n\s+at /);
  for (const each of texts) expect(unwrapped(stderr)).toContain(each);
}

/** Waits for the end of a process and gives all that it wrote. */
export function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

/** Until a process has written this to standard error so many times, or has ended. */
export function said(child: ChildProcess, text: string, times = 1): Promise<void> {
  let written = '';
  return new Promise((done) => {
    child.on('close', () => done());
    child.stderr?.on('data', (chunk) => {
      written += chunk;
      if (written.split(text).length > times) done();
    });
  });
}

/** What the machine of the person who runs the tests says must not change what is tested. */
export function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TROVE_|NO_COLOR|FORCE_COLOR|https?_proxy|no_proxy|CI$)/i.test(name),
  );
  return Object.fromEntries(kept);
}
