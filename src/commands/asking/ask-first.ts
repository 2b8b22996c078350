import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { confirm } from './confirm.ts';
import { hasTerminal } from './questions.ts';

interface Question {
  readonly question: string;
  /** What is true after a no. */
  readonly otherwise: string;
  /** Said where nobody can be asked. */
  readonly refusal: Diagnostic;
  /** Standard input holds the password, so nobody can answer there. */
  readonly passwordStdin?: boolean | undefined;
}

/** Asks on a terminal, and refuses elsewhere. Undefined: go on. */
export async function askFirst(
  context: CommandContext,
  { question, otherwise, refusal, passwordStdin = false }: Question,
): Promise<ExitCode | undefined> {
  if (!hasTerminal(context) || passwordStdin) {
    context.complain([refusal]);
    return exitCode.error;
  }
  const agreement = await confirm(question, context);
  if (agreement === 'yes') return undefined;
  context.note(`\n${otherwise}\n`);
  return agreement === 'interrupted' ? exitCode.interrupted : exitCode.error;
}

/** The refusal of a command that sends nothing in any case; `hint` is what to type where nobody can be asked. */
export function unasked(otherwise: string, hint: string): Diagnostic {
  return error('not-confirmed', `without a terminal nothing is asked. ${otherwise}`, { hint });
}
