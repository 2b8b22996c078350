import { addressOf, type Declared, type ItemDeclaration, type Kind, kindOf } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import type { Environment } from '../environment/model.ts';
import { differences } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import { type AnyDeclaration, kinds, operations } from '../resources/registry.ts';
import type { PendingCreate, RecordedRequest, State } from '../state/model.ts';
import { type Blocker, createBlocker, unseen } from './blockers.ts';
import { clientIds } from './client-id.ts';
import type { PlanContext } from './context.ts';
import type { Change, FieldChange } from './model.ts';

/** What a change is about: which resource, which record, and where it is declared. */
export type Subject = Pick<Change, 'address' | 'kind' | 'key' | 'name' | 'remoteId' | 'source'>;

export function subject(kind: Kind, declared: Declared<AnyDeclaration>, remoteId: string | null): Subject {
  const { source, start } = declared.document.locate(declared.path, 'key');
  const { line, column } = source.positionAt(start);
  return {
    address: addressOf(kind, declared.key),
    kind,
    key: declared.key,
    name: declared.declaration.name,
    remoteId,
    source: { file: source.path, line, column },
  };
}

/** The first record of a resource, or the same one again where an earlier create of it was cut short. */
export function createOf(kind: Kind, declared: Declared<AnyDeclaration>, context: PlanContext): Change {
  const { declaration, key } = declared;
  const fields = declaredFields(kind, declaration);
  const change = { ...subject(kind, declared, null), fields, requests: [] };
  const pending = context.entries.find('pending', change.address);
  const blocker = createBlocker(change.address, fields, context) ?? heldId(kind, declared, context);
  if (blocker) return { ...change, action: blocker.action, reasons: [blocker.reason] };
  if (pending) return settlement(change, declared, pending, context);
  const id = kind === 'item' ? context.clientIds.idFor(key, declaration as ItemDeclaration) : undefined;
  return { ...change, action: 'create', requests: [createRequest(kind, declaration, id, context)] };
}

/** The same create once more. Where there is a record already, it was to be replaced, and still is. */
function settlement(
  change: Omit<Change, 'action'>,
  { declaration }: Declared<AnyDeclaration>,
  pending: PendingCreate,
  context: PlanContext,
): Change {
  const { kind, address } = change;
  const requests = [createRequest(kind, declaration, String(pending.request.body.id), context)];
  const record = context.entries.find('live', address);
  const repeated = { code: 'create-repeated', ...unseen(pending) } as const;
  if (!record) return { ...change, action: 'create', reasons: [repeated], requests };
  const before = knownFields(kind, record, context.names);
  return {
    ...change,
    action: 'replace',
    remoteId: record.id,
    fields: differences(before, kinds[kind].desired(declaration)),
    reasons: [repeated, { code: 'replaced', id: record.id }],
    requests,
  };
}

export function createRequest(
  kind: Kind,
  declaration: AnyDeclaration,
  clientId: string | undefined,
  { names }: PlanContext,
): RecordedRequest {
  const body = kinds[kind].createBody(declaration, names, clientId);
  return { method: 'POST', path: pathOf(operations[kind].create), body };
}

/** Everything that is declared, as changes from nothing. */
export function declaredFields(kind: Kind, declaration: AnyDeclaration): readonly FieldChange[] {
  return [...kinds[kind].desired(declaration).values].map(([path, after]) => ({ path, before: null, after }));
}

/** A declared id that another address has, or waits for, would make one record of two resources. */
export function heldId(
  kind: Kind,
  { key, declaration }: Declared<AnyDeclaration>,
  { clientIds }: PlanContext,
): Blocker | undefined {
  const { id } = declaration as ItemDeclaration;
  const holder = kind === 'item' && id !== undefined ? clientIds.holderOf(id, key) : undefined;
  if (id === undefined || holder === undefined) return undefined;
  return { action: 'blocked', reason: { code: 'id-held', id, holder } };
}

/** Whether a pending create can be sent once more with its id: `perhaps` while nobody knows what the service does. */
export type SameIdAgain = 'settles' | 'perhaps' | 'never';

const byKnowledge = { honoured: 'settles', unknown: 'perhaps', ignored: 'never' } as const;

export function sameIdAgain(
  { address, answer, otherId, request }: PendingCreate,
  { idNamespace, profile }: Environment,
  state: State | undefined,
): SameIdAgain {
  const isOpen = answer === undefined && otherId === undefined;
  if (kindOf(address) !== 'item' || !isOpen || typeof request.body.id !== 'string') return 'never';
  return byKnowledge[clientIds(idNamespace, profile, state).knowledge];
}
