import { type Address, type Kind, keyOf, kindOf } from '../catalog/model.ts';
import { isRecordId, pathOf, REDACTED } from '../contract/api.ts';
import {
  differences,
  type FieldDifference,
  type Fields,
  groupOf,
  withDifferences,
} from '../resources/fields.ts';
import { isDeclared, kinds, knownFields, operations } from '../resources/registry.ts';
import { forgottenIds, type Holding } from '../state/entry.ts';
import type { EntryOf, ResourceRecord } from '../state/model.ts';
import { adoptionOf, recoveryOf } from './adopt.ts';
import { updateBlocker } from './blockers.ts';
import {
  type Draft,
  draftOf,
  isRepeated,
  type Resource,
  stopped,
  unseen,
  unseenUpdate,
  wasNotTaken,
} from './change.ts';
import type { PlanContext } from './context.ts';
import { createOf, pendingChange, replacementOf } from './create.ts';
import type { Change } from './model.ts';
import { isSelected, namedIn } from './options.ts';
import { type Blocker, blockedBy, type Reason } from './reason.ts';

/** The changes that make one declared resource so. None: it is as declared. */
export function compareDeclared(resource: Resource, context: PlanContext): readonly Change[] {
  const { address } = resource;
  const { entries, planOptions, state, suspects } = context;
  const pending = entries.find('pending', address);
  if (pending) return [pendingChange(resource, pending, context)];
  const live = entries.find('live', address);
  if (live) return recordedChanges(resource, live, context);
  const imported = entries.find('imported', address);
  if (imported) return [otherRecord(resource, imported, context) ?? adoptionOf(resource, imported, context)];
  const retired = entries.find('retired', address);
  if (retired) return recordedChanges(resource, retired, context);
  if (isSelected(planOptions.confirmNew, address)) return [createOf(resource, context)];
  const isAbsent = state?.recovering?.absent.includes(address);
  if (planOptions.recover && !isAbsent) return [recoveryOf(resource, context)];
  const doubt = forgottenId(address, context) ?? suspects.get(address);
  return [doubt ? stopped(draftOf(resource, null), doubt) : createOf(resource, context)];
}

/**
 * Who lets go of an id need not be who applies, and the record is probably still there, so it waits for one more word.
 * The same goes for what was let go of under a key that `moved` has renamed since, unless another address has the id now.
 */
function forgottenId(address: Address, { entries, formerAddresses }: PlanContext): Blocker | undefined {
  for (const each of [address, ...formerAddresses(address)]) {
    const forgotten = entries.find('forgotten', each);
    const id = forgottenIds(forgotten).find((known) => !entries.holderOf(kindOf(address), known));
    if (forgotten && id !== undefined) return blockedBy({ code: 'forgotten', id, at: forgotten.at });
  }
  return undefined;
}

/** An update that seems to have made another record would make one more each time: it is only sent again by name. */
function otherRecord(resource: Resource, recorded: Holding, context: PlanContext): Change | undefined {
  const { address, id, unconfirmed } = recorded;
  const answered = context.entries.madeBy(recorded);
  if (answered === undefined || namedIn(context.planOptions.reassert).includes(address)) return undefined;
  const next = nextOfOther(address, answered, context);
  const other: Reason = { code: 'other-record', id, answered, ...(next && { next }) };
  return { ...draftOf(resource, id, []), action: 'unknown', reasons: [other, ...unseenUpdate(unconfirmed)] };
}

/** A pending create may have made it, so that comes first; and the state finds no address that is still to be renamed. */
function nextOfOther(address: Address, id: string, { unsettled, renamed }: PlanContext) {
  if (unsettled.has(kindOf(address))) return 'resolve';
  return isRecordId(id) && !renamed.has(address) ? 'import' : undefined;
}

type Partition = ReturnType<typeof partition>;

/** The differences of one recorded resource, by what can be done about them. `diverged`: sent before and not taken. */
function partition(resource: Resource, record: ResourceRecord, isReasserted: boolean, context: PlanContext) {
  const { kind, address, desired, ignored } = resource;
  const found = differences(knownFields(kind, record, context.names), desired);
  const wanted = found.filter(({ path }) => !ignored.includes(groupOf(path)));
  const diverged = wanted.filter((difference) => !isReasserted && wasNotTaken(difference, record));
  const judged = wanted
    .filter((difference) => !diverged.includes(difference))
    .map((difference) => ({ difference, blocker: updateBlocker(address, difference, context) }));
  // A removed assignment may be the declared classifier under its ID, or an earlier record of it: it is held back if the
  // assignment in its place is blocked.
  const heldBack = judged.find(
    ({ difference: { path, after }, blocker }) =>
      blocker && groupOf(path) === 'classifiers' && after !== null,
  )?.blocker;
  const paired = judged.map(({ difference, blocker }) => ({
    difference,
    blocker: blocker ?? (isUndeclaredRemoval(difference, context) ? heldBack : undefined),
  }));
  return {
    sendable: paired.flatMap(({ difference, blocker }) => (blocker ? [] : [difference])),
    diverged: diverged.map((difference) => ({ ...difference, diverged: true })),
    blocked: paired.flatMap(({ difference, blocker }) => (blocker ? [{ difference, blocker }] : [])),
  };
}

function isUndeclaredRemoval({ path, after }: FieldDifference, { catalog }: PlanContext): boolean {
  return groupOf(path) === 'classifiers' && after === null && !catalog.classifiers.has(keyOf(path));
}

/** What an update can carry, and what it can't, for which a new record may take the place of this one. */
function recordedChanges(resource: Resource, record: Recorded, context: PlanContext): readonly Change[] {
  const { address, declaration } = resource;
  const { planOptions } = context;
  if (planOptions.replace.includes(address)) return [replacementOf(resource, record, context)];
  const isReasserted = isSelected(planOptions.reassert, address);
  const parts = partition(resource, record, isReasserted, context);
  const { sendable, blocked } = parts;
  const suspected = context.suspects.get(address);
  if (suspected) {
    const unsent = [...sendable, ...blocked.map(({ difference }) => difference)];
    return [stopped(draftOf(resource, record.id, unsent), suspected, ...unseenUpdate(record.unconfirmed))];
  }
  const other = otherRecord(resource, record, context);
  if (other) return [other];
  const isSent = sendable.length > 0 || record.status === 'retired' || record.unconfirmed || isReasserted;
  const update = isSent
    ? updateOf(resource, record, parts, context)
    : notTaken(resource, record, parts, context);
  // What is only written once more, and can't be, is no reason for a new record.
  const isBlocked = blocked.some(
    ({ difference, blocker }) => blocker.action === 'blocked' && !wasNotTaken(difference, record),
  );
  if ((isBlocked || update?.action === 'blocked') && declaration.lifecycle?.onBlocked === 'replace') {
    const replacement = replacementOf(resource, record, context);
    if (replacement.action === 'replace') return [replacement];
  }
  // One that can't be sent stands for everything.
  if (update?.action === 'blocked') return [update];
  return [...blockedChanges(resource, record, parts), ...(update ? [update] : [])];
}

type Recorded = EntryOf<'live' | 'retired'>;

/** Nothing to send, but perhaps something that was sent and not taken. */
function notTaken(
  resource: Resource,
  { id }: Recorded,
  { diverged }: Partition,
  context: PlanContext,
): Change | undefined {
  if (diverged.length === 0) return undefined;
  // What was sent with a create can't always be sent with an update.
  const canBeSent = diverged.some((each) => !updateBlocker(resource.address, each, context));
  const reasons = [{ code: 'not-taken', canBeSent } as const];
  return { ...draftOf(resource, id, diverged), action: 'unchanged', reasons };
}

function updateOf(
  resource: Resource,
  record: Recorded,
  { sendable, diverged, blocked }: Partition,
  context: PlanContext,
): Change {
  const { kind, desired } = resource;
  const { id, unconfirmed } = record;
  const known = knownFields(kind, record, context.names);
  const repeated = diverged.filter((difference) => isRepeated(difference, known));
  const target = withDifferences(known, [...sendable, ...repeated]);
  const body = kinds[kind].updateBody(target, desired.groups, context.profile, context.names);
  const paths = redactedIn(body, target, desired);
  if (paths.length > 0) {
    const unsent = [...sendable, ...blocked.map(({ difference }) => difference)];
    return stopped(draftOf(resource, id, unsent), blockedBy({ code: 'redacted', paths }));
  }
  // Nothing is new against the last answer, which an update or an edit elsewhere may have made untrue since.
  const isNew = sendable.some((difference) => !wasNotTaken(difference, record));
  return {
    ...draftOf(resource, id, [...sendable, ...diverged]),
    action: record.status === 'retired' ? 'revive' : isNew ? 'update' : 'reassert',
    requests: [{ method: 'PUT', path: pathOf(operations[kind].update, id), body }],
    ...(unconfirmed && { reasons: unseenUpdate(unconfirmed) }),
  };
}

/** The fields that a body would repeat as they were answered, with a mark where a credential stood. */
function redactedIn(body: object, target: Fields, desired: Fields): readonly string[] {
  const isRedacted = (value: unknown) => JSON.stringify(value)?.includes(REDACTED) === true;
  if (!isRedacted(body)) return [];
  return [...target.values].flatMap(([path, value]) =>
    isRedacted(value) && !isRedacted(desired.values.get(path)) ? [path] : [],
  );
}

/** At most one blocked and one waiting change a resource, each with every reason once. */
function blockedChanges(
  resource: Resource,
  { id, answer }: ResourceRecord,
  { blocked }: Partition,
): readonly Change[] {
  // An assignment that goes by an id says nothing beside the declared classifier that it probably belongs to.
  const nameless = 'classifiers' in answer ? answer.classifiers.map((each) => each.classifierId) : [];
  return (['blocked', 'waiting'] as const).flatMap((action) => {
    const found = blocked.filter(({ blocker }) => blocker.action === action);
    if (found.length === 0) return [];
    const reasons = new Map(found.map(({ blocker: { reason } }) => [JSON.stringify(reason), reason]));
    const all = found.map(({ difference }) => difference);
    const named = all.filter(({ path }) => !nameless.some((each) => path === `classifiers.${each}`));
    const draft = draftOf(resource, id, named.length > 0 ? named : all);
    return [{ ...draft, action, reasons: [...reasons.values()] }];
  });
}

/** What is known of one kind and no longer declared. Nothing is sent for it, since there is no delete. */
export function compareUndeclared(kind: Kind, context: PlanContext): readonly Change[] {
  const { catalog, entries, selected } = context;
  const gone = <Entry extends { readonly address: Address }>(all: readonly Entry[]) =>
    all.filter(
      ({ address }) => kindOf(address) === kind && !isDeclared(catalog, address) && selected(address),
    );
  return [
    ...gone(entries.all('pending')).map((pending): Change => {
      const draft = draftOfGone(pending.address, null, pending.request.body.name);
      const reasons = [{ code: 'create-unseen', ...unseen(pending), isProtected: false } as const];
      return { ...draft, action: 'unknown', reasons };
    }),
    // There is no answer yet that could be kept with a retired id.
    ...gone(entries.all('imported')).map(({ address, id, unconfirmed }) =>
      stopped(
        draftOfGone(address, id),
        blockedBy({ code: 'import-undeclared' }),
        ...unseenUpdate(unconfirmed),
      ),
    ),
    ...gone(entries.all('live')).map((record) => retirement(record, context)),
  ];
}

/** The id stays recorded, and the record stays in the service. */
function retirement({ address, id, answer, protect }: EntryOf<'live'>, { suspects }: PlanContext): Change {
  const draft = draftOfGone(address, id, answer.name);
  const isProtected = protect && blockedBy({ code: 'protected', against: 'retirement' });
  const blocker = isProtected || suspects.get(address);
  return blocker ? stopped(draft, blocker) : { ...draft, action: 'retire' };
}

/** `name` is what was recorded of it, where that was a text. */
function draftOfGone(address: Address, remoteId: string | null, name?: unknown): Draft {
  const named = typeof name === 'string' && { name };
  const about = { address, kind: kindOf(address), key: keyOf(address), ...named, remoteId };
  return { ...about, fields: [], requests: [], source: null };
}
