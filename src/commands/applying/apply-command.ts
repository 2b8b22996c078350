import { commandFlags } from '../../environment/find.ts';
import { quotedForShell } from '../../text/quoted.ts';
import type { CommandContext } from '../invocation/context.ts';

/**
 * The command that carries a file of saved plans out, which name their environments. `begins`: one of them is for an
 * environment of which nothing is recorded.
 */
export function applyCommand(
  file: string,
  { catalogFolder }: Pick<CommandContext, 'catalogFolder'>,
  begins: boolean,
): string {
  const flags = commandFlags({ catalog: catalogFolder, environment: 'local' });
  const first = begins ? ' --new-environment' : '';
  return `trove apply ${quotedForShell(file)}${flags}${first}`;
}
