import type { Dialect as DialectFile } from '../../generated/settings-types.js';
import schema from '../../schemas/dialect.schema.json' with { type: 'json' };

/** One value for every point: how a running service behaves where the interface is silent. */
export type Dialect = Required<Omit<DialectFile, '$schema'>>;

export type DialectPoint = keyof Dialect;

const { $schema: _, ...points } = schema.properties;

/**
 * Where the interface says "not shown", and what a service may do there: schemas/dialect.schema.json and
 * docs/dialects.md say what each value means. The first value of each point is the default. Points that the profile of
 * an environment has too go by its names.
 */
export const dialectPoints = Object.fromEntries(
  Object.entries(points).map(([point, { enum: values }]) => [point, values]),
) as unknown as { readonly [Point in DialectPoint]: readonly [Dialect[Point], ...Dialect[Point][]] };

/** The first value of every point: the service as it is without `--dialect`. */
export const defaultDialect = Object.fromEntries(
  Object.entries(dialectPoints).map(([point, [first]]) => [point, first]),
) as unknown as Dialect;

/**
 * What merging means wherever the service merges: `current` in its order, each member exchanged for the wanted
 * one of the same key, then what is wanted besides.
 */
export function union<T>(current: readonly T[], wanted: readonly T[], keyOf: (member: T) => string): T[] {
  // A Map keeps the place of a key that is set again.
  return [...new Map([...current, ...wanted].map((member) => [keyOf(member), member])).values()];
}

/**
 * The JSON of an answer as the dialect shows it: its timestamps (sections 2.1 to 2.3, format not stated) and the order
 * of its arrays (not promised). What is stored stays as it is. `random` gives numbers from 0 to below 1.
 */
export function serialize(answer: unknown, dialect: Dialect, random: () => number): string {
  if (dialect.timestamps === 'iso' && dialect.arrayOrder === 'stored') return JSON.stringify(answer);
  return JSON.stringify(answer, (field, value) => {
    if (Array.isArray(value)) return dialect.arrayOrder === 'shuffled' ? shuffled(value, random) : value;
    const isTime = (field === 'createdAt' || field === 'updatedAt') && typeof value === 'string';
    return isTime && dialect.timestamps === 'sql' ? sqlTimestamp(value) : value;
  });
}

/** `YYYY-MM-DD HH:MM:SS` in UTC. A client's text (section 4.1) that is no ISO 8601 timestamp stays as it is. */
function sqlTimestamp(text: string): string {
  const time = isoTimestamp.test(text) ? Date.parse(text) : Number.NaN;
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // A zone can carry a time into a year that has more than four digits, which this format can't write.
  return iso.length === 24 ? iso.slice(0, 19).replace('T', ' ') : text;
}

const isoTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Fisher and Yates: every order is equally likely. */
function shuffled(values: readonly unknown[], random: () => number): unknown[] {
  const left = [...values];
  return values.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}
