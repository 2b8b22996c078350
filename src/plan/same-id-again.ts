import { kindOf } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import type { PendingCreate, State } from '../state/model.ts';
import { clientIds } from './client-id.ts';

/** Whether a pending create can be sent once more with its id: `perhaps` while nobody knows what the service does. */
export type SameIdAgain = 'settles' | 'perhaps' | 'never';

const byKnowledge = { honoured: 'settles', unknown: 'perhaps', ignored: 'never' } as const;

export function sameIdAgain(
  { address, answer, request }: PendingCreate,
  { idNamespace, profile }: Environment,
  state: State | undefined,
): SameIdAgain {
  if (kindOf(address) !== 'item' || answer !== undefined || typeof request.body.id !== 'string')
    return 'never';
  return byKnowledge[clientIds(idNamespace, profile, state).knowledge];
}
