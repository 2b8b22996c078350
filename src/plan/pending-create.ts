import type { Declared, ItemDeclaration, Kind } from '../catalog/model.ts';
import type { AnyDeclaration } from '../resources/registry.ts';
import type { PendingCreate } from '../state/model.ts';
import type { PlanContext } from './basis.ts';
import { createOf } from './create.ts';
import type { Change } from './model.ts';
import { unresolvedCreate } from './obstacles.ts';
import { subject } from './subject.ts';

const PROTECTED = 'it was to replace a record that is protected now, so it is not sent again';

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
  const unresolved = unresolvedCreate(pending, context);
  return {
    ...subject(kind, declared, null),
    action: 'unknown',
    fields: [],
    requests: [],
    ...unresolved,
    ...(isProtected && { reason: `${unresolved.reason}; ${PROTECTED}` }),
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
  { request, answer }: PendingCreate,
  declaration: AnyDeclaration,
  { clientIds }: PlanContext,
): boolean {
  const { id } = request.body;
  const { id: declared = id } = declaration as ItemDeclaration;
  return clientIds.honoured && answer === undefined && typeof id === 'string' && id === declared;
}
