import type { ServiceError } from '../api/error.ts';
import type { Address, Kind } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import type { CreateClassifierBody } from '../contract/wire.ts';
import { namesFrom } from '../plan/names.ts';
import { fields } from '../resources/fields.ts';
import { type AnyAnswer, operations } from '../resources/registry.ts';
import { updateFromCreate } from '../resources/update-from-create.ts';
import type { PendingCreate, RecordedRequest } from '../state/model.ts';
import { recordOf } from './record-of.ts';
import type { ApplyPorts } from './run.ts';

export type Adoption =
  | { readonly kind: 'adopted' }
  /** Nothing was sent: the id was known before, so it is not what the create made, and would be overwritten. */
  | { readonly kind: 'held'; readonly holder: Address }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  | { readonly kind: 'another'; readonly id: string; readonly teamId: string }
  /** The record has none of the options that were sent, so it is not what the create made. */
  | { readonly kind: 'without-options' };

/**
 * Records `id` for a create whose outcome nobody saw, once the service has confirmed it by answering an update
 * that repeats what was created: there is no read, and only an answer has the ids of options.
 */
export async function adopt(
  { address, request: created }: PendingCreate,
  id: string,
  { catalog, environment, service, recorder, now }: Omit<ApplyPorts, 'signal' | 'emit' | 'parallel'>,
): Promise<Adoption> {
  const [kind, key] = address.split('.') as [Kind, string];
  const path = pathOf(operations[kind].update, id);
  const holder = recorder.holderOf(kind, id);
  if (holder !== undefined) return { kind: 'held', holder };
  const request = { method: 'PUT', path, body: updateFromCreate(kind, created.body) } as const;
  const outcome = await service.write(request, kind, { repeatable: true });
  if (outcome.kind !== 'answered') return { kind: 'failed', error: outcome.error };
  const answer = outcome.body;
  if (answer.id !== id || answer.teamId !== environment.teamId) {
    return { kind: 'another', id: answer.id, teamId: answer.teamId };
  }
  if (lacksOptions(created, answer)) return { kind: 'without-options' };
  const names = namesFrom({
    catalog,
    state: recorder.current(),
    attributeIds: environment.attributes,
  });
  const at = now().toISOString();
  const nothing = fields([], []);
  const previous = recorder.get(address) ?? recorder.getRetired(address);
  const { record } = recordOf({ kind, key, request, answer, target: nothing, previous, at }, catalog, names);
  await recorder.record({ type: 'answered', address, record });
  return { kind: 'adopted' };
}

/** Where an update of an id that nobody has creates it, a slip of the keyboard gives an empty classifier. */
function lacksOptions({ body }: RecordedRequest, answer: AnyAnswer): boolean {
  if (!('classifierOptions' in answer)) return false;
  const { classifierOptions } = body as unknown as CreateClassifierBody;
  const answered = new Set(answer.classifierOptions.map(({ name }) => name));
  return classifierOptions.length > 0 && !classifierOptions.some(({ name }) => answered.has(name));
}
