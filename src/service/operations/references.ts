import type { WireRange } from '../../contract/wire.ts';
import type { Dialect } from '../dialect.ts';
import { type FieldProblem, Refusal, refuseInvalid } from '../refusal.ts';
import type { Store } from '../store/store.ts';

/** An id in a request, and the name of its place there. */
interface Reference {
  readonly id: string;
  readonly field: string;
}

/** Options that a request assigns; with `classifierId`, they must be options of that classifier. */
interface WantedOptions {
  readonly classifierId?: string;
  readonly field: string;
  readonly options: readonly Reference[];
}

/** The options of a list of ids, each with the name of its place: `classifierOptionIds[0]`. */
export function listedOptions(ids: readonly string[], field: string): WantedOptions {
  return { field, options: ids.map((id, index) => ({ id, field: `${field}[${index}]` })) };
}

/** The attributes that a list of ranges refers to. `list` is the name of the list in the request. */
export function attributesOf(ranges: readonly WireRange[], list: string): readonly Reference[] {
  return ranges.map(({ attributeId }, index) => ({
    id: attributeId,
    field: `${list}[${index}].attributeId`,
  }));
}

/** Names every element that equals an earlier one. */
export function repetitions(elements: readonly Reference[]): FieldProblem[] {
  const first = new Map<string, string>();
  return elements.flatMap(({ id, field }) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, field);
    return before === undefined ? [] : [{ field, message: `repeats ${before}` }];
  });
}

/**
 * Section 4.2: the shape of the values of `classifierOptionIds` is not shown. Gives the options that the object
 * assigns in the shape of the dialect; undefined where the field has no effect. Refuses with 400, naming every
 * entry of another shape and every repetition.
 */
export function readAssignments(
  given: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): readonly WantedOptions[] | undefined {
  const shape = dialect['itemUpdate.classifierOptionIds'];
  if (shape === 'ignored') return undefined;
  const entries = Object.entries(given);
  const read = entries.map(([key, value]) =>
    shapes[shape](key, value, `classifierOptionIds.${key}`, entries.length),
  );
  refuseInvalid(read.filter((one) => 'message' in one));
  const wanted = read.filter((one) => 'options' in one);
  refuseInvalid(repetitions(wanted.flatMap(({ options }) => options)));
  return wanted;
}

/** Reads one entry of an object with `count` entries. */
type Shape = (key: string, value: unknown, field: string, count: number) => WantedOptions | FieldProblem;

const shapes: Readonly<Record<Exclude<Dialect['itemUpdate.classifierOptionIds'], 'ignored'>, Shape>> = {
  'by-classifier': (classifierId, value, field) => {
    if (typeof value === 'string') return { classifierId, field, options: [{ id: value, field }] };
    if (Array.isArray(value) && value.every((element) => typeof element === 'string'))
      return { classifierId, ...listedOptions(value, field) };
    return { field, message: 'must be the id of an option of this classifier or a list of them' };
  },
  'by-option': (id, value, field) =>
    value === true ? { field, options: [{ id, field }] } : { field, message: 'must be true' },
  'by-index': (index, value, field, count) => {
    // The keys together have no gap: "0" to "count - 1".
    const isIndex = /^(0|[1-9]\d*)$/.test(index) && Number(index) < count;
    if (!isIndex) return { field, message: 'must be an index: "0", "1" and so on' };
    if (typeof value !== 'string') return { field, message: 'must be the id of an option' };
    return { field, options: [{ id: value, field }] };
  },
};

/**
 * Refuses with 422 a request that refers to options or attributes that the team does not have. Those of another team
 * are answered exactly like those of nobody.
 */
export function checkReferences(
  store: Store,
  teamId: string,
  wanted: readonly WantedOptions[],
  attributes: readonly Reference[],
): void {
  const details = [
    ...wanted.flatMap((group) => unknownOptions(store, teamId, group)),
    ...attributes
      .filter(({ id }) => !store.takesAttribute(teamId, id))
      .map(({ field }) => ({ field, message: 'is not the id of an attribute' })),
  ];
  const message = 'The request refers to something that does not exist.';
  if (details.length > 0) throw new Refusal('unknown_reference', message, { details });
}

function unknownOptions(
  { classifiers }: Store,
  teamId: string,
  { classifierId, field, options }: WantedOptions,
): FieldProblem[] {
  if (classifierId !== undefined && classifiers.find(teamId, classifierId) === undefined)
    return [{ field, message: 'is not the id of a classifier' }];
  const owner = classifierId === undefined ? 'a classifier' : 'this classifier';
  return options
    .filter(({ id }) => {
      const found = classifiers.ownerOf(teamId, id);
      return found === undefined || (classifierId !== undefined && found !== classifierId);
    })
    .map((option) => ({ field: option.field, message: `is not the id of an option of ${owner}` }));
}
