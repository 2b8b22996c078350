import type { Profile } from '../contract/profile.ts';
import { type Names, type Reference, referenceAsKey } from './kind.ts';

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
export function optionIds(assignments: Assignments, names: Names): readonly Reference[] {
  return [...assignments].flatMap(([classifier, options]) =>
    options.map((option) => names.optionId(classifier, option)),
  );
}
