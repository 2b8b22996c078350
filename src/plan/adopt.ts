import { addressOf, type Declared, type Kind } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import { type FieldDifference, fields, groupOf } from '../resources/fields.ts';
import { type AnyDeclaration, kinds, operations } from '../resources/registry.ts';
import type { ImportedId } from '../state/model.ts';
import { updateBlocker } from './blockers.ts';
import type { PlanContext } from './context.ts';
import { declaredFields, subject } from './create.ts';
import type { Change } from './model.ts';
import type { Reason } from './reason.ts';

/**
 * The one update that confirms an imported id: its answer shows the whole record, which nothing
 * else can. A classifier is only written its name, the one field that is documented; what an item declares is sent
 * as far as the profile allows. What else differs is in the plan after it, when the record is known.
 */
export function adoptionOf(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  { id, at }: ImportedId,
  context: PlanContext,
): Change {
  const written = confirmingUpdate(kind, declared, id, context);
  return {
    ...subject(kind, declared, id),
    action: 'adopt',
    fields: written.fields,
    reasons: [importReason(kind, at, declared.declaration, written.fields, context)],
    requests: [written.request],
  };
}

export function confirmingUpdate(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  id: string,
  context: PlanContext,
) {
  const { profile, names } = context;
  const { required, desired } = kinds[kind];
  const all = declaredFields(kind, declared.declaration);
  const sent =
    kind === 'classifier'
      ? all.filter(({ path }) => required.has(groupOf(path)))
      : sendable(declared, all, context);
  const ignored = ignoredGroups(declared.declaration);
  const groups = kind === 'classifier' ? required : desired(declared.declaration).groups;
  const managed = [...groups].filter((group) => required.has(group) || !ignored.has(group));
  const target = fields(
    managed.filter((group) => isSent(group, all, sent)),
    sent.map(({ path, after }) => [path, after] as const),
  );
  const body =
    kind === 'classifier'
      ? { name: target.values.get('name') }
      : kinds[kind].updateBody(target, target.groups, profile, names);
  const request = { method: 'PUT', path: pathOf(operations[kind].update, id), body } as const;
  return { fields: sent, request };
}

/**
 * Assignments go together or not at all: a part of them could take the others away. What every update has to carry
 * goes whether its changes are ignored or not: of an imported record nothing is known that could be repeated.
 */
function sendable(
  { declaration, key }: Declared<AnyDeclaration>,
  all: readonly FieldDifference[],
  context: PlanContext,
): readonly FieldDifference[] {
  const left = ignoredGroups(declaration);
  for (const difference of all) {
    if (updateBlocker(addressOf('item', key), difference, context)) left.add(groupOf(difference.path));
  }
  return all.filter(({ path }) => kinds.item.required.has(groupOf(path)) || !left.has(groupOf(path)));
}

function ignoredGroups({ lifecycle }: AnyDeclaration): Set<string> {
  return new Set(lifecycle?.ignoreChanges);
}

/** A group that is declared empty is sent too, unless something of it is left out. */
function isSent(group: string, all: readonly FieldDifference[], sent: readonly FieldDifference[]): boolean {
  const members = (list: readonly FieldDifference[]) =>
    list.filter(({ path }) => groupOf(path) === group).length;
  return members(all) === members(sent);
}

function importReason(
  kind: Kind,
  at: string,
  declaration: AnyDeclaration,
  sent: readonly FieldDifference[],
  { profile }: PlanContext,
): Reason {
  const isThumbnailSent = sent.some(({ path }) => path === 'thumbnail');
  return {
    code: 'imported',
    at,
    forced: [...ignoredGroups(declaration)].filter((group) => kinds[kind].required.has(group)),
    mayCreate: profile['update.unknownId'] === 'created',
    mayClearThumbnail:
      kind === 'item' && !isThumbnailSent && profile['itemUpdate.omittedThumbnail'] !== 'kept',
  };
}
