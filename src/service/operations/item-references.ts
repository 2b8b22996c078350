import type { WireRange } from '../../contract/wire.ts';
import type { WantedOptions } from '../assignment-shapes.ts';
import type { FieldProblem } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { repetitions } from './read-body.ts';

/** Options that the team does not have. Those of another team are told exactly like those of nobody. */
export function unknownOptions(
  store: Store,
  teamId: string,
  wanted: readonly WantedOptions[],
): FieldProblem[] {
  return wanted.flatMap(({ classifierId, field, options }) => {
    if (classifierId !== undefined && store.classifiers.find(teamId, classifierId) === undefined) {
      return [{ field, message: 'is not the id of a classifier' }];
    }
    const unknown = options.filter(({ id }) => {
      const owner = store.classifiers.classifierOf(teamId, id);
      return owner === undefined || (classifierId !== undefined && owner !== classifierId);
    });
    const owner = classifierId === undefined ? 'a classifier' : 'this classifier';
    return unknown.map(({ field: place }) => ({
      field: place,
      message: `is not the id of an option of ${owner}`,
    }));
  });
}

/** Attributes that the team does not take. `list` is the name of the list in the request. */
export function unknownAttributes(
  store: Store,
  teamId: string,
  list: string,
  ranges: readonly WireRange[],
): FieldProblem[] {
  return ranges.flatMap(({ attributeId }, index) =>
    store.attributes.takes(teamId, attributeId)
      ? []
      : [{ field: `${list}[${index}].attributeId`, message: 'is not the id of an attribute' }],
  );
}

export function repeatedAttributes(list: string, ranges: readonly WireRange[]): FieldProblem[] {
  return repetitions(
    ranges.map(({ attributeId }) => attributeId),
    ranges.map((_, index) => `${list}[${index}].attributeId`),
  );
}

export function repeatedOptions(wanted: readonly WantedOptions[]): FieldProblem[] {
  const options = wanted.flatMap((group) => group.options);
  return repetitions(
    options.map(({ id }) => id),
    options.map(({ field }) => field),
  );
}
