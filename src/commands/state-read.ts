import type { Kind } from '../catalog/model.ts';
import { clientIds } from '../plan/client-id.ts';
import { namesFrom } from '../plan/names.ts';
import { renderStateShow } from '../render/state-show-text.ts';
import { renderStateList } from '../render/state-text.ts';
import { renderJson } from '../render/terminal.ts';
import { kinds } from '../resources/registry.ts';
import { entriesOf, recordedEntries, standingOf } from '../state/entries.ts';
import { formatState } from '../state/format.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { CommandContext } from './context.ts';
import { fail, orFail } from './exit-code.ts';
import { noState, readState, unknownAddress } from './state.ts';

/** `trove state list`: everything that is recorded, sorted by address. Takes no lock. */
export async function stateList(
  context: CommandContext,
  { format }: { readonly format: 'text' | 'json' },
): Promise<void> {
  const { environment, state } = orFail(await readState(context));
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
}

/** `trove state show ADDRESS`: all that is recorded of one address. Takes no lock, and needs no valid catalog. */
export async function stateShow(
  context: CommandContext,
  address: string,
  { format }: { readonly format: 'text' | 'json' },
): Promise<void> {
  const { environment, state } = orFail(await readState(context));
  const entries = recordedEntries(state).filter((entry) => entry.address === address);
  if (!state) fail([noState(environment)]);
  if (entries.length === 0) fail([unknownAddress(address, state, context)]);
  if (format === 'json') {
    const shown = entries.map((entry) => ({ ...entry, status: standingOf(entry) }));
    context.print(renderJson({ address, entries: shown }));
    return;
  }
  const names = namesFrom({
    catalog: { classifiers: new Map() },
    entries: entriesOf(state),
    attributeIds: environment.attributes,
  });
  const fieldsOf = ({ answer, options }: ResourceRecord) =>
    kinds[address.split('.', 1)[0] as Kind].answered(answer, names, options).values;
  const { again } = clientIds(environment, state);
  context.print(renderStateShow(entries, fieldsOf, again, context));
}

/** `trove state pull`: prints the state, with what an interrupted run left in its journal. Takes no lock. */
export async function statePull(context: CommandContext): Promise<void> {
  const { environment, state } = orFail(await readState(context));
  if (!state) fail([noState(environment)]);
  context.print(formatState(state));
}
