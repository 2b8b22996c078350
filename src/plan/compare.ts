import { addressOf, type Declared, type ItemDeclaration, type Kind } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import { differences, type FieldDifference, groupOf, withDifferences } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import { type AnyDeclaration, kinds, operations } from '../resources/registry.ts';
import type { PendingCreate, RecordedRequest, ResourceRecord, UnconfirmedUpdate } from '../state/model.ts';
import type { PlanContext } from './context.ts';
import type { Change, FieldChange } from './model.ts';
import { createHindrance, type Hindrance, unresolvedCreate } from './obstacles.ts';
import { type Partition, partition } from './partition.ts';

type Subject = Pick<Change, 'address' | 'kind' | 'key' | 'remoteId' | 'source'>;

/** The changes that make one declared resource so. None: it is as declared. */
export function compareDeclared(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  context: PlanContext,
): readonly Change[] {
  const address = addressOf(kind, declared.key);
  const pending = context.pending.get(address);
  if (pending && !settlesItself(pending, kind, declared, context)) {
    const about = subject(kind, declared, null);
    return [{ ...about, action: 'unknown', fields: [], requests: [], ...unresolvedCreate(pending, context) }];
  }
  const record = context.state?.resources[address];
  if (record) return changesOf(kind, declared, record, 'update', context);
  const retired = context.retired.get(address);
  if (retired) return changesOf(kind, declared, retired, 'revive', context);
  return [createOf(kind, declared, context)];
}

/** The same id again leaves one record, where the service is known to honour ids. */
function settlesItself(
  { request, answer }: PendingCreate,
  kind: Kind,
  { key, declaration }: Declared<AnyDeclaration>,
  { clientIds }: PlanContext,
): boolean {
  if (kind !== 'item' || !clientIds.honoured || answer !== undefined) return false;
  return request.body.id === clientIds.idFor(key, declaration as ItemDeclaration);
}

function subject(kind: Kind, declared: Declared<AnyDeclaration>, remoteId: string | null): Subject {
  const { source, start } = declared.document.locate(declared.path, 'key');
  const { line, column } = source.positionAt(start);
  return {
    address: addressOf(kind, declared.key),
    kind,
    key: declared.key,
    remoteId,
    source: { file: source.path, line, column },
  };
}

function createOf(kind: Kind, declared: Declared<AnyDeclaration>, context: PlanContext): Change {
  const { declaration, key } = declared;
  const fields = [...kinds[kind].desired(declaration).values].map(([path, after]) => ({
    path,
    before: null,
    after,
  }));
  const change = { ...subject(kind, declared, null), fields, requests: [] };
  const hindrance = createHindrance(fields, context) ?? heldId(kind, declared, context);
  if (hindrance) return { ...change, ...hinderedBy(hindrance) };
  const clientId = kind === 'item' ? context.clientIds.idFor(key, declaration as ItemDeclaration) : undefined;
  const body = kinds[kind].createBody(declaration, context.names, clientId);
  return {
    ...change,
    action: 'create',
    ...(context.pending.has(change.address) && {
      reason: 'settles an interrupted create: the same id is sent again, which leaves one record',
    }),
    requests: [{ method: 'POST', path: pathOf(operations[kind].create), body }],
  };
}

function changesOf(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  record: ResourceRecord,
  action: 'update' | 'revive',
  context: PlanContext,
): readonly Change[] {
  const before = kinds[kind].answered(record.answer, context.names, record.options);
  const ignored = new Set(declared.declaration.lifecycle?.ignoreChanges);
  const desired = kinds[kind].desired(declared.declaration);
  const wanted = differences(before, desired).filter(({ path }) => !ignored.has(groupOf(path)));
  const parts = partition(kind, wanted, record, context);
  const about = subject(kind, declared, record.id);
  const changes: Change[] = [...hinderedChanges(about, parts)];
  if (parts.sendable.length > 0 || action === 'revive' || record.unconfirmed) {
    const target = withDifferences(before, [...parts.sendable, ...parts.diverged]);
    const body = kinds[kind].updateBody(target, desired.groups, context.profile, context.names);
    const request = { method: 'PUT', path: pathOf(operations[kind].update, record.id), body } as const;
    changes.push(updateOf(about, action, parts, record, request));
  } else if (parts.diverged.length > 0) {
    changes.push({ ...about, action: 'unchanged', fields: parts.diverged.map(asDiverged), requests: [] });
  }
  return changes;
}

function updateOf(
  about: Subject,
  action: 'update' | 'revive',
  { sendable, diverged }: Partition,
  { unconfirmed }: ResourceRecord,
  request: RecordedRequest,
): Change {
  return {
    ...about,
    // Nothing differs from the last answer, which an update after it may have made untrue.
    action: action === 'update' && sendable.length === 0 ? 'reassert' : action,
    fields: [...sendable, ...diverged.map(asDiverged)],
    requests: [request],
    ...(unconfirmed && { reason: unconfirmedReason(unconfirmed) }),
  };
}

/** A declared id that another address has, or waits for, would make one record of two resources. */
function heldId(
  kind: Kind,
  { key, declaration }: Declared<AnyDeclaration>,
  { clientIds }: PlanContext,
): Hindrance | undefined {
  const { id } = declaration as ItemDeclaration;
  const holder = kind === 'item' && id !== undefined ? clientIds.holderOf(id, key) : undefined;
  if (holder === undefined) return undefined;
  const reason = `its id ${id} is recorded for ${holder}, and one record can't be two resources`;
  const move = `if it is the same item under a new key, add to the catalog: moved: [{ from: ${holder}, to: item.${key} }]`;
  return { kind: 'blocked', reason, remedies: [move, 'otherwise give it another id, or none'] };
}

function unconfirmedReason({
  at,
  reason = 'the run ended before an answer came',
}: UnconfirmedUpdate): string {
  return `an update was sent at ${at} and its outcome was not seen: ${reason}`;
}

function asDiverged(difference: FieldDifference): FieldChange {
  return { ...difference, diverged: true };
}

/** At most one blocked and one waiting change a resource, each with every reason once. */
function hinderedChanges(about: Subject, { hindered }: Partition): readonly Change[] {
  return (['blocked', 'waiting'] as const).flatMap((kind) => {
    const found = hindered.filter(({ hindrance }) => hindrance.kind === kind);
    if (found.length === 0) return [];
    const reasons = [...new Set(found.map(({ hindrance }) => hindrance.reason))].join('; ');
    const remedies = [...new Set(found.flatMap(({ hindrance }) => hindrance.remedies))];
    const fields = found.map(({ difference }) => difference);
    return [{ ...about, fields, requests: [], ...hinderedBy({ kind, reason: reasons, remedies }) }];
  });
}

function hinderedBy({
  kind,
  reason,
  remedies,
}: Hindrance): Obstacle & { readonly action: 'blocked' | 'unknown' } {
  return { action: kind === 'blocked' ? 'blocked' : 'unknown', reason, remedies };
}
