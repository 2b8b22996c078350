import type { ItemService } from '../../api/item-service.ts';
import type { Environment } from '../../environment/model.ts';
import { renderServiceError } from '../../render/service-error.ts';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';

/**
 * Reads the spaces of the environment's user, the one thing that can be read (interface, section 4.5): wrong
 * credentials and a wrong team show here, before anything is written.
 */
export async function checkSpaces(
  { userId, teamId, credentials }: Environment,
  service: ItemService,
): Promise<Result<undefined>> {
  if (userId === undefined) return success(undefined);
  const outcome = await service.listUserSpaces(userId);
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
