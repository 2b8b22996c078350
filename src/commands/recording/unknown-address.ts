import { recordedEntries } from '../../state/entries.ts';
import type { State } from '../../state/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import type { CommandContext } from '../invocation/context.ts';

/** The complaint about an address of which the state has nothing, with the nearest that it has. */
export function unknownAddress(address: string, state: State, { flags }: CommandContext): Diagnostic {
  const meant = nearest(
    address,
    recordedEntries(state).map((entry) => entry.address),
  );
  const hint =
    meant === undefined ? `all that is recorded: trove state list${flags}` : `did you mean ${meant}?`;
  return error('unknown-address', 'nothing is recorded of this address', { subject: address, hint });
}
