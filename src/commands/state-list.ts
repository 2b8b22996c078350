import { renderStateList } from '../render/state-text.ts';
import { renderJson } from '../render/terminal.ts';
import { recordedEntries, standingOf } from '../state/entries.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { readState } from './recording/read-state.ts';

/** `trove state list`: everything that is recorded, sorted by address. Takes no lock. */
export async function stateList(
  context: CommandContext,
  { format }: { readonly format: 'text' | 'json' },
): Promise<ExitCode> {
  const read = await readState(context);
  if (!read.ok) {
    context.complain(read.diagnostics);
    return exitCode.error;
  }
  const { environment, state } = read.value;
  const entries = recordedEntries(state);
  if (!state) context.note(`Environment ${environment.name} has no state yet: nothing is recorded.\n`);
  const rows = entries.map((entry) => ({
    address: entry.address,
    status: standingOf(entry),
    id: entry.status === 'pending' ? null : entry.id,
    at: entry.status === 'retired' ? entry.retiredAt : entry.at,
  }));
  if (format === 'json') context.print(renderJson(rows));
  else if (state) context.print(renderStateList(rows, environment.name));
  return exitCode.done;
}
