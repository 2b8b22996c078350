import type { ItemDeclaration, RangeDeclaration } from '../catalog/model.ts';
import type { CreateItemBody, WireAssignment, WireItem, WireRange } from '../contract/api.ts';
import type { Profile } from '../contract/profile.ts';
import {
  type AnswerNames,
  type FieldDifference,
  type Fields,
  fields,
  groupOf,
  type Members,
  membersOf,
  type Names,
  type Obstacle,
  pathsOf,
  type Reference,
  type ResourceKind,
  referenceAsKey,
} from './fields.ts';

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
  if (after !== null) return undefined;
  const setting = profile['itemUpdate.attributes'];
  if (group === 'attributes' && setting !== 'replace')
    return { code: 'attribute-removal', point: 'itemUpdate.attributes', isMerged: setting === 'merge' };
  const isCleared = profile['itemUpdate.omittedThumbnail'] === 'cleared';
  if (group === 'thumbnail' && profile['itemUpdate.clearThumbnail'] === 'unsupported' && !isCleared)
    return { code: 'thumbnail-removal', point: 'itemUpdate.clearThumbnail' };
  return undefined;
}

function assignmentObstacle(before: unknown, after: unknown, profile: Profile): Obstacle | undefined {
  if (profile['itemUpdate.classifierOptionIds'] === 'unsupported')
    return { code: 'assignment-change', point: 'itemUpdate.classifierOptionIds' };
  const kept: readonly unknown[] = Array.isArray(after) ? after : [];
  const removes = Array.isArray(before) && before.some((option) => !kept.includes(option));
  const setting = profile['itemUpdate.assignments'];
  if (!removes || setting === 'replace') return undefined;
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

function wireRanges(ranges: Members<RangeDeclaration>, names: Names): readonly WireRange[] {
  return ranges.map(([key, { min, max }]) => ({ attributeId: names.attributeId(key), min, max }));
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}

/** Classifier key to the keys of the options assigned. */
export type Assignments = ReadonlyMap<string, readonly string[]>;

type Shape = Exclude<Profile['itemUpdate.classifierOptionIds'], 'unsupported'>;

/** Section 4.2 says "object" and does not show the shape of its values; the profile names one of these. */
const encoders: Record<Shape, (assignments: Assignments, names: Names) => Record<string, unknown>> = {
  'by-classifier': (assignments, names) => {
    const byId = new Map<string, readonly Reference[]>();
    // An option that no key has goes under the ID of its classifier, which may go by a key, too.
    for (const [classifier, options] of assignments) {
      const ids = options.map((option) => names.optionId(classifier, option));
      const id = referenceAsKey(names.classifierId(classifier));
      byId.set(id, [...(byId.get(id) ?? []), ...ids]);
    }
    return Object.fromEntries(byId);
  },
  'by-option': (assignments, names) =>
    Object.fromEntries(optionIds(assignments, names).map((id) => [referenceAsKey(id), true])),
  'by-index': (assignments, names) =>
    Object.fromEntries(optionIds(assignments, names).map((id, index) => [String(index), id])),
};

/** The object of an item update; undefined where the profile names no shape, so that nothing is sent. */
export function encodeAssignments(assignments: Assignments, profile: Profile, names: Names) {
  const shape = profile['itemUpdate.classifierOptionIds'];
  return shape === 'unsupported' ? undefined : encoders[shape](assignments, names);
}

/** The flat list of an item create (section 4.1). */
function optionIds(assignments: Assignments, names: Names): readonly Reference[] {
  return [...assignments].flatMap(([classifier, options]) =>
    options.map((option) => names.optionId(classifier, option)),
  );
}
