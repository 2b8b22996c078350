import type { Confirmed } from '../apply/confirm-pending.ts';
import { distrustReason } from '../apply/distrust.ts';
import type { Address } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import { renderServiceError } from '../render/service-error.ts';
import type { PendingCreate } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

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
  const message = 'no create with this address is waiting for a word';
  return error('not-pending', message, { subject: address, hint });
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
  const message = 'say what became of it: exactly one of --id and --not-created';
  return error('no-word', message, { subject: address, hint });
}

/** Why an id that a person named for a pending create is not recorded; undefined where it is. */
export function unconfirmedId(
  confirmed: Confirmed,
  id: string,
  address: Address,
  { credentials }: Environment,
  { flags }: CommandContext,
): Diagnostic | undefined {
  switch (confirmed.kind) {
    case 'answered':
    // The save that follows has what the journal could not take.
    case 'unrecorded':
      return undefined;
    case 'refused':
    case 'unseen': {
      const { message, hint } = renderServiceError(confirmed.error, credentials);
      return error('service', message, { hint: `${hint} The create is still pending.` });
    }
    case 'held': {
      const message =
        confirmed.holder === address
          ? `${id} is a record that ${address} had before, so it is not what this create made`
          : `${id} is recorded as ${confirmed.holder}, and one record can't be two resources`;
      return error('held-id', message, { hint: 'check the id; nothing was sent' });
    }
    case 'distrusted': {
      const { answer, distrust } = confirmed;
      const pending = 'check the id; the create is still pending';
      const anyway = `If it is the right one all the same: trove resolve ${address}${flags} --not-created, then trove import ${address} ${id}${flags}`;
      const hint = distrust.code === 'no-options' ? `${pending}. ${anyway}` : pending;
      return error('another-record', distrustReason(answer, distrust), { hint });
    }
    case 'stopped':
      return error('interrupted', 'nothing was sent', { hint: 'the create is still pending' });
  }
}
