import type { ItemService } from '../../api/item-service.ts';
import type { Environment } from '../../environment/model.ts';
import { renderServiceError } from '../../render/service-error.ts';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';
import { interruptedBefore } from './connect.ts';

/**
 * Reads the spaces of the environment's user, the one thing that can be read (interface, section 4.5): wrong
 * credentials and a wrong team show here, before anything is written. Fails too if it is interrupted by then.
 */
export async function checkSpaces(
  { userId, teamId, credentials }: Environment,
  service: ItemService,
  signal: AbortSignal,
): Promise<Result<undefined>> {
  const outcome = userId === undefined ? undefined : await service.listUserSpaces(userId, { signal });
  if (signal.aborted) return failure(interruptedBefore());
  if (outcome === undefined) return success(undefined);
  if (outcome.kind !== 'answered') {
    const { message, hint } = renderServiceError(outcome.error, credentials);
    return failure(error('service', message, { hint: `${hint} Nothing was written.` }));
  }
  const foreign = outcome.body.find((link) => link.teamId !== teamId);
  if (!foreign) return success(undefined);
  const message = `the service says that user ${userId} is in team ${foreign.teamId}, and the environment names team ${teamId}`;
  return failure(
    error('wrong-team', message, { hint: 'check teamId, userId and the credentials; nothing was written' }),
  );
}
