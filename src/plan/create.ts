import { pathOf } from '../contract/routes.ts';
import { differences } from '../resources/fields.ts';
import { kinds, knownFields, operations } from '../resources/registry.ts';
import type { PendingCreate, RecordedRequest, ResourceRecord } from '../state/model.ts';
import { createBlocker } from './blockers.ts';
import { type Draft, draftOf, type Resource, stopped, unseen } from './change.ts';
import type { PlanContext } from './context.ts';
import type { Change } from './model.ts';
import { type Blocker, blockedBy, type Reason } from './reason.ts';

/** The first record of a resource. */
export function createOf(resource: Resource, context: PlanContext): Change {
  const draft = draftOf(resource, null);
  const blocker = createBlocker(resource, context);
  if (blocker) return stopped(draft, blocker);
  const { key, declaredId } = resource;
  const request = createRequest(resource, context.clientIds.idFor(key, declaredId), context);
  return { ...draft, action: 'create', requests: [request] };
}

/**
 * A create whose outcome nobody saw: sent once more where that leaves one record, else it waits for a person. Where
 * there is a record already, it was to be replaced, and still is.
 */
export function pendingChange(resource: Resource, pending: PendingCreate, context: PlanContext): Change {
  const record = context.entries.find('live', resource.address);
  const isProtected = record !== undefined && mayNotGo(record, resource);
  if (isProtected || !settlesItself(resource, pending, context)) {
    const reasons = [{ code: 'create-unseen', ...unseen(pending), isProtected } as const];
    return { ...draftOf(resource, null, []), action: 'unknown', reasons };
  }
  const blocker = createBlocker(resource, context);
  if (blocker) return stopped(draftOf(resource, null), blocker);
  const requests = [createRequest(resource, String(pending.request.body.id), context)];
  const repeated = { code: 'create-repeated', ...unseen(pending) } as const;
  if (!record) return { ...draftOf(resource, null), action: 'create', reasons: [repeated], requests };
  const reasons = [repeated, replacedReason(resource, record, context)];
  return { ...replacementDraft(resource, record, context), action: 'replace', reasons, requests };
}

/** The same id again leaves one record, where the service is known to honour ids. */
function settlesItself(
  { declaredId }: Resource,
  pending: PendingCreate,
  { clientIds }: PlanContext,
): boolean {
  const { id } = pending.request.body;
  return clientIds.again(pending) === 'settles' && (declaredId ?? id) === id;
}

/**
 * A second record in place of the one that is recorded. Its answer retires the old one in the
 * books. What refers to a classifier follows in the same plan, after the new one exists, so nothing is ever
 * without the option that it is assigned to.
 */
export function replacementOf(resource: Resource, record: ResourceRecord, context: PlanContext): Change {
  const draft = replacementDraft(resource, record, context);
  const blocker = replaceBlocker(resource, record, context) ?? createBlocker(resource, context);
  if (blocker) return stopped(draft, blocker);
  const reasons = [replacedReason(resource, record, context)];
  const { key, declaredId } = resource;
  const request = createRequest(resource, context.clientIds.nextFor(key, declaredId), context);
  return { ...draft, action: 'replace', reasons, requests: [request] };
}

function replacementDraft(resource: Resource, record: ResourceRecord, { names }: PlanContext): Draft {
  const before = knownFields(resource.kind, record, names);
  return draftOf(resource, record.id, differences(before, resource.desired));
}

/** Also where its declared id is the one of a record that it has or had: it would not be a second one. */
function replaceBlocker(
  resource: Resource,
  record: ResourceRecord,
  { entries }: PlanContext,
): Blocker | undefined {
  if (mayNotGo(record, resource)) return blockedBy({ code: 'protected', against: 'replacement' });
  const { address, declaredId: id } = resource;
  const isOwn = entries.at(address).some((entry) => 'id' in entry && entry.id === id);
  return id !== undefined && isOwn ? blockedBy({ code: 'id-declared', id }) : undefined;
}

function mayNotGo({ protect }: ResourceRecord, { declaration: { lifecycle } }: Resource): boolean {
  return protect === true || lifecycle?.protect === true;
}

/** Where assignments are merged, nothing can take the old ones away from an item. */
function replacedReason({ kind }: Resource, { id }: ResourceRecord, { profile }: PlanContext): Reason {
  const setting = profile['itemUpdate.assignments'];
  if (kind === 'item' || setting === 'replace') return { code: 'replaced', id };
  return { code: 'replaced', id, oldOptions: setting === 'merge' ? 'kept' : 'perhaps-kept' };
}

export function createRequest(
  { kind, declaration }: Resource,
  clientId: string | undefined,
  { names }: PlanContext,
): RecordedRequest {
  const body = kinds[kind].createBody(declaration, names, clientId);
  return { method: 'POST', path: pathOf(operations[kind].create), body };
}
