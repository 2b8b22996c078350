import type { Dialect } from './dialect.ts';
import { done, type FieldProblem, invalidBody, type Outcome, refused } from './refusal.ts';

/**
 * Section 4.2: the shape of the values of `classifierOptionIds` is not shown. Gives the options that the object
 * assigns in the shape of the dialect; undefined where the field has no effect. Refuses with 400, naming every
 * entry of another shape.
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
  const problems = read.filter((one) => 'message' in one);
  return problems.length > 0 ? refused(invalidBody(problems)) : done(read.filter((one) => 'options' in one));
}

const shapes: Readonly<Record<Exclude<Dialect['itemUpdate.classifierOptionIds'], 'ignored'>, Shape>> = {
  'by-classifier': (classifierId, value, field) => {
    if (typeof value === 'string') return { classifierId, field, options: [{ id: value, field }] };
    if (isStrings(value)) return { classifierId, field, options: listed(value, field) };
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

/** The ids of a list with the names of their places: `classifierOptionIds[0]`. */
export function listed(ids: readonly string[], field: string): { id: string; field: string }[] {
  return ids.map((id, index) => ({ id, field: `${field}[${index}]` }));
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

/** Options that a request assigns; with `classifierId`, they must be options of that classifier. */
export interface WantedOptions {
  readonly classifierId?: string;
  readonly field: string;
  readonly options: readonly { readonly id: string; readonly field: string }[];
}

/** Reads one entry of an object with `count` entries. */
type Shape = (key: string, value: unknown, field: string, count: number) => WantedOptions | FieldProblem;
