import bash from './completion/trove.bash?raw';
import fish from './completion/trove.fish?raw';
import zsh from './completion/trove.zsh?raw';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** Each asks `trove __complete` with the words up to the cursor. A line without a word says that a path is wanted. */
const scripts = { bash, zsh, fish };

export const shells = Object.keys(scripts);

/** `trove completion SHELL`: prints the script; nothing is installed. */
export async function completion(context: CommandContext, shell: keyof typeof scripts): Promise<ExitCode> {
  context.print(scripts[shell]);
  return exitCode.done;
}
