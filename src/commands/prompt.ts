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
import type { CommandContext, Io } from './context.ts';
import { exitCode, fail } from './exit-code.ts';

interface Asking extends Confirmation {
  /** Confirmed on the command line: there is no question. */
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
 * follow; after the last one, they are dropped. The command ends if the person leaves before the last answer;
 * `otherwise` is what is true then.
 */
export async function converse<T>(
  { io, note, flags, timed }: CommandContext,
  talk: (ask: Ask) => Promise<T>,
  otherwise: string = nothingWritten,
): Promise<T> {
  const lines = openLines(io);
  const ask: Ask = async ({ text, fallback, isSecret = false, check }) => {
    for (;;) {
      const line = await lines.next(renderQuestion(text, fallback), isSecret);
      if (line === undefined) {
        note(`\n${otherwise}\n`);
        return fail([], lines.isInterrupted() ? exitCode.interrupted : exitCode.error);
      }
      const answer = isSecret ? line : line.trim() || (fallback ?? '');
      const problem = await check(answer);
      if (problem === undefined) return answer;
      io.stderr.write(explainProblems([problem], flags).map(renderAnswerProblem).join(''));
    }
  };
  try {
    return await timed('prompt', () => talk(ask));
  } finally {
    lines.close();
  }
}

/** Reads lines at prompts. Any line that comes before its prompt may be a password, so it is not shown. */
function openLines({ stdin, stderr, onInterrupt }: Io) {
  let isHidden = false;
  const shown = new Writable({
    write(chunk, _, done) {
      if (!isHidden) stderr.write(chunk);
      done();
    },
  });
  const output = Object.assign(shown, { columns: stderr.columns });
  const readline = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
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
  const removeListener = onInterrupt(interrupt);
  return {
    /** The next line; undefined if the person has left. */
    async next(prompt: string, isSecret: boolean): Promise<string | undefined> {
      readline.setPrompt(prompt);
      const isAhead = ahead > 0;
      isHidden = isSecret || isAhead;
      // A prompt of readline shows what is typed so far of the next line.
      if (isHidden) stderr.write(prompt);
      else if (!interrupted) readline.prompt(true);
      const { value, done } = await lines.next();
      ahead--;
      if (isSecret || isAhead) stderr.write(`${isSecret || done ? '' : value}\n`);
      return done || interrupted ? undefined : value;
    },
    isInterrupted: () => interrupted,
    close() {
      removeListener();
      readline.close();
    },
  };
}
