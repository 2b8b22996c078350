import { commandFlags } from '../../environment/find.ts';
import { error } from '../../text/diagnostic.ts';
import { askFirst } from '../asking/ask-first.ts';
import type { CommandContext } from '../invocation/context.ts';
import type { ExitCode } from '../invocation/exit-code.ts';

/** Asks whether a plan that was shown shall be carried out. Undefined: it shall. */
export async function agree(
  context: CommandContext,
  { yes, passwordStdin }: { readonly yes?: boolean; readonly passwordStdin?: boolean },
): Promise<ExitCode | undefined> {
  if (yes) return undefined;
  const { flags } = context;
  const carryOut = `trove apply FILE${commandFlags({ catalog: context.catalogFolder, environment: 'local' })}`;
  const hint = `look at the plan, then: trove apply${flags} --yes, or trove plan${flags} --out FILE and ${carryOut}`;
  const refusal = error('not-confirmed', 'without a terminal, apply does not ask and sends nothing', {
    hint,
  });
  return askFirst(context, {
    question: 'Apply this?',
    otherwise: 'Nothing was sent.',
    refusal,
    passwordStdin,
  });
}
