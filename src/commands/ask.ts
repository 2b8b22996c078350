import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './context.ts';

/** Asks one question; gives what was typed, trimmed. */
export type Ask = (question: string) => Promise<string>;

/** What became of a conversation: its value, or how the person left it. */
export type Conversation<T> =
  | { readonly ended: 'answered'; readonly value: T }
  | { readonly ended: 'interrupted' | 'closed' };

export function hasTerminal({ io }: CommandContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Holds a conversation on the terminal, which `hasTerminal` has found to be there. */
export async function converse<T>(
  { io }: CommandContext,
  talk: (ask: Ask) => Promise<T>,
): Promise<Conversation<T>> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
  const left = new Promise<Conversation<T>>((done) => {
    readline.once('SIGINT', () => done({ ended: 'interrupted' }));
    readline.once('close', () => done({ ended: 'closed' }));
  });
  const ask: Ask = async (question) => (await readline.question(question)).trim();
  const talked = talk(ask).then((value) => ({ ended: 'answered', value }) as const);
  try {
    return await Promise.race([talked, left]);
  } finally {
    readline.close();
  }
}
