import { spawn, spawnSync } from 'node:child_process';
import { cli } from './project.ts';

/** `script` of util-linux runs a command on a terminal of its own. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** What is typed once a text stands on the screen, perhaps after something else was done. */
export type Typed = readonly [prompt: string, keys: string | (() => Promise<string>)];
type Conversation = Promise<{ code: number | null; screen: string }>;

/**
 * Runs trove on a terminal, perhaps with further variables, and types the answers one after another; gives all that
 * the screen was sent.
 */
export function onTerminal(
  { folder, env = {} }: { readonly folder: string; readonly env?: NodeJS.ProcessEnv },
  args: string,
  ...answers: readonly Typed[]
): Conversation {
  return runOnTerminal(`"${process.execPath}" "${cli}" ${args}`, folder, answers, env);
}

/** The same with any command. */
export function runOnTerminal(
  command: string,
  folder: string,
  answers: readonly Typed[],
  env: NodeJS.ProcessEnv = {},
): Conversation {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  const left = [...answers];
  let screen = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    for (let next = left[0]; next && screen.includes(next[0], answered); next = left[0]) {
      answered = screen.indexOf(next[0], answered) + next[0].length;
      left.shift();
      const [, keys] = next;
      if (typeof keys === 'string') child.stdin.write(keys);
      else void keys().then((typed) => child.stdin.write(typed));
    }
  });
  return new Promise((done, fail) => {
    // A question without an answer here would wait as long as the test may take.
    const waiting = setTimeout(() => {
      child.kill();
      fail(new Error(`the command has not ended after two minutes; the screen shows:\n${screen}`));
    }, 120_000);
    child.on('close', (code) => {
      clearTimeout(waiting);
      done({ code, screen });
    });
  });
}
