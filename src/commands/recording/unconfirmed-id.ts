import type { Confirmed } from '../../apply/confirm-pending.ts';
import { distrustReason } from '../../apply/reason.ts';
import type { Address } from '../../catalog/model.ts';
import type { Environment } from '../../environment/model.ts';
import { renderServiceError } from '../../render/service-error.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';

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
