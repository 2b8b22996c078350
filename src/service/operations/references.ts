import type { WireRange } from '../../contract/wire.ts';
import type { Dialect } from '../dialect.ts';
import {
  done,
  type FieldProblem,
  invalidBody,
  type Outcome,
  type Refusal,
  refused,
  unknownReferences,
} from '../refusal.ts';
import { type Reference, repetitions } from '../request-body.ts';
import type { Store } from '../store/store.ts';

/** Options that a request assigns; with `classifierId`, they must be options of that classifier. */
export interface WantedOptions {
  readonly classifierId?: string;
  readonly field: string;
  readonly options: readonly Reference[];
}

/**
 * Section 4.2: the shape of the values of `classifierOptionIds` is not shown. Gives the options that the object
 * assigns in the shape of the dialect; undefined where the field has no effect. Refuses with 400, naming every
 * entry of another shape and every repetition.
 */
export function readAssignments(
  given: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): Outcome<readonly WantedOptions[] | undefined> {
  const shape = dialect['itemUpdate.classifierOptionIds'];
  if (shape === 'ignored') return done(undefined);
  const entries = Object.entries(given);
  const read = entries.map(([key, value]) =>
    shapes[shape](key, value, `classifierOptionIds.${key}`, entries.length),
  );
  const wanted = read.filter((one) => 'options' in one);
  const misshapen = read.filter((one) => 'message' in one);
  const problems = misshapen.length > 0 ? misshapen : repetitions(wanted.flatMap(({ options }) => options));
  return problems.length > 0 ? refused(invalidBody(problems)) : done(wanted);
}

/** Reads one entry of an object with `count` entries. */
type Shape = (key: string, value: unknown, field: string, count: number) => WantedOptions | FieldProblem;

const shapes: Readonly<Record<Exclude<Dialect['itemUpdate.classifierOptionIds'], 'ignored'>, Shape>> = {
  'by-classifier': (classifierId, value, field) => {
    if (typeof value === 'string') return { classifierId, field, options: [{ id: value, field }] };
    if (isStrings(value)) return { classifierId, ...listedOptions(value, field) };
    return { field, message: 'must be the id of an option of this classifier or a list of them' };
  },
  'by-option': (id, value, field) =>
    value === true ? { field, options: [{ id, field }] } : { field, message: 'must be true' },
  'by-index': (index, value, field, count) => {
    if (!isIndex(index, count)) return { field, message: 'must be an index: "0", "1" and so on' };
    if (typeof value !== 'string') return { field, message: 'must be the id of an option' };
    return { field, options: [{ id: value, field }] };
  },
};

/** Whether the key is one of `"0"` to `"count - 1"`, so that the keys together have no gap. */
function isIndex(key: string, count: number): boolean {
  return /^(0|[1-9]\d*)$/.test(key) && Number(key) < count;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

/** The options of a list of ids, each with the name of its place: `classifierOptionIds[0]`. */
export function listedOptions(ids: readonly string[], field: string): WantedOptions {
  return { field, options: ids.map((id, index) => ({ id, field: `${field}[${index}]` })) };
}

/** The attributes that a list of ranges refers to. `list` is the name of the list in the request. */
export function attributesOf(list: string, ranges: readonly WireRange[]): readonly Reference[] {
  return ranges.map(({ attributeId }, index) => ({
    id: attributeId,
    field: `${list}[${index}].attributeId`,
  }));
}

/**
 * Refuses with 422 a request that refers to options or attributes that the team does not have. Those of another team
 * are answered exactly like those of nobody.
 */
export function checkReferences(
  store: Store,
  teamId: string,
  wanted: readonly WantedOptions[],
  attributes: readonly Reference[],
): Refusal | undefined {
  const unknown = [
    ...wanted.flatMap((group) => unknownOptions(store, teamId, group)),
    ...attributes
      .filter(({ id }) => !store.attributes.takes(teamId, id))
      .map(({ field }) => ({ field, message: 'is not the id of an attribute' })),
  ];
  return unknown.length > 0 ? unknownReferences(unknown) : undefined;
}

function unknownOptions(
  { classifiers }: Store,
  teamId: string,
  { classifierId, field, options }: WantedOptions,
): FieldProblem[] {
  if (classifierId !== undefined && classifiers.find(teamId, classifierId) === undefined) {
    return [{ field, message: 'is not the id of a classifier' }];
  }
  const owner = classifierId === undefined ? 'a classifier' : 'this classifier';
  return options
    .filter(({ id }) => {
      const found = classifiers.classifierOf(teamId, id);
      return found === undefined || (classifierId !== undefined && found !== classifierId);
    })
    .map((option) => ({ field: option.field, message: `is not the id of an option of ${owner}` }));
}
