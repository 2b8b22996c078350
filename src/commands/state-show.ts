import type { Kind } from '../catalog/model.ts';
import { sameIdAgain } from '../plan/create.ts';
import { renderStateShow } from '../render/state-show-text.ts';
import { renderJson } from '../render/terminal.ts';
import { recordedNames } from '../resources/known-fields.ts';
import { kinds } from '../resources/registry.ts';
import { entriesOf, recordedEntries, standingOf } from '../state/entries.ts';
import type { PendingCreate, ResourceRecord } from '../state/model.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { noState, readState } from './recording/read-state.ts';
import { unknownAddress } from './recording/unknown-address.ts';

/** `trove state show ADDRESS`: all that is recorded of one address. Takes no lock, and needs no valid catalog. */
export async function stateShow(
  context: CommandContext,
  address: string,
  { format }: { readonly format: 'text' | 'json' },
): Promise<ExitCode> {
  const read = await readState(context);
  if (!read.ok) {
    context.complain(read.diagnostics);
    return exitCode.error;
  }
  const { environment, state } = read.value;
  const entries = recordedEntries(state).filter((entry) => entry.address === address);
  if (!state || entries.length === 0) {
    context.complain([state ? unknownAddress(address, state, context) : noState(environment)]);
    return exitCode.error;
  }
  if (format === 'json') {
    const shown = entries.map((entry) => ({ ...entry, status: standingOf(entry) }));
    context.print(renderJson({ address, entries: shown }));
    return exitCode.done;
  }
  const names = recordedNames(entriesOf(state), environment.attributes);
  const fieldsOf = ({ answer, options }: ResourceRecord) =>
    kinds[address.split('.', 1)[0] as Kind].answered(answer, names, options).values;
  const againOf = (create: PendingCreate) => sameIdAgain(create, environment, state);
  context.print(renderStateShow(entries, fieldsOf, againOf, context));
  return exitCode.done;
}
