import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/** Whether a command can be given a terminal of its own: `script` of util-linux does that. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

type Turns = readonly (readonly [prompt: string, keys: string])[];
type Conversation = Promise<{ code: number | null; screen: string }>;

/** Runs trove on a terminal, waits for each text on the screen and types what stands beside it. */
export function converse(folder: string, args: string, turns: Turns): Conversation {
  return converseWith(`"${process.execPath}" "${cli}" ${args}`, folder, turns);
}

/** The same with any command. */
export function converseWith(
  command: string,
  folder: string,
  turns: Turns,
  env: NodeJS.ProcessEnv = {},
): Conversation {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  const left = [...turns];
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    for (let next = left[0]; next && screen.includes(next[0], seen); next = left[0]) {
      seen = screen.indexOf(next[0], seen) + next[0].length;
      left.shift();
      child.stdin.write(next[1]);
    }
  });
  return new Promise((done) => child.on('close', (code) => done({ code, screen })));
}
