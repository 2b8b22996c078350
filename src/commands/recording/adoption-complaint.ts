import type { Adoption } from '../../apply/adopt.ts';
import type { Address } from '../../catalog/model.ts';
import type { Environment } from '../../environment/model.ts';
import { renderServiceError } from '../../render/service-error.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';

/** Why an id that a person named for a pending create is not recorded; undefined where it is. */
export function adoptionComplaint(
  adoption: Adoption,
  id: string,
  address: Address,
  { credentials }: Environment,
  { flags }: CommandContext,
): Diagnostic | undefined {
  switch (adoption.kind) {
    case 'adopted':
      return undefined;
    case 'failed': {
      const { message, hint } = renderServiceError(adoption.error, credentials);
      return error('service', message, { hint: `${hint} The create is still pending.` });
    }
    case 'held': {
      const message =
        adoption.holder === address
          ? `${id} is a record that ${address} had before, so it is not what this create made`
          : `${id} is recorded as ${adoption.holder}, and one record can't be two resources`;
      return error('held-id', message, { hint: 'check the id; nothing was sent' });
    }
    case 'without-options': {
      const message = `the record ${id} has none of the options that were sent, so it is not what this create made`;
      const hint = `check the id; the create is still pending. If it is the right one all the same: trove resolve ${address}${flags} --not-created, then trove import ${address} ${id}${flags}`;
      return error('another-record', message, { hint });
    }
    case 'another': {
      const message = `the update of ${id} was answered for record ${adoption.id} of team ${adoption.teamId}`;
      return error('another-record', message, { hint: 'check the id; the create is still pending' });
    }
  }
}
