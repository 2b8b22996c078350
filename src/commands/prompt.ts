import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { explainProblems } from '../render/messages/explain-problem.ts';
import {
  type Confirmation,
  notConfirmed,
  nothingWritten,
  onlyYes,
  renderAnswerProblem,
  renderQuestion,
} from '../render/questions.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { exitCode, fail } from './exit-code.ts';

interface Asking extends Confirmation {
  /** Nobody is asked: it was confirmed on the command line. */
  readonly yes?: boolean | undefined;
  /** Standard input holds the password, so it can't hold answers. */
  readonly passwordStdin?: boolean | undefined;
}

/**
 * Asks on a terminal, and refuses elsewhere. Returns after the whole word "yes", since what follows can't be deleted
 * again; the command ends after anything else.
 */
export async function askFirst(
  context: CommandContext,
  { yes, passwordStdin, ...asked }: Asking,
): Promise<void> {
  if (yes) return;
  if (!hasTerminal(context) || passwordStdin) fail([notConfirmed(asked)]);
  const { question, otherwise } = asked;
  const text = `${question} ${onlyYes}`;
  const answer = await converse(context, (ask) => ask({ text, check: () => undefined }), otherwise);
  if (answer === 'yes') return;
  context.note(`\n${otherwise}\n`);
  fail([]);
}

interface Question {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly fallback?: string | undefined;
  /** It is not shown, and kept as it is typed. */
  readonly isSecret?: boolean;
  /** After a problem it is asked for again. */
  readonly check: (answer: string) => Diagnostic | undefined | Promise<Diagnostic | undefined>;
}

/** Asks until an answer will do, and gives it, trimmed. */
type Ask = (question: Question) => Promise<string>;

export function hasTerminal({ io }: CommandContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks one after another on a terminal, which is there. Lines that are typed or pasted ahead answer the questions that
 * follow; any may be a password, so none is shown before its question. After the last question, they are dropped. The
 * command ends if the person leaves before the last answer; `otherwise` is what is true then.
 */
export async function converse<T>(
  { io, note, flags, timed }: CommandContext,
  talk: (ask: Ask) => Promise<T>,
  otherwise: string = nothingWritten,
): Promise<T> {
  let isHidden = false;
  const shown = new Writable({
    write(chunk, _, done) {
      if (!isHidden) io.stderr.write(chunk);
      done();
    },
  });
  const output = Object.assign(shown, { columns: io.stderr.columns });
  const readline = createInterface({ input: io.stdin, output, terminal: true, historySize: 0 });
  const lines = readline[Symbol.asyncIterator]();
  let ahead = 0;
  readline.on('line', () => {
    ahead++;
    isHidden = true;
  });
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    readline.close();
    return undefined;
  };
  readline.once('SIGINT', interrupt);
  // What comes from elsewhere (`kill`, a terminal that is closed) is a signal.
  const removeListener = io.onInterrupt(interrupt);
  const ask: Ask = async ({ text, fallback, isSecret = false, check }) => {
    readline.setPrompt(renderQuestion(text, fallback));
    for (;;) {
      const isAhead = ahead > 0;
      isHidden = isSecret || isAhead;
      // A prompt of readline shows what is typed so far of the next line.
      if (isHidden) io.stderr.write(readline.getPrompt());
      else if (!interrupted) readline.prompt(true);
      const { value, done } = await lines.next();
      ahead--;
      if (isSecret || isAhead) io.stderr.write(`${isSecret || done ? '' : value}\n`);
      if (done || interrupted) {
        note(`\n${otherwise}\n`);
        return fail([], interrupted ? exitCode.interrupted : exitCode.error);
      }
      const answer = isSecret ? value : value.trim() || (fallback ?? '');
      const problem = await check(answer);
      if (problem === undefined) return answer;
      io.stderr.write(explainProblems([problem], flags).map(renderAnswerProblem).join(''));
    }
  };
  try {
    return await timed('prompt', () => talk(ask));
  } finally {
    removeListener();
    readline.close();
  }
}
