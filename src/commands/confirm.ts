import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './context.ts';

/** Asks on a terminal; only the whole word counts, since what follows can't be deleted again. */
export async function confirm(question: string, { io }: CommandContext): Promise<boolean> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
  try {
    return (await readline.question(`${question} Only "yes" is accepted: `)).trim() === 'yes';
  } finally {
    readline.close();
  }
}
