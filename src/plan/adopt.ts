import { keyOf } from '../catalog/model.ts';
import { pathOf } from '../contract/api.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import { fields, groupOf, withDifferences } from '../resources/fields.ts';
import { kinds, operations } from '../resources/registry.ts';
import type { ImportedId } from '../state/model.ts';
import { createBlocker, updateBlocker } from './blockers.ts';
import { declaredFields, draftOf, type Resource, stopped, unseenUpdate } from './change.ts';
import type { PlanContext } from './context.ts';
import { createRequest } from './create.ts';
import type { Change } from './model.ts';
import { type Blocker, blockedBy, type NotFindable, type Reason } from './reason.ts';

/**
 * The one update that confirms an imported id: its answer shows the whole record, which nothing else can. It would overwrite
 * that of something else whose key was given to this one.
 */
export function adoptionOf(
  resource: Resource,
  { id, at, unconfirmed }: ImportedId,
  context: PlanContext,
): Change {
  const suspected = context.suspects.get(resource.address);
  if (suspected) return stopped(draftOf(resource, id), suspected, ...unseenUpdate(unconfirmed));
  const { sent, request } = confirmingUpdate(resource, id, context);
  const isThumbnailSent = sent.some(({ path }) => path === 'thumbnail');
  const { kind, ignored } = resource;
  const imported: Reason = {
    code: 'imported',
    at,
    forced: ignored.filter((group) => kinds[kind].required.has(group)),
    mayCreate: context.profile['update.unknownId'] === 'created',
    mayClearThumbnail:
      kind === 'item' && !isThumbnailSent && context.profile['itemUpdate.omittedThumbnail'] !== 'kept',
  };
  const reasons: readonly Reason[] = [imported, ...unseenUpdate(unconfirmed)];
  return { ...draftOf(resource, id, sent), action: 'adopt', reasons, requests: [request] };
}

/**
 * What a lost state knew: an item is looked for under the ids that may have been derived for it,
 * by an update of each, and created only where no record answers. A classifier has no id that could be known.
 */
export function recoveryOf(resource: Resource, context: PlanContext): Change {
  const suspected = context.suspects.get(resource.address);
  const ids = possibleIds(resource, context);
  const [first] = ids;
  if (first === undefined)
    return stopped(draftOf(resource, null), suspected ?? notFindable(resource, context));
  const blocker = createBlocker(resource, context) ?? suspected;
  // Asking could create it, without what it waits for, or change the record of another address.
  if (blocker && (mayCreate(context) || blocker.reason.code === 'id-held'))
    return stopped(draftOf(resource, null), blocker, { code: 'may-exist' });
  const updates = ids.map((id) => confirmingUpdate(resource, id, context));
  const { key, declaredId } = resource;
  const ifAbsent = blocker?.action ?? 'create';
  const create = createRequest(resource, context.clientIds.idFor(key, declaredId), context);
  return {
    ...draftOf(resource, first, updates[0]?.sent),
    action: 'adopt',
    reasons: [{ code: 'looked-for', ifAbsent }, ...(blocker ? [blocker.reason] : [])],
    requests: [...updates.map(({ request }) => request), ...(blocker ? [] : [create])],
  };
}

/**
 * A classifier is only written its name, the one field that is documented; what an item declares is sent as far as the
 * profile allows. What else differs is in the plan after it, when the record is known.
 */
function confirmingUpdate(resource: Resource, id: string, context: PlanContext) {
  const { kind, declaration, desired } = resource;
  const left = leftOut(resource, context);
  const isSent = (group: string) => kinds[kind].required.has(group) || !left.has(group);
  const sent = declaredFields(resource).filter(({ path }) => isSent(groupOf(path)));
  const target = withDifferences(fields([...desired.groups].filter(isSent), []), sent);
  const body =
    kind === 'classifier'
      ? { name: declaration.name }
      : kinds[kind].updateBody(target, target.groups, context.profile, context.names);
  const request = { method: 'PUT', path: pathOf(operations[kind].update, id), body } as const;
  return { sent, request };
}

/**
 * Groups that the update need not carry. Assignments go together or not at all: a part of them could take the others
 * away. What every update has to carry goes whether its changes are ignored or not: of an imported record nothing is
 * known that could be repeated.
 */
function leftOut(resource: Resource, context: PlanContext): ReadonlySet<string> {
  const { kind, address, desired, ignored } = resource;
  if (kind === 'classifier') return desired.groups;
  const blocked = declaredFields(resource).filter((each) => updateBlocker(address, each, context));
  return new Set([...ignored, ...blocked.map(({ path }) => groupOf(path))]);
}

/**
 * The latest first. Only if an update of an unused ID is refused can several be tried; otherwise the
 * first would be made by the asking, which is right only where there is no other, and where it surely is the id that
 * the item had: under another namespace everything would be made a second time.
 */
function possibleIds(resource: Resource, context: PlanContext): readonly string[] {
  const { kind, key, address, declaredId } = resource;
  const { clientIds, formerAddresses, profile } = context;
  if (kind === 'classifier' || profile['itemCreate.clientId'] !== 'honoured') return [];
  if (declaredId !== undefined) return [declaredId];
  const from = formerAddresses(address).map((former) => clientIds.derived(keyOf(former)));
  const candidates = clientIds.candidatesFor(key);
  if (mayCreate(context)) return from.length > 0 || !clientIds.isNamespaceKnown ? [] : candidates.slice(0, 1);
  return [...candidates.toReversed(), ...from.filter((id) => clientIds.holderOf(id, key) === undefined)];
}

/** Whether an update of an unused ID creates a record, as far as is known. */
function mayCreate({ profile }: PlanContext): boolean {
  return profile['update.unknownId'] !== 'rejected';
}

function notFindable({ kind }: Resource, { profile, clientIds, isOpen }: PlanContext): Blocker {
  const blocked = (why: NotFindable, point?: ProfilePoint) =>
    blockedBy({ code: 'not-findable', why, canProbe: point !== undefined && isOpen(point) });
  if (kind === 'classifier') return blocked('made-up-id');
  if (profile['itemCreate.clientId'] !== 'honoured') return blocked('ids-not-honored', 'itemCreate.clientId');
  return blocked(clientIds.isNamespaceKnown ? 'moved' : 'unproven-namespace', 'update.unknownId');
}
