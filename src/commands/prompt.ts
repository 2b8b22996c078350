import { createInterface } from 'node:readline';
import { escapeTerminal } from '../render/terminal.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { exitCode, fail, refuse } from './exit-code.ts';

interface Confirmation {
  readonly question: string;
  /** What is true after a no. */
  readonly otherwise: string;
  /** What to type where nobody can be asked. */
  readonly hint: string;
  /** Nobody is asked: it was confirmed on the command line. */
  readonly yes?: boolean | undefined;
  /** Standard input holds the password, so nobody can answer there. */
  readonly passwordStdin?: boolean | undefined;
}

/**
 * Asks on a terminal, and refuses elsewhere. Returns after the whole word "yes", since what follows can't be deleted
 * again; the command ends after anything else.
 */
export async function askFirst(
  context: CommandContext,
  { question, otherwise, hint, yes, passwordStdin }: Confirmation,
): Promise<void> {
  if (yes) return;
  if (!hasTerminal(context) || passwordStdin)
    refuse('not-confirmed', `without a terminal nothing is asked. ${otherwise}`, { hint });
  const text = `${question} Only "yes" is accepted`;
  const answer = await converse(context, (ask) => ask({ text, check: () => undefined }), otherwise);
  if (answer === 'yes') return;
  context.note(`\n${otherwise}\n`);
  fail([]);
}

/** What is wrong with an answer, and what to do about it. */
export type Problem = Pick<Diagnostic, 'message' | 'hint'>;

interface Question {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly fallback?: string | undefined;
  /** After a problem it is asked for again. */
  readonly check: (answer: string) => Problem | undefined | Promise<Problem | undefined>;
}

/** Asks until an answer will do, and gives it, trimmed. */
type Ask = (question: Question) => Promise<string>;

export function hasTerminal({ io }: CommandContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks one after another on a terminal, which is there. Lines that are typed or pasted ahead are not lost. The command
 * ends if the person leaves before the last answer; `otherwise` is what is true then.
 */
export async function converse<T>(
  { io, note }: CommandContext,
  talk: (ask: Ask) => Promise<T>,
  otherwise = 'Nothing was written.',
): Promise<T> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
  const lines = readline[Symbol.asyncIterator]();
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    readline.close();
  };
  readline.once('SIGINT', interrupt);
  // What comes from elsewhere (`kill`, a terminal that is closed) is a signal.
  const removeListener = io.onInterrupt(interrupt);
  const ask: Ask = async ({ text, fallback, check }) => {
    readline.setPrompt(`${text}${fallback === undefined ? '' : ` [${escapeTerminal(fallback)}]`}: `);
    for (;;) {
      if (!interrupted) readline.prompt();
      const { value, done } = await lines.next();
      if (done || interrupted) {
        note(`\n${otherwise}\n`);
        return fail([], interrupted ? exitCode.interrupted : exitCode.error);
      }
      const answer = value.trim() || (fallback ?? '');
      const problem = await check(answer);
      if (problem === undefined) return answer;
      const { message = '', hint } = problem;
      io.stderr.write(`${escapeTerminal(hint === undefined ? message : `${message}: ${hint}`)}\n`);
    }
  };
  try {
    return await talk(ask);
  } finally {
    removeListener();
    readline.close();
  }
}
