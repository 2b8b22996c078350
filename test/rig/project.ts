import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { State } from '../../src/state/model.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
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

/** A folder of its own in which the real command line runs. `await using project = await createProject(...)`. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Replaces text in a file; throws where it is not there, so that no test passes by a slip. */
  edit(path: string, from: string, to: string): Promise<void>;
  run(args: string, options?: RunOptions): Promise<Finished>;
  start(args: string, options?: RunOptions): ChildProcess;
  state(path?: string): Promise<State>;
}

/** `files` by path below the folder; without any, the example catalog. */
export async function createProject(files?: Readonly<Record<string, string>>): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-test-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  if (files) for (const [path, text] of Object.entries(files)) await write(path, text);
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
      const text = await read(path);
      if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
      await write(path, text.replace(from, to));
    },
    run: (args, options) => finished(start(args, options)),
    state: async (path = 'catalog/.trove/local.state.json') => JSON.parse(await read(path)) as State,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
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

/** What the machine of the person who runs the tests says must not change what is tested. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TROVE_|NO_COLOR|FORCE_COLOR|https?_proxy|no_proxy|CI$)/i.test(name),
  );
  return Object.fromEntries(kept);
}
