import { createInterface } from 'node:readline';
import { escapeTerminal } from '../../render/terminal.ts';
import type { CommandContext } from '../invocation/context.ts';

export interface Question {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly fallback?: string;
  /** What is wrong with an answer; it is then asked for again. */
  readonly check: (answer: string) => string | undefined | Promise<string | undefined>;
}

/** Asks until an answer will do, and gives it, trimmed. */
export type Ask = (question: Question) => Promise<string>;

/** What became of a conversation: its value, or how the person left it. */
export type Conversation<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'interrupted' | 'ended' };

export function hasTerminal({ io }: CommandContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Asks one after another on a terminal, which is there. Lines that are typed or pasted ahead are not lost. */
export async function converse<T>(
  { io }: CommandContext,
  talk: (ask: Ask) => Promise<T>,
): Promise<Conversation<T>> {
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
    return { kind: 'answered', value: await talk(ask) };
  } catch (cause) {
    if (!(cause instanceof Left)) throw cause;
    return { kind: interrupted ? 'interrupted' : 'ended' };
  } finally {
    readline.close();
  }
}

/** The person has left in the middle of a question. */
class Left extends Error {}
