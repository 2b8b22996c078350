import { addressOf, type Declared, type Kind } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import { type FieldDifference, fields, groupOf } from '../resources/fields.ts';
import { type AnyDeclaration, kinds, operations } from '../resources/registry.ts';
import type { ImportedId } from '../state/model.ts';
import type { PlanContext } from './basis.ts';
import { declaredFields } from './create.ts';
import type { Change } from './model.ts';
import { updateHindrance } from './obstacles.ts';
import { subject } from './subject.ts';

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
    reason: `its id was imported at ${at}, and no answer has confirmed it yet${warnings(kind, written.fields, context)}`,
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
  const all = declaredFields(kind, declared.declaration);
  const sent =
    kind === 'classifier' ? all.filter(({ path }) => path === 'name') : sendable(declared, all, context);
  const desired = kinds[kind].desired(declared.declaration);
  const groups =
    kind === 'classifier' ? ['name'] : [...desired.groups].filter((group) => isSent(group, all, sent));
  const target = fields(
    groups,
    sent.map(({ path, after }) => [path, after] as const),
  );
  const body =
    kind === 'classifier'
      ? { name: target.values.get('name') }
      : kinds[kind].updateBody(target, target.groups, profile, names);
  const request = { method: 'PUT', path: pathOf(operations[kind].update, id), body } as const;
  return { fields: sent, request };
}

/** Assignments go together or not at all: a part of them could take the others away. */
function sendable(
  { declaration, key }: Declared<AnyDeclaration>,
  all: readonly FieldDifference[],
  context: PlanContext,
): readonly FieldDifference[] {
  const ignored = new Set(declaration.lifecycle?.ignoreChanges);
  const hindered = new Set(
    all
      .filter(
        (difference) =>
          updateHindrance(addressOf('item', key), difference, context) ||
          ignored.has(groupOf(difference.path)),
      )
      .map(({ path }) => groupOf(path)),
  );
  return all.filter(({ path }) => !hindered.has(groupOf(path)));
}

/** A group that is declared empty is sent too, unless something of it is left out. */
function isSent(group: string, all: readonly FieldDifference[], sent: readonly FieldDifference[]): boolean {
  const members = (list: readonly FieldDifference[]) =>
    list.filter(({ path }) => groupOf(path) === group).length;
  return members(all) === members(sent);
}

function warnings(kind: Kind, sent: readonly FieldDifference[], { profile }: PlanContext): string {
  const created =
    profile['update.unknownId'] === 'created' ? '; where nobody has this id, it is created' : '';
  const isThumbnailSent = sent.some(({ path }) => path === 'thumbnail');
  if (kind === 'classifier' || isThumbnailSent || profile['itemUpdate.omittedThumbnail'] === 'kept')
    return created;
  return `${created}; no thumbnail is sent, and what becomes of the one that is there is not shown (section 4)`;
}
