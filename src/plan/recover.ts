import { addressOf, type Declared, type ItemDeclaration, type Kind, keyOf } from '../catalog/model.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import type { AnyDeclaration } from '../resources/registry.ts';
import { confirmingUpdate } from './adopt.ts';
import { type Blocker, createBlocker } from './blockers.ts';
import type { PlanContext } from './context.ts';
import { createRequest, declaredFields, subject } from './create.ts';
import type { Change } from './model.ts';
import type { NotFindable } from './reason.ts';
import { suspicion } from './rename-detection.ts';

/**
 * What a lost state knew: an item is looked for under the ids that may have been derived for it,
 * by an update of each, and created only where no record answers. A classifier has no id that could be known.
 */
export function recoveryOf(kind: Kind, declared: Declared<AnyDeclaration>, context: PlanContext): Change {
  const { declaration, key } = declared;
  const fields = declaredFields(kind, declaration);
  const change = { ...subject(kind, declared, null), fields, requests: [] };
  const honours = context.profile['itemCreate.clientId'] === 'honoured';
  const ids = kind === 'item' && honours ? possibleIds(key, declaration as ItemDeclaration, context) : [];
  const [first] = ids;
  const twin = context.suspects.get(change.address);
  const suspected = twin && suspicion(twin, change.address, context);
  if (first === undefined) return { ...change, ...blockedBy(suspected ?? notFindable(kind, context)) };
  const blocker = createBlocker(change.address, fields, context) ?? suspected;
  // Asking could create it, without what it waits for.
  if (blocker && mayCreate(context))
    return { ...change, action: blocker.action, reasons: [blocker.reason, { code: 'may-exist' }] };
  const updates = ids.map((id) => confirmingUpdate(kind, declared, id, context));
  const created = context.clientIds.idFor(key, declaration as ItemDeclaration);
  return {
    ...change,
    remoteId: first,
    fields: updates[0]?.fields ?? [],
    action: 'adopt',
    reasons: [{ code: 'looked-for', creates: !blocker }, ...(blocker ? [blocker.reason] : [])],
    requests: [
      ...updates.map(({ request }) => request),
      ...(blocker ? [] : [createRequest(kind, declaration, created, context)]),
    ],
  };
}

function blockedBy({ action, reason }: Blocker) {
  return { action, reasons: [reason] };
}

/**
 * The latest first. Only where an update of an id that nobody has is refused can several be tried; otherwise the
 * first would be made by the asking, which is right only where there is no other, and where it surely is the id that
 * the item had: under another namespace everything would be made a second time.
 */
function possibleIds(key: string, declaration: ItemDeclaration, context: PlanContext): readonly string[] {
  if (declaration.id !== undefined) return [declaration.id];
  const { clientIds, formerAddresses } = context;
  const from = formerAddresses(addressOf('item', key)).map((address) => keyOf(address));
  const candidates = clientIds.candidatesFor(key);
  if (mayCreate(context)) return from.length > 0 || !clientIds.isNamespaceKnown ? [] : candidates.slice(0, 1);
  const former = from.map((each) => clientIds.derived(each));
  return [...candidates.toReversed(), ...former.filter((id) => clientIds.holderOf(id, key) === undefined)];
}

/** Whether an update of an id that nobody has makes a record of it, as far as anybody knows. */
function mayCreate({ profile }: Pick<PlanContext, 'profile'>): boolean {
  return profile['update.unknownId'] !== 'rejected';
}

function notFindable(kind: Kind, { profile, clientIds, isOpen }: PlanContext): Blocker {
  const blocked = (why: NotFindable, point?: ProfilePoint): Blocker => ({
    action: 'blocked',
    reason: { code: 'not-findable', why, canProbe: point !== undefined && isOpen(point) },
  });
  if (kind === 'classifier') return blocked('made-up-id');
  if (profile['itemCreate.clientId'] !== 'honoured') return blocked('ids-not-honored', 'itemCreate.clientId');
  return blocked(clientIds.isNamespaceKnown ? 'moved' : 'unproven-namespace', 'update.unknownId');
}
