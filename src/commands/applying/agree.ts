import { error } from '../../text/diagnostic.ts';
import { confirm } from '../asking/confirm.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';

/** Asks whether a plan that was shown shall be carried out. Undefined: it shall. `carryOut` does so with a saved one. */
export async function agree(
  context: CommandContext,
  { yes, passwordStdin }: { readonly yes?: boolean; readonly passwordStdin?: boolean },
  carryOut = `trove apply${context.flags} FILE`,
): Promise<ExitCode | undefined> {
  if (yes) return undefined;
  const { flags } = context;
  if (context.io.stdin.isTTY && context.io.stderr.isTTY && !passwordStdin) {
    const agreement = await confirm('Apply this?', context);
    if (agreement === 'yes') return undefined;
    context.note('\nNothing was sent.\n');
    return agreement === 'interrupted' ? exitCode.interrupted : exitCode.error;
  }
  const hint = `look at the plan, then: trove apply${flags} --yes, or trove plan${flags} --out FILE and ${carryOut}`;
  const message = 'without a terminal, apply does not ask and sends nothing';
  context.complain([error('not-confirmed', message, { hint })]);
  return exitCode.error;
}
