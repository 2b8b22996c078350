import type { ItemDeclaration, RangeDeclaration } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import type { CreateItemBody, WireAssignment, WireItem, WireRange } from '../contract/wire.ts';
import { type Assignments, encodeAssignments, optionIds } from './assignments.ts';
import { type FieldDifference, type Fields, fields, groupOf, membersOf, pathsOf } from './fields.ts';
import type { AnswerNames, Names, Obstacle, ResourceKind } from './kind.ts';

/**
 * The fields that declarations, answers and bodies have alike, each with what an absent one stands for. An update always
 * carries them (section 4.2).
 */
const plainFields = { name: undefined, rollNumerator: undefined };
type PlainField = keyof typeof plainFields;
const plainNames = Object.keys(plainFields) as readonly PlainField[];

/** Only the plain fields of a declaration or a body. */
export function plainOf<T extends { readonly [Field in PlainField]?: unknown }>(
  from: T,
): Pick<T, PlainField> {
  const values = plainNames.map((field) => [field, from[field] ?? plainFields[field]]);
  return Object.fromEntries(values) as Pick<T, PlainField>;
}

/** An item: sections 2.1, 4.1 and 4.2. */
export const item: ResourceKind<ItemDeclaration, WireItem> = {
  required: new Set([...plainNames, 'attributes']),
  desired,
  answered,
  obstacle,
  createBody,
  updateBody,
};

/** What an item declares to be assigned, in key order; undefined where it leaves assignments alone. */
function declaredAssignments({ classifiers }: ItemDeclaration): Assignments | undefined {
  if (classifiers === undefined) return undefined;
  const assigned = Object.entries(classifiers).map(
    ([classifier, options]) => [classifier, [options].flat().sort()] as const,
  );
  return new Map(assigned.sort(byKey));
}

function declaredRanges({ attributes = {} }: ItemDeclaration) {
  return Object.entries(attributes).sort(byKey);
}

function desired(declaration: ItemDeclaration): Fields {
  const { thumbnail } = declaration;
  const assignments = declaredAssignments(declaration);
  const assigned = [...(assignments ?? [])].filter(([, options]) => options.length > 0);
  const ranges = declaredRanges(declaration).map(([key, { min, max }]) => [key, { min, max }] as const);
  return fields(
    [
      ...item.required,
      ...(thumbnail === undefined ? [] : ['thumbnail']),
      ...(assignments ? ['classifiers'] : []),
    ],
    [
      ...Object.entries(plainOf(declaration)),
      ...(thumbnail === undefined ? [] : [['thumbnail', thumbnail] as const]),
      ...pathsOf('classifiers', assigned),
      ...pathsOf('attributes', ranges),
    ],
  );
}

function answered(answer: WireItem, names: AnswerNames): Fields {
  const ranges = answer.attributes.map(
    ({ attributeId, min, max }) => [names.attributeKey(attributeId), { min, max }] as const,
  );
  return fields(
    [...item.required, 'thumbnail', 'classifiers'],
    [
      ...Object.entries(plainOf(answer)),
      ['thumbnail', answer.thumbnail],
      ...pathsOf('classifiers', [...answeredAssignments(answer.classifiers, names)].sort(byKey)),
      ...pathsOf('attributes', ranges.sort(byKey)),
    ],
  );
}

/** Grouped by classifier and sorted: the interface promises no order (section 2.1). */
function answeredAssignments(assigned: readonly WireAssignment[], names: AnswerNames): Assignments {
  const grouped = new Map<string, readonly string[]>();
  for (const each of assigned) {
    const { classifier, option } = names.optionOf(each) ?? {
      classifier: each.classifierId,
      option: each.classifierOption.id,
    };
    grouped.set(classifier, [...(grouped.get(classifier) ?? []), option].sort());
  }
  return grouped;
}

/** What an update (section 4.2) can't be trusted to do under this profile. */
function obstacle({ path, before, after }: FieldDifference, profile: Profile): Obstacle | undefined {
  const group = groupOf(path);
  if (group === 'classifiers') return assignmentObstacle(before, after, profile);
  if (group === 'attributes' && after === null) {
    const setting = profile['itemUpdate.attributes'];
    if (setting !== 'replace')
      return { code: 'attribute-removal', point: 'itemUpdate.attributes', isMerged: setting === 'merge' };
  }
  const isCleared =
    profile['itemUpdate.clearThumbnail'] !== 'unsupported' ||
    profile['itemUpdate.omittedThumbnail'] === 'cleared';
  if (group === 'thumbnail' && after === null && !isCleared)
    return { code: 'thumbnail-removal', point: 'itemUpdate.clearThumbnail' };
  return undefined;
}

function assignmentObstacle(before: unknown, after: unknown, profile: Profile): Obstacle | undefined {
  if (profile['itemUpdate.classifierOptionIds'] === 'unsupported')
    return { code: 'assignment-change', point: 'itemUpdate.classifierOptionIds' };
  const [had, kept] = [before, after].map((value) => (Array.isArray(value) ? value : []));
  const setting = profile['itemUpdate.assignments'];
  if (setting === 'replace' || had?.every((option) => kept?.includes(option))) return undefined;
  return { code: 'assignment-removal', point: 'itemUpdate.assignments', isMerged: setting === 'merge' };
}

function createBody(declaration: ItemDeclaration, names: Names, clientId?: string) {
  const { thumbnail, createdAt, updatedAt } = declaration;
  return {
    ...(clientId !== undefined && { id: clientId }),
    ...plainOf(declaration),
    ...(thumbnail !== undefined && { thumbnail }),
    classifierOptionIds: optionIds(declaredAssignments(declaration) ?? new Map(), names) as readonly string[],
    itemAttributes: wireRanges(declaredRanges(declaration), names),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  } satisfies CreateItemBody;
}

function updateBody(target: Fields, managed: ReadonlySet<string>, profile: Profile, names: Names) {
  const thumbnail = thumbnailOfUpdate(target, managed.has('thumbnail'), profile);
  const assignments = target.groups.has('classifiers')
    ? encodeAssignments(new Map(membersOf<readonly string[]>(target, 'classifiers')), profile, names)
    : undefined;
  return {
    ...Object.fromEntries(plainNames.map((field) => [field, target.values.get(field)])),
    attributes: wireRanges(membersOf(target, 'attributes'), names),
    ...(thumbnail !== undefined && { thumbnail }),
    ...(assignments !== undefined && { classifierOptionIds: assignments }),
  };
}

/**
 * A thumbnail that is there is repeated unless an omitted one is known to be kept, since what it becomes is not
 * shown. None is sent only where it is declared, in the one form that the profile names.
 */
function thumbnailOfUpdate(target: Fields, managed: boolean, profile: Profile): unknown {
  const thumbnail = target.values.get('thumbnail');
  if (!managed && profile['itemUpdate.omittedThumbnail'] === 'kept') return undefined;
  if (typeof thumbnail === 'string') return thumbnail;
  const forms = { unsupported: undefined, null: null, empty: '' } as const;
  return managed ? forms[profile['itemUpdate.clearThumbnail']] : undefined;
}

function wireRanges(
  ranges: readonly (readonly [string, RangeDeclaration])[],
  names: Names,
): readonly WireRange[] {
  return ranges.map(([key, { min, max }]) => ({ attributeId: names.attributeId(key), min, max }));
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
