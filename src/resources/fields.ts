import equal from 'fast-deep-equal';
import type { WireAssignment } from '../contract/api.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { ResourceRecord } from '../state/model.ts';

/**
 * A resource as a flat set of comparable values, in catalog terms: `name`, `attributes.damage`,
 * `classifiers.rarity`, `options.rare`. The first segment is the group; a resource that does not manage a
 * group has none of its fields.
 */
export interface Fields {
  readonly groups: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, unknown>;
}

/** What belongs to keys: options, ranges, assignments. */
export type Members<T> = readonly (readonly [key: string, value: T])[];

/** Null stands for "none" on either side. */
export interface FieldDifference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function fields(groups: Iterable<string>, values: Iterable<readonly [string, unknown]>): Fields {
  return { groups: new Set(groups), values: new Map(values) };
}

export function groupOf(path: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}

/** Every difference in the groups that `after` manages, in the order of `after`, removals last. */
export function differences(before: Fields, after: Fields): readonly FieldDifference[] {
  const found: FieldDifference[] = [];
  for (const [path, value] of after.values) {
    const was = before.values.get(path) ?? null;
    if (!equal(was, value)) found.push({ path, before: was, after: value });
  }
  for (const [path, was] of before.values) {
    if (was === null || after.values.has(path) || !after.groups.has(groupOf(path))) continue;
    found.push({ path, before: was, after: null });
  }
  return found;
}

/** `base` with the `after` of each difference; the groups of both. */
export function withDifferences(base: Fields, changed: readonly FieldDifference[]): Fields {
  const values = new Map(base.values);
  for (const { path, after } of changed) {
    if (after === null && path.includes('.')) values.delete(path);
    else values.set(path, after);
  }
  return fields([...base.groups, ...changed.map(({ path }) => groupOf(path))], values);
}

/** The fields of one group: of `attributes` and `damage`, `attributes.damage`. */
export function pathsOf<T>(group: string, members: Members<T>): Members<T> {
  return members.map(([key, value]) => [`${group}.${key}`, value] as const);
}

/** The values of one group by the rest of their path: `attributes` gives `damage -> {min, max}`. */
export function membersOf<T>(target: Fields, group: string): Members<T> {
  const prefix = `${group}.`;
  return [...target.values]
    .filter(([path]) => path.startsWith(prefix))
    .map(([path, value]) => [path.slice(prefix.length), value as T] as const);
}

/** A remote id, or one that only apply can know: of a resource or option that the same plan creates. */
export type Reference = string | { readonly $knownAfterApply: string };

const KEY_PREFIX = '$knownAfterApply:';

export function knownAfterApply(address: string): Reference {
  return { $knownAfterApply: address };
}

/** The form of a reference where JSON allows only text: as the key of an object. */
export function referenceAsKey(reference: Reference): string {
  return typeof reference === 'string' ? reference : KEY_PREFIX + reference.$knownAfterApply;
}

/** A copy of a planned body with each promised id replaced by what `idOf` gives for its address. */
export function resolveReferences(value: unknown, idOf: (address: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((element) => resolveReferences(element, idOf));
  if ('$knownAfterApply' in value && typeof value.$knownAfterApply === 'string')
    return idOf(value.$knownAfterApply);
  const keyOf = (key: string) => (key.startsWith(KEY_PREFIX) ? idOf(key.slice(KEY_PREFIX.length)) : key);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [keyOf(key), resolveReferences(child, idOf)]),
  );
}

/** What the ids in an answer stand for. It takes nothing of the catalog. */
export interface AnswerNames {
  /** The id itself where no attribute of the environment has it. */
  attributeKey(id: string): string;
  /** Undefined for an option that no recorded classifier has. */
  optionOf(assigned: WireAssignment): { readonly classifier: string; readonly option: string } | undefined;
}

/** What keys and remote ids stand for, both ways, in one environment. */
export interface Names extends AnswerNames {
  attributeId(key: string): string;
  classifierId(key: string): Reference;
  optionId(classifier: string, option: string): Reference;
  /** True where the classifier was answered without this option since the instant `at`, or will be. */
  isGone(classifierId: string, optionId: string, at: string): boolean;
}

/** Why an update can't carry a difference. `point`: of the profile, which could let it through. */
export type Obstacle = { readonly point: ProfilePoint } & (
  | { readonly code: 'thumbnail-removal' | 'assignment-change' | 'option-change' | 'option-merge' }
  | { readonly code: 'attribute-removal' | 'assignment-removal'; readonly isMerged: boolean }
);

/** What Trove knows of one kind of resource. Pure: no clock, no network, no files. */
export interface ResourceKind<Declaration, Answer> {
  /** Groups of fields that every update carries. */
  readonly required: ReadonlySet<string>;
  /** What is declared, as comparable fields. */
  desired(declaration: Declaration): Fields;
  /** What an answer says, in the same terms. `options` maps option keys to ids (classifiers only). */
  answered(answer: Answer, names: AnswerNames, options?: ResourceRecord['options']): Fields;
  /** Undefined where an update can carry this difference under this profile. */
  obstacle(difference: FieldDifference, profile: Profile): Obstacle | undefined;
  /** The body of the create; `clientId` is the id to ask for, where the kind takes one. */
  createBody(declaration: Declaration, names: Names, clientId?: string): Readonly<Record<string, unknown>>;
  /** The body of an update after which the record has the fields of `target`; `managed` are the declared groups. */
  updateBody(
    target: Fields,
    managed: ReadonlySet<string>,
    profile: Profile,
    names: Names,
  ): Readonly<Record<string, unknown>>;
}
