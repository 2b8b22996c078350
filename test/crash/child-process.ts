import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves once this line was printed; rejects if the process ends without it. */
  printed(isIt: (line: string) => boolean): Promise<string>;
  /** Every complete line that it printed, once it has ended. */
  ended(): Promise<readonly string[]>;
}

/** Bundles `state-child.ts` for the tests of one file, and gives a function that starts it. */
export function childProgram(): (args: readonly string[], wrapper?: readonly string[]) => Child {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trove-child-'));
    await build({
      entryPoints: ['test/crash/state-child.ts'],
      outfile: join(folder, 'child.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (args, wrapper = []) => start([...wrapper, process.execPath, join(folder, 'child.mjs'), ...args]);
}

function start([program = '', ...args]: readonly string[]): Child {
  // One thread for files, so that "the third fsync" is the same one in every run.
  const child = spawn(program, args, { env: { ...process.env, UV_THREADPOOL_SIZE: '1' } });
  let output = '';
  let complaints = '';
  const closed = once(child, 'close');
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const lines = () => output.split('\n').slice(0, -1);
  return {
    process: child,
    printed: async (isIt) => {
      for (;;) {
        const found = lines().find(isIt);
        if (found !== undefined) return found;
        const more = await Promise.race([
          once(child.stdout, 'data').then(() => true),
          closed.then(() => false),
        ]);
        if (!more && !lines().some(isIt)) throw new Error(`The child ended early: ${output}${complaints}`);
      }
    },
    ended: async () => {
      await closed;
      if (complaints !== '') throw new Error(complaints);
      return lines();
    },
  };
}
