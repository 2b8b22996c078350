import { type Operation, routes } from '../contract/routes.ts';
import type {
  CreateItemBody,
  UpdateClassifierBody,
  UpdateItemBody,
  WireItemAttribute,
  WireOption,
  WireRange,
} from '../contract/wire.ts';
import type { Dialect } from './dialect.ts';
import { badRequest, conflict, internalError, type Refusal, unknownId } from './refusal.ts';
import { tooLong, unstorableTexts } from './request-body.ts';

/**
 * Where the interface says "not shown", this service does what its dialect says. Two points are elsewhere: the
 * shapes of `classifierOptionIds` in `operations/assignments.ts`, and `errorBody` in `refusal.ts`.
 */

/** Section 4: the status code of a success is not stated. An item that a create overwrites counts as created. */
export function successStatus(operation: Operation, dialect: Dialect): number {
  const creates = routes[operation].method === 'POST';
  return creates && dialect.successStatus === '201-on-create' ? 201 : 200;
}

/** Section 4.1: what becomes of a client's `id` is not shown. */
export function clientId({ id }: CreateItemBody, dialect: Dialect): string | undefined {
  return dialect['itemCreate.clientId'] === 'honoured' ? id : undefined;
}

/** Section 4.1: creating an item with an id that the team has. undefined: the item is overwritten. */
export function existingId(dialect: Dialect): Refusal | undefined {
  return { 409: conflict, 500: internalError, overwritten: undefined }[dialect['itemCreate.existingId']];
}

/**
 * Sections 4.2 and 4.4: an update of an id that the caller's team does not have. undefined: a record with this
 * id is made, which takes an id that answers can show (section 8).
 */
export function unknownOnUpdate(
  kind: 'item' | 'classifier',
  id: string,
  dialect: Dialect,
): Refusal | undefined {
  const value = dialect['update.unknownId'];
  if (value !== 'created') return { ...unknownId(kind), status: value };
  const problems = [...tooLong({ id }), ...unstorableTexts(id, 'id')];
  return problems.length > 0 ? badRequest('The id in the path is not valid.', problems) : undefined;
}

/** Section 4.2 types the thumbnail as a string; null only comes here where the dialect takes it. */
export function updatedThumbnail(
  { thumbnail }: UpdateItemBody,
  current: string | null,
  dialect: Dialect,
): string | null {
  if (thumbnail === undefined) return dialect['itemUpdate.omittedThumbnail'] === 'kept' ? current : null;
  return thumbnail === '' && dialect['itemUpdate.emptyThumbnail'] === 'clears' ? null : thumbnail;
}

/** Section 4.2: replaced or merged, the record of an attribute that stays keeps its id. */
export function updatedAttributes(
  given: readonly WireRange[],
  current: readonly WireItemAttribute[],
  { makeId, dialect }: Making,
): Omit<WireItemAttribute, 'itemId'>[] {
  const records = new Map(current.map(({ attributeId, id }) => [attributeId, id]));
  const wanted = given.map(({ attributeId, min, max }) => ({
    id: records.get(attributeId) ?? makeId(),
    attributeId,
    min: storedNumber(min, dialect),
    max: storedNumber(max, dialect),
  }));
  if (dialect['itemUpdate.attributes'] === 'replace') return wanted;
  return union<(typeof wanted)[number]>(current, wanted, ({ attributeId }) => attributeId);
}

/** Section 4.2: option ids, replaced or merged. undefined leaves the assignments as they are. */
export function updatedAssignments(
  wanted: readonly string[] | undefined,
  current: readonly string[],
  dialect: Dialect,
): readonly string[] | undefined {
  if (wanted === undefined || dialect['itemUpdate.assignments'] === 'replace') return wanted;
  return union(current, wanted, (id) => id);
}

/** Section 4.4 documents `name` alone: whether options in the body of a classifier update have an effect. */
export function takesOptions(dialect: Dialect): boolean {
  return !['ignored', 'rejected'].includes(dialect['classifierUpdate.options']);
}

/**
 * The options of a classifier after a create or update that gives some. They are matched by name, each stored one at
 * most once, and a match keeps its id, and so its assignments. Replaced: the given ones in their order, and the rest
 * goes. Merged: the stored ones in theirs, then what is new.
 */
export function updatedOptions(
  given: NonNullable<UpdateClassifierBody['classifierOptions']>,
  current: readonly WireOption[],
  { classifierId, makeId, dialect }: Making & { readonly classifierId: string },
): readonly WireOption[] {
  const unmatched = [...current];
  const wanted = given.map(({ name, dropRateMultiplier }) => {
    const at = unmatched.findIndex((option) => option.name === name);
    const [match] = at < 0 ? [] : unmatched.splice(at, 1);
    return {
      id: match?.id ?? makeId(),
      name,
      dropRateMultiplier: storedNumber(dropRateMultiplier, dialect),
      classifierId,
    };
  });
  return dialect['classifierUpdate.options'] === 'replaced' ? wanted : union(current, wanted, ({ id }) => id);
}

/** Section 8: numeric bounds are not shown, nor is precision. The nearest hundredth where two decimals are kept. */
export function storedNumber(value: number, dialect: Dialect): number {
  return dialect.numbers === 'exact' ? value : Number(value.toFixed(2));
}

/**
 * What merging means wherever the service merges: `current` in its order, each member exchanged for the wanted
 * one of the same key, then what is wanted besides.
 */
function union<T>(current: readonly T[], wanted: readonly T[], keyOf: (member: T) => string): T[] {
  // A Map keeps the place of a key that is set again.
  return [...new Map([...current, ...wanted].map((member) => [keyOf(member), member])).values()];
}

interface Making {
  readonly makeId: () => string;
  readonly dialect: Dialect;
}

/**
 * An answer as the dialect shows it: its timestamps (sections 2.1 to 2.3, format not stated) and the order of its
 * arrays (not promised). What is stored stays as it is. `random` gives numbers from 0 to below 1.
 */
export function serialize(answer: unknown, dialect: Dialect, random: () => number): unknown {
  if (dialect.timestamps === 'iso' && dialect.arrayOrder === 'stored') return answer;
  const show = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) {
      const shown = value.map((element) => show(element, ''));
      return dialect.arrayOrder === 'shuffled' ? shuffled(shown, random) : shown;
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, show(inside, name)]));
    }
    const isTime = field === 'createdAt' || field === 'updatedAt';
    return isTime && typeof value === 'string' && dialect.timestamps === 'sql' ? sqlTimestamp(value) : value;
  };
  return show(answer, '');
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
