import type { PendingCreate } from '../../state/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';

export function unusableId(id: string): Diagnostic {
  const hint = 'an id has 1 to 191 characters, as the service answers it';
  return error('unusable-id', "this can't be the id of a record", { subject: id, hint });
}

export function notPending(
  address: string,
  pending: readonly PendingCreate[],
  elsewhere: readonly string[],
): Diagnostic {
  const known = pending.map((create) => create.address).join(', ');
  const here = known ? `pending: ${known}` : 'no create is pending';
  const hint = elsewhere.length > 0 ? `it waits in another environment: ${elsewhere.join(', ')}` : here;
  return error('not-pending', 'no create with this address is waiting for a word', {
    subject: address,
    hint,
  });
}

export function withoutState(elsewhere: readonly string[]): string {
  return elsewhere.length > 0
    ? `what waits is in another environment: ${elsewhere.join(', ')}`
    : 'without one nothing is pending; if it is mislaid, put it back first';
}

export function namesNothing({ flags }: CommandContext): Diagnostic {
  const hint = `for the addresses that wait: trove resolve${flags}`;
  return error('no-address', 'say of which create: an address comes first', { hint });
}

export function needsWord(address: string, { flags }: CommandContext): Diagnostic {
  const hint = `trove resolve ${address}${flags} --id ID, or trove resolve ${address}${flags} --not-created`;
  return error('no-word', 'say what became of it: exactly one of --id and --not-created', {
    subject: address,
    hint,
  });
}
