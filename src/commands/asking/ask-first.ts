import { error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { confirm } from './confirm.ts';

interface Question {
  readonly question: string;
  /** What is true after a no. */
  readonly otherwise: string;
  /** What to type where nobody can be asked. */
  readonly hint: string;
}

/** Asks on a terminal, and refuses elsewhere. Undefined: go on. */
export async function askFirst(
  context: CommandContext,
  { question, otherwise, hint }: Question,
): Promise<ExitCode | undefined> {
  const { stdin, stderr } = context.io;
  if (!stdin.isTTY || !stderr.isTTY) {
    const message = `without a terminal nothing is asked. ${otherwise}`;
    context.complain([error('not-confirmed', message, { hint })]);
    return exitCode.error;
  }
  const agreement = await confirm(question, context);
  if (agreement === 'yes') return undefined;
  context.note(`\n${otherwise}\n`);
  return agreement === 'interrupted' ? exitCode.interrupted : exitCode.error;
}
