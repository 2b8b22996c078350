import { completionScripts, type Shell } from './completion/scripts.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';

/** `trove completion SHELL`: prints the script; nothing is installed. */
export async function completion(context: CommandContext, shell: Shell): Promise<ExitCode> {
  context.print(completionScripts[shell]);
  return exitCode.done;
}
