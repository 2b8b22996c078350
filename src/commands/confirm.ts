import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './context.ts';

/**
 * Asks on a terminal; only the whole word counts, since what follows can't be deleted again. Ctrl-C and the end
 * of the input are a no.
 */
export async function confirm(question: string, { io }: CommandContext): Promise<boolean> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
  const closed = new Promise<string>((close) => {
    readline.once('close', () => close(''));
  });
  try {
    const answer = await Promise.race([readline.question(`${question} Only "yes" is accepted: `), closed]);
    return answer.trim() === 'yes';
  } finally {
    readline.close();
  }
}
