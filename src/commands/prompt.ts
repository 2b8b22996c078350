import { createInterface, promises } from 'node:readline';
import { escapeTerminal } from '../render/terminal.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode, fail } from './exit-code.ts';

interface Confirmation {
  readonly question: string;
  /** What is true after a no. */
  readonly otherwise: string;
  /** Said where nobody can be asked. */
  readonly refusal: Diagnostic;
  readonly refusalCode?: ExitCode;
  /** Standard input holds the password, so nobody can answer there. */
  readonly passwordStdin?: boolean | undefined;
}

/** Asks on a terminal, and refuses elsewhere. Returns after a yes; the command ends after anything else. */
export async function askFirst(
  context: CommandContext,
  { question, otherwise, refusal, refusalCode, passwordStdin = false }: Confirmation,
): Promise<void> {
  if (!hasTerminal(context) || passwordStdin) fail([refusal], refusalCode);
  const agreement = await confirm(question, context);
  if (agreement === 'yes') return;
  context.note(`\n${otherwise}\n`);
  fail([], agreement === 'interrupted' ? exitCode.interrupted : exitCode.error);
}

/** The refusal of a command that sends nothing in any case; `hint` is what to type where nobody can be asked. */
export function unasked(otherwise: string, hint: string): Diagnostic {
  return error('not-confirmed', `without a terminal nothing is asked. ${otherwise}`, { hint });
}

type Agreement = 'yes' | 'no' | 'interrupted';

/** Asks on a terminal; only the whole word counts, since what follows can't be deleted again. */
export async function confirm(question: string, { io }: CommandContext): Promise<Agreement> {
  const readline = promises.createInterface({ input: io.stdin, output: io.stderr });
  let removeListener = () => {};
  const gone = new Promise<Agreement>((done) => {
    readline.once('SIGINT', () => done('interrupted'));
    // What comes from elsewhere (`kill`, a terminal that is closed) is a signal.
    removeListener = io.onInterrupt(() => done('interrupted'));
    readline.once('close', () => done('no'));
  });
  const asked = readline.question(`${question} Only "yes" is accepted: `);
  try {
    return await Promise.race([asked.then((answer) => (answer.trim() === 'yes' ? 'yes' : 'no')), gone]);
  } finally {
    removeListener();
    readline.close();
  }
}

interface Question {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly fallback?: string;
  /** What is wrong with an answer; it is then asked for again. */
  readonly check: (answer: string) => string | undefined | Promise<string | undefined>;
}

/** Asks until an answer will do, and gives it, trimmed. */
export type Ask = (question: Question) => Promise<string>;

export function hasTerminal({ io }: CommandContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks one after another on a terminal, which is there. Lines that are typed or pasted ahead are not lost. The command
 * ends where the person leaves before the last answer.
 */
export async function converse<T>({ io, note }: CommandContext, talk: (ask: Ask) => Promise<T>): Promise<T> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
  let interrupted = false;
  readline.once('SIGINT', () => {
    interrupted = true;
    readline.close();
  });
  const lines = readline[Symbol.asyncIterator]();
  const ask: Ask = async ({ text, fallback, check }) => {
    readline.setPrompt(`${text}${fallback === undefined ? '' : ` [${escapeTerminal(fallback)}]`}: `);
    for (;;) {
      readline.prompt();
      const { value, done } = await lines.next();
      if (done) throw new Left();
      const answer = value.trim() || (fallback ?? '');
      const problem = await check(answer);
      if (problem === undefined) return answer;
      io.stderr.write(`${escapeTerminal(problem)}\n`);
    }
  };
  try {
    return await talk(ask);
  } catch (cause) {
    if (!(cause instanceof Left)) throw cause;
    note('\nNothing was written.\n');
    return fail([], interrupted ? exitCode.interrupted : exitCode.error);
  } finally {
    readline.close();
  }
}

/** The person has left in the middle of a question. */
class Left extends Error {}
