import type { Address, Declared, ItemDeclaration, Kind } from '../catalog/model.ts';
import type { AnyDeclaration } from '../resources/registry.ts';
import type { ForgottenId, PendingCreate } from '../state/model.ts';
import { unseen } from './blockers.ts';
import type { PlanContext } from './context.ts';
import { createOf, declaredFields, subject } from './create.ts';
import type { Change } from './model.ts';

/** A create whose outcome nobody saw: sent once more where that leaves one record, else it waits for a person. */
export function pendingChange(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  pending: PendingCreate,
  context: PlanContext,
): Change {
  const isProtected = replacesProtected(pending, declared.declaration, context);
  if (!isProtected && settlesItself(pending, declared.declaration, context))
    return createOf(kind, declared, context);
  return {
    ...subject(kind, declared, null),
    action: 'unknown',
    fields: [],
    requests: [],
    reasons: [{ code: 'create-unseen', ...unseen(pending), isProtected }],
  };
}

function replacesProtected(
  { address }: PendingCreate,
  { lifecycle }: AnyDeclaration,
  { entries }: PlanContext,
): boolean {
  const record = entries.find('live', address);
  return record !== undefined && (record.protect === true || lifecycle?.protect === true);
}

/** The same id again leaves one record, where the service is known to honour ids. */
function settlesItself(
  { request, answer, otherId }: PendingCreate,
  declaration: AnyDeclaration,
  { clientIds }: PlanContext,
): boolean {
  const { id } = request.body;
  const { id: declared = id } = declaration as ItemDeclaration;
  const isOpen = answer === undefined && otherId === undefined;
  return clientIds.honoured && isOpen && typeof id === 'string' && id === declared;
}

/**
 * The create of something whose id a person let go of; undefined where there was none. Who forgets need not be who
 * applies, and the record is probably still there, so it waits for one more word.
 */
export function forgottenCreate(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  context: PlanContext,
): Change | undefined {
  const about = subject(kind, declared, null);
  const forgotten = forgottenId(about.address, context);
  if (!forgotten) return undefined;
  const { id, at } = forgotten;
  return {
    ...about,
    action: 'blocked',
    fields: declaredFields(kind, declared.declaration),
    requests: [],
    reasons: [{ code: 'forgotten', id, at }],
  };
}

/** Also what was let go of under a key that `moved` has renamed since. */
function forgottenId(
  address: Address,
  { entries, formerAddresses }: Pick<PlanContext, 'entries' | 'formerAddresses'>,
): ForgottenId | undefined {
  const known = (at: Address) => entries.find('forgotten', at);
  return (
    known(address) ??
    formerAddresses(address)
      .map(known)
      .find((found) => found !== undefined)
  );
}
