import { pathOf } from '../contract/api.ts';
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
  const clientId = context.clientIds.idFor(resource.key, resource.declaredId);
  return creation(resource, undefined, clientId, [], context);
}

/**
 * A create with an unknown outcome: sent once more where that leaves one record, else it waits for a person, also if
 * what is declared now can't be sent. Where there is a record already, it was to be replaced, and still is.
 */
export function pendingChange(resource: Resource, pending: PendingCreate, context: PlanContext): Change {
  const { id } = pending.request.body;
  const record = context.entries.find('live', resource.address);
  const isProtected = record !== undefined && mayNotGo(record, resource);
  const isSame = (resource.declaredId ?? id) === id;
  // To confirm it, an update of that ID would follow.
  const isFree = context.clientIds.holderOf(String(id), resource.key) === undefined;
  // It may have made what is declared under another key now.
  const suspected = context.suspects.get(resource.address);
  const isRepeatable =
    !isProtected && isSame && isFree && !suspected && context.clientIds.settlesAgain(pending);
  const repeated = { code: 'create-repeated', ...unseen(pending) } as const;
  const again = isRepeatable && creation(resource, record, String(id), [repeated], context);
  if (again && again.requests.length > 0) return again;
  const hindrances = again ? (again.reasons ?? []) : suspected ? [suspected.reason] : [];
  const reasons = [{ code: 'create-unseen', ...unseen(pending), isProtected } as const, ...hindrances];
  return { ...draftOf(resource, null, []), action: 'unknown', reasons };
}

/**
 * A second record in place of the one that is recorded. Its answer retires the old one in the
 * books. What refers to a classifier follows in the same plan, after the new one exists, so nothing is ever
 * without the option that it is assigned to.
 */
export function replacementOf(resource: Resource, record: ResourceRecord, context: PlanContext): Change {
  const blocker = replaceBlocker(resource, record, context);
  if (blocker) return stopped(createDraft(resource, record, context), blocker);
  const clientId = context.clientIds.nextFor(resource.key, resource.declaredId);
  return creation(resource, record, clientId, [], context);
}

/** A create of what is declared: of the first record, or of another one in the place of `record`. */
function creation(
  resource: Resource,
  record: ResourceRecord | undefined,
  clientId: string | undefined,
  because: readonly Reason[],
  context: PlanContext,
): Change {
  const draft = createDraft(resource, record, context);
  const blocker = createBlocker(resource, context);
  if (blocker) return stopped(draft, blocker);
  const requests = [createRequest(resource, clientId, context)];
  const reasons = [...because, ...(record ? [replacedReason(resource, record, context)] : [])];
  const action = record ? 'replace' : 'create';
  return { ...draft, action, ...(reasons.length > 0 && { reasons }), requests };
}

function createDraft(resource: Resource, record: ResourceRecord | undefined, { names }: PlanContext): Draft {
  if (!record) return draftOf(resource, null);
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
