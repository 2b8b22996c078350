import equal from 'fast-deep-equal';

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
