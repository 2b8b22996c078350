import type { ErrorObject } from 'ajv';
import { nearest } from './nearest.ts';
import { isMapping, type Path, pathOf, type SchemaNode, schemaAt, valueAt } from './schema-path.ts';

/** What of a value fits its schema, to look for more problems in it. */
interface SoundPart {
  /** Has undefined for what is wrong: its name stays, and so do its neighbors, at their places. */
  readonly value: unknown;
  /** The paths of what is undefined. */
  readonly wrong: readonly Path[];
}

export function soundPart(value: unknown, schema: SchemaNode, errors: readonly ErrorObject[]): SoundPart {
  const wrong = errors.flatMap((each) => wrongPaths(each, value, schema));
  return { value: withStandIn(undefined, value, wrong), wrong };
}

/** Whether a mapping of a sound part has something, and what it is was left out. */
export function isUnknown(mapping: object | undefined, key: string): boolean {
  return mapping !== undefined && Object.hasOwn(mapping, key) && valueAt(mapping, [key]) === undefined;
}

/** Names that are none, and entries that are repeated, are complained about and can still be used. */
const HARMLESS = ['propertyNames', 'uniqueItems', 'oneOf', 'if'];

/** What is missing is wrong, too, and so is what a property with an unknown name was meant to be. */
function wrongPaths(
  { instancePath, keyword, params, propertyName }: ErrorObject,
  value: unknown,
  schema: SchemaNode,
): readonly Path[] {
  if (HARMLESS.includes(keyword) || propertyName !== undefined) return [];
  const path = pathOf(instancePath, value);
  const { additionalProperty, missingProperty } = params;
  if (additionalProperty === undefined)
    return [missingProperty === undefined ? path : [...path, missingProperty]];
  const meant = nearest(additionalProperty, Object.keys(schemaAt(schema, path).properties ?? {}));
  const names = [additionalProperty, ...(meant === undefined ? [] : [meant])];
  return names
    .map((name) => [...path, name])
    .filter((below) => below.at(-1) === additionalProperty || valueAt(value, below) === undefined);
}

/** The value with something else at these paths. Shares everything that no path leads to. */
export function withStandIn(standIn: unknown, value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return standIn;
  const below = new Map<string | number, Path[]>();
  for (const [step = '', ...rest] of paths) {
    const known = below.get(step);
    if (known) known.push(rest);
    else below.set(step, [rest]);
  }
  const at = (step: string | number, rest: readonly Path[]) =>
    withStandIn(standIn, valueAt(value, [step]), rest);
  if (isMapping(value))
    return { ...value, ...Object.fromEntries([...below].map(([step, rest]) => [step, at(step, rest)])) };
  if (!Array.isArray(value)) return value;
  return value.map((each: unknown, index) => (below.has(index) ? at(index, below.get(index) ?? []) : each));
}
