import type { ItemDeclaration, RangeDeclaration } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import type { CreateItemBody, WireAssignment, WireItem, WireRange } from '../contract/wire.ts';
import { type Assignments, encodeAssignments, optionIds } from './assignments.ts';
import { type FieldDifference, type Fields, fields, membersOf } from './fields.ts';
import { itemObstacle } from './item-obstacle.ts';
import type { AnswerNames, Names, ResourceKind } from './kind.ts';

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
  kind: 'item',
  required: new Set([...plainNames, 'attributes']),
  desired,
  answered,
  obstacle: (difference: FieldDifference, profile: Profile) => itemObstacle(difference, profile),
  createBody,
  updateBody,
};

/** What an item declares to be assigned, in key order; undefined where it leaves assignments alone. */
function declaredAssignments(declaration: ItemDeclaration): Assignments | undefined {
  if (declaration.classifiers === undefined) return undefined;
  return new Map(
    Object.entries(declaration.classifiers)
      .map(([classifier, options]) => [classifier, [...asList(options)].sort()] as const)
      .sort(byKey),
  );
}

function desired(declaration: ItemDeclaration): Fields {
  const values: [string, unknown][] = Object.entries(plainOf(declaration));
  const groups: string[] = [...plainNames, 'attributes'];
  if (declaration.thumbnail !== undefined) {
    groups.push('thumbnail');
    values.push(['thumbnail', declaration.thumbnail]);
  }
  const assignments = declaredAssignments(declaration);
  if (assignments) {
    groups.push('classifiers');
    for (const [classifier, options] of assignments) {
      if (options.length > 0) values.push([`classifiers.${classifier}`, options]);
    }
  }
  for (const [key, range] of Object.entries(declaration.attributes ?? {}).sort(byKey)) {
    values.push([`attributes.${key}`, { min: range.min, max: range.max }]);
  }
  return fields(groups, values);
}

function answered(answer: WireItem, names: AnswerNames): Fields {
  return fields(
    [...plainNames, 'thumbnail', 'classifiers', 'attributes'],
    [
      ...Object.entries(plainOf(answer)),
      ['thumbnail', answer.thumbnail],
      ...answeredAssignments(answer.classifiers, names),
      ...answer.attributes
        .map(
          ({ attributeId, min, max }) =>
            [`attributes.${names.attributeKey(attributeId)}`, { min, max }] as const,
        )
        .sort(byKey),
    ],
  );
}

/** Grouped by classifier and sorted: the interface promises no order (section 2.1). */
function answeredAssignments(assigned: readonly WireAssignment[], names: AnswerNames) {
  const grouped = new Map<string, string[]>();
  for (const { classifierId, classifierOption } of assigned) {
    const known = names.optionOf({ classifierId, classifierOption });
    const path = `classifiers.${known?.classifier ?? classifierId}`;
    const options = grouped.get(path);
    const option = known?.option ?? classifierOption.id;
    if (options) options.push(option);
    else grouped.set(path, [option]);
  }
  return [...grouped].map(([path, options]) => [path, options.sort()] as const).sort(byKey);
}

function createBody(declaration: ItemDeclaration, names: Names, clientId?: string) {
  const { thumbnail, createdAt, updatedAt } = declaration;
  const ranges = Object.entries(declaration.attributes ?? {}).sort(byKey);
  const body = {
    ...(clientId !== undefined && { id: clientId }),
    ...plainOf(declaration),
    ...(thumbnail !== undefined && { thumbnail }),
    classifierOptionIds: optionIds(declaredAssignments(declaration) ?? new Map(), names) as readonly string[],
    itemAttributes: ranges.map(([key, range]) => wireRange(key, range, names)),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  } satisfies CreateItemBody;
  return body;
}

function updateBody(target: Fields, managed: ReadonlySet<string>, profile: Profile, names: Names) {
  const ranges = membersOf(target, 'attributes') as readonly (readonly [string, RangeDeclaration])[];
  const thumbnail = thumbnailOfUpdate(target, managed.has('thumbnail'), profile);
  const assignments = target.groups.has('classifiers')
    ? encodeAssignments(assignmentsOf(target), profile, names)
    : undefined;
  return {
    ...Object.fromEntries(plainNames.map((field) => [field, target.values.get(field)])),
    attributes: ranges.map(([key, range]) => wireRange(key, range, names)),
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
  if (!managed) return undefined;
  if (profile['itemUpdate.clearThumbnail'] === 'null') return null;
  return profile['itemUpdate.clearThumbnail'] === 'empty' ? '' : undefined;
}

function assignmentsOf(target: Fields): Assignments {
  return new Map(membersOf(target, 'classifiers') as readonly (readonly [string, readonly string[]])[]);
}

function wireRange(key: string, { min, max }: RangeDeclaration, names: Names): WireRange {
  return { attributeId: names.attributeId(key), min, max };
}

function asList(options: string | readonly string[]): readonly string[] {
  return typeof options === 'string' ? [options] : options;
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
