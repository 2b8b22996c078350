import { formatState } from '../state/format.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { noState, readState } from './recording/read-state.ts';

/** `trove state pull`: prints the state, with what an interrupted run left in its journal. Takes no lock. */
export async function statePull(context: CommandContext): Promise<ExitCode> {
  const read = await readState(context);
  if (read.ok && read.value.state) {
    context.print(formatState(read.value.state));
    return exitCode.done;
  }
  context.complain(read.ok ? [noState(read.value.environment)] : read.diagnostics);
  return exitCode.error;
}
