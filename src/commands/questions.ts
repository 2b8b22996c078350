import { createInterface } from 'node:readline';
import { escapeTerminal } from '../render/escape.ts';
import type { CommandContext } from './context.ts';

export interface Question {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly fallback?: string;
  /** What is wrong with an answer; it is then asked for again. */
  readonly check: (answer: string) => string | undefined;
}

/** The answers in the order of the questions, or how the person left. */
export type Answers =
  | { readonly kind: 'answered'; readonly answers: readonly string[] }
  | { readonly kind: 'interrupted' | 'ended' };

/** Asks one after another on a terminal. Lines that are typed or pasted ahead are not lost. */
export async function askQuestions(questions: readonly Question[], { io }: CommandContext): Promise<Answers> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
  let interrupted = false;
  readline.once('SIGINT', () => {
    interrupted = true;
    readline.close();
  });
  const lines = readline[Symbol.asyncIterator]();
  try {
    const answers: string[] = [];
    for (const { text, fallback, check } of questions) {
      readline.setPrompt(`${text}${fallback === undefined ? '' : ` [${escapeTerminal(fallback)}]`}: `);
      for (let accepted = false; !accepted; ) {
        readline.prompt();
        const { value, done } = await lines.next();
        if (done) return { kind: interrupted ? 'interrupted' : 'ended' };
        const answer = value.trim() || (fallback ?? '');
        const problem = check(answer);
        accepted = problem === undefined;
        if (accepted) answers.push(answer);
        else io.stderr.write(`${escapeTerminal(problem ?? '')}\n`);
      }
    }
    return { kind: 'answered', answers };
  } finally {
    readline.close();
  }
}
