import { commandFlags } from '../../environment/command-flags.ts';
import { quotedForShell } from '../../text/quoted-for-shell.ts';
import type { CommandContext } from '../invocation/context.ts';

/**
 * The command that carries a file of saved plans out. One plan wants its environment named, several name theirs;
 * `begins`: one of them is for an environment of which nothing is recorded.
 */
export function applyCommand(
  file: string,
  { catalogFolder }: Pick<CommandContext, 'catalogFolder'>,
  environments: readonly string[],
  begins: boolean,
): string {
  const [environment = 'local', ...others] = environments;
  const named = others.length === 0 ? environment : 'local';
  const flags = commandFlags({ catalog: catalogFolder, environment: named });
  const first = begins ? ' --new-environment' : '';
  return `trove apply ${quotedForShell(file)}${flags}${first}`;
}
