import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Project } from './project.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/** `script` of util-linux runs a command on a terminal of its own. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** What is typed once a text stands on the screen. */
export type Typed = readonly [prompt: string, keys: string];

/** Runs on a terminal and types the answers one after another; gives all that the screen was sent. */
export function onTerminal(
  { folder }: Project,
  args: string,
  ...answers: readonly Typed[]
): Promise<{ code: number | null; screen: string }> {
  const child = spawn('script', ['-qec', `"${process.execPath}" "${cli}" ${args}`, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1' },
  });
  let screen = '';
  let answered = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    for (let next = left[0]; next; next = left[0]) {
      const at = screen.indexOf(next[0], answered);
      if (at === -1) return;
      answered = at + next[0].length;
      left.shift();
      child.stdin.write(next[1]);
    }
  });
  return new Promise((done) => child.on('close', (code) => done({ code, screen })));
}
