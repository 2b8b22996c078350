import { type Address, addressOf, type Declared, type Kind } from '../catalog/model.ts';
import { REDACTED } from '../contract/limits.ts';
import { pathOf } from '../contract/routes.ts';
import { type FieldDifference, type Fields, groupOf, withDifferences } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import { type AnyDeclaration, kinds, operations } from '../resources/registry.ts';
import type { RecordedRequest, ResourceRecord } from '../state/model.ts';
import { adoptionOf } from './adopt.ts';
import { type Blocker, unseen, updateBlocker } from './blockers.ts';
import type { PlanContext } from './context.ts';
import { createOf, type Subject, subject } from './create.ts';
import { wantedChanges, wasNotTaken } from './differences.ts';
import type { Change, FieldChange } from './model.ts';
import { isSelected } from './options.ts';
import type { Reason } from './reason.ts';
import { recoveryOf } from './recover.ts';
import { suspectedCreate } from './rename-detection.ts';
import { replacementOf } from './replace.ts';
import { forgottenCreate, pendingChange } from './unsettled.ts';

/** The differences of one recorded resource, by what can be done about them. */
interface Partition {
  readonly sendable: readonly FieldDifference[];
  /** Sent before and not taken. */
  readonly diverged: readonly FieldDifference[];
  readonly blocked: readonly { readonly difference: FieldDifference; readonly blocker: Blocker }[];
}

function partition(
  address: Address,
  wanted: readonly FieldDifference[],
  record: ResourceRecord,
  context: PlanContext,
): Partition {
  const diverged = wanted.filter((difference) => wasNotTaken(difference, record));
  const judged = wanted
    .filter((difference) => !diverged.includes(difference))
    .map((difference) => ({ difference, blocker: updateBlocker(address, difference, context) }));
  // A removed assignment may be the declared classifier under its ID, or an earlier record of it: it is held back if the
  // assignment in its place is blocked.
  const heldBack = judged.find(({ difference, blocker }) => blocker && isAssignment(difference))?.blocker;
  const paired = judged.map(({ difference, blocker }) => ({
    difference,
    blocker: blocker ?? (isUndeclaredRemoval(difference, context) ? heldBack : undefined),
  }));
  return {
    sendable: paired.flatMap(({ difference, blocker }) => (blocker ? [] : [difference])),
    diverged,
    blocked: paired.flatMap(({ difference, blocker }) => (blocker ? [{ difference, blocker }] : [])),
  };
}

function isAssignment({ path, after }: FieldDifference): boolean {
  return groupOf(path) === 'classifiers' && after !== null;
}

function isUndeclaredRemoval({ path, after }: FieldDifference, { catalog }: PlanContext): boolean {
  const isRemoval = groupOf(path) === 'classifiers' && after === null;
  return isRemoval && !catalog.classifiers.has(path.slice('classifiers.'.length));
}

/** The changes that make one declared resource so. None: it is as declared. */
export function compareDeclared(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  context: PlanContext,
): readonly Change[] {
  const address = addressOf(kind, declared.key);
  const pending = context.entries.find('pending', address);
  if (pending) return [pendingChange(kind, declared, pending, context)];
  const record = context.entries.find('live', address);
  if (record) return recordedChanges(kind, declared, record, 'update', context);
  const retired = context.entries.find('retired', address);
  const imported = context.entries.find('imported', address);
  if (imported) return [adoptionOf(kind, declared, imported, context)];
  if (retired) return recordedChanges(kind, declared, retired, 'revive', context);
  if (isSelected(context.planOptions.confirmNew, address)) return [createOf(kind, declared, context)];
  const isAbsent = context.state?.recovering?.absent.includes(address);
  if (context.planOptions.recover && !isAbsent) return [recoveryOf(kind, declared, context)];
  return [
    forgottenCreate(kind, declared, context) ??
      suspectedCreate(kind, declared, context) ??
      createOf(kind, declared, context),
  ];
}

function recordedChanges(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  record: ResourceRecord,
  action: 'update' | 'revive',
  context: PlanContext,
): readonly Change[] {
  const address = addressOf(kind, declared.key);
  if (context.replaced.has(address) || context.planOptions.replace.includes(address))
    return [replacementOf(kind, declared, record, context)];
  const changes = changesOf(kind, declared, record, action, context);
  const isBlocked = changes.some(({ action }) => action === 'blocked');
  if (kind === 'classifier' || !isBlocked || declared.declaration.lifecycle?.onBlocked !== 'replace')
    return changes;
  const replacement = replacementOf(kind, declared, record, context);
  return replacement.action === 'replace' ? [replacement] : changes;
}

function changesOf(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  recorded: ResourceRecord,
  action: 'update' | 'revive',
  context: PlanContext,
): readonly Change[] {
  const address = addressOf(kind, declared.key);
  const reasserted = isSelected(context.planOptions.reassert, address);
  const record = reasserted ? withoutDiverged(recorded) : recorded;
  const before = knownFields(kind, record, context.names);
  const desired = kinds[kind].desired(declared.declaration);
  const wanted = wantedChanges(kind, declared, record, context);
  const parts = partition(address, wanted, record, context);
  const about = subject(kind, declared, record.id);
  const changes: Change[] = [...blockedChanges(about, parts, context)];
  if (parts.sendable.length > 0 || action === 'revive' || record.unconfirmed || reasserted) {
    // An option that was renamed and not taken is still assigned by its old name: to send the new one again could take
    // it from its items.
    const repeated = parts.diverged.filter(({ path }) => groupOf(path) !== 'options');
    const target = withDifferences(before, [...parts.sendable, ...repeated]);
    const body = kinds[kind].updateBody(target, desired.groups, context.profile, context.names);
    const paths = redactedIn(body, target, desired);
    if (paths.length > 0)
      return [
        withheld(about, [...parts.sendable, ...parts.blocked.map(({ difference }) => difference)], paths),
      ];
    const request = { method: 'PUT', path: pathOf(operations[kind].update, record.id), body } as const;
    changes.push(updateOf(about, action, parts, recorded, request));
  } else if (parts.diverged.length > 0) {
    const fields = parts.diverged.map(asDiverged);
    changes.push({
      ...about,
      action: 'unchanged',
      fields,
      requests: [],
      reasons: [{ code: 'not-taken', canBeSent: canBeSent(address, parts.diverged, context) }],
    });
  }
  return changes;
}

/** The fields that a body would repeat as they were answered, with a mark where a credential stood. */
function redactedIn(body: object, target: Fields, desired: Fields): readonly string[] {
  const isRedacted = (value: unknown) => JSON.stringify(value)?.includes(REDACTED) === true;
  if (!isRedacted(body)) return [];
  return [...target.values].flatMap(([path, value]) =>
    isRedacted(value) && !isRedacted(desired.values.get(path)) ? [path] : [],
  );
}

function withheld(about: Subject, fields: readonly FieldChange[], paths: readonly string[]): Change {
  return { ...about, action: 'blocked', fields, requests: [], reasons: [{ code: 'redacted', paths }] };
}

/** What was sent with a create can't always be sent with an update. */
function canBeSent(address: Address, diverged: readonly FieldDifference[], context: PlanContext): boolean {
  return diverged.some((each) => updateBlocker(address, each, context) === undefined);
}

function withoutDiverged({ diverged: _, ...record }: ResourceRecord): ResourceRecord {
  return record;
}

function updateOf(
  about: Subject,
  action: 'update' | 'revive',
  { sendable, diverged }: Partition,
  record: ResourceRecord,
  request: RecordedRequest,
): Change {
  const { unconfirmed } = record;
  const isNew = sendable.some((difference) => !wasNotTaken(difference, record));
  return {
    ...about,
    // Nothing is new against the last answer, which an update or somebody else may have made untrue since.
    action: action === 'update' && !isNew ? 'reassert' : action,
    fields: [...sendable, ...diverged.map(asDiverged)],
    requests: [request],
    ...(unconfirmed && { reasons: [{ code: 'update-unseen', ...unseen(unconfirmed) }] }),
  };
}

function asDiverged(difference: FieldDifference): FieldChange {
  return { ...difference, diverged: true };
}

function distinct(reasons: readonly Reason[]): readonly Reason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

/** At most one blocked and one waiting change a resource, each with every reason once. */
function blockedChanges(about: Subject, { blocked }: Partition, context: PlanContext): readonly Change[] {
  return (['blocked', 'waiting'] as const).flatMap((action) => {
    const found = blocked.filter(({ blocker }) => blocker.action === action);
    if (found.length === 0) return [];
    const reasons = distinct(found.map(({ blocker }) => blocker.reason));
    const all = found.map(({ difference }) => difference);
    const named = all.filter((difference) => !isNameless(about.address, difference, context));
    const fields = named.length > 0 ? named : all;
    return [{ ...about, fields, requests: [], action, reasons }];
  });
}

/** An assignment that goes by an id: it says nothing beside the declared classifier that it probably belongs to. */
function isNameless(address: Address, { path }: FieldDifference, { entries }: PlanContext): boolean {
  const { answer } = entries.find('live', address) ?? {};
  if (!answer || !('classifiers' in answer)) return false;
  return answer.classifiers.some(({ classifierId }) => path === `classifiers.${classifierId}`);
}
