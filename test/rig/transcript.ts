import { spawn } from 'node:child_process';

/** One command of a document and the output that the document shows for it. */
export interface Step {
  readonly command: string;
  readonly expected: string;
}

/** The steps of every `console` block: lines that begin with `$ ` are commands, a here-document goes on to its END. */
export function stepsOf(markdown: string): readonly Step[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const lines = text.split('\n');
        const length = lines[0]?.includes("<<'END'") ? lines.indexOf('END') + 1 : 1;
        return { command: lines.slice(0, length).join('\n'), expected: lines.slice(length).join('\n') };
      }),
  );
}

const LONGEST_MS = 150_000;

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs the commands one after another in one shell, and gives what each wrote to either stream. */
export async function runSteps(
  steps: readonly Step[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const mark = '--- the end of a step ---';
  const script = [
    'shopt -s expand_aliases',
    ...steps.flatMap(({ command }) => [command, `echo '${mark}'`]),
  ].join('\n');
  // A group of its own, so that what it started ends with it, also where a step waits forever.
  const shell = spawn('bash', ['-s'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const limit = setTimeout(() => endGroup(shell.pid), LONGEST_MS);
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  shell.stdin.end(`exec 2>&1\n${script}\n`);
  await new Promise((done) => shell.on('close', done));
  clearTimeout(limit);
  endGroup(shell.pid);
  return output.split(`${mark}\n`).slice(0, steps.length);
}

/** A pattern for the shown output: a line `...` stands for any lines, `...` inside a line for any text. */
export function pattern(expected: string): RegExp {
  const lines = expected
    .trimEnd()
    .split('\n')
    .map((line) => (line === '...' ? '(?:.*\\n)*?' : `${line.split('...').map(escapeRegExp).join('.*')}\\n`));
  return new RegExp(`^${expected.trim() === '' ? '' : lines.join('')}$`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
