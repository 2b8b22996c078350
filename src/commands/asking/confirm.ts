import { createInterface } from 'node:readline/promises';
import type { CommandContext } from '../invocation/context.ts';

export type Agreement = 'yes' | 'no' | 'interrupted';

/** Asks on a terminal; only the whole word counts, since what follows can't be deleted again. */
export async function confirm(question: string, { io }: CommandContext): Promise<Agreement> {
  const readline = createInterface({ input: io.stdin, output: io.stderr });
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
