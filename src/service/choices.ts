import { type Operation, routes } from '../contract/routes.ts';
import type { CreateItemBody, UpdateItemBody, WireItemAttribute, WireRange } from '../contract/wire.ts';
import type { WantedOptions } from './assignment-shapes.ts';
import type { Dialect } from './dialect.ts';
import { internalError } from './error-response.ts';
import { badRequest, type FieldProblem, type Refusal } from './refusal.ts';
import { tooLong, unstorableTexts } from './text-rules.ts';
import { united } from './united.ts';

/**
 * Where the interface says "not shown", this service does what its dialect says. The short
 * choices are here; those that need more room have a file beside this one: `assignment-shapes.ts`,
 * `option-updates.ts`, `unknown-fields.ts`, `presented.ts` and `error-response.ts`.
 */

/** Section 4: the status code of a success is not stated. An item that a create overwrites counts as created. */
export function successStatus(operation: Operation, dialect: Dialect): number {
  const creates = routes[operation].method === 'POST';
  return creates && dialect.successStatus === '201-on-create' ? 201 : 200;
}

/**
 * Sections 2.1 and 2.2: the format of timestamps is not stated. Takes milliseconds since 1970; gives the ISO 8601
 * text that is stored. How answers show it is decided in `presented.ts`.
 */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Section 4.1: what becomes of a client's `id` is not shown. */
export function clientId({ id }: CreateItemBody, dialect: Dialect): string | undefined {
  return dialect['itemCreate.clientId'] === 'honoured' ? id : undefined;
}

/** Section 4.1: creating an item with an id that the team has. undefined: the item is overwritten. */
export function existingId(dialect: Dialect): Refusal | undefined {
  const existingIds: Readonly<Record<Dialect['itemCreate.existingId'], Refusal | undefined>> = {
    409: conflict,
    500: internalError,
    overwritten: undefined,
  };
  return existingIds[dialect['itemCreate.existingId']];
}

const conflict: Refusal = {
  status: 409,
  code: 'conflict',
  message: 'An item with this id exists.',
  details: [{ field: 'id', message: 'is the id of an existing item' }],
};

/** Sections 4.2, 4.4, 4.5: an id in the path that the caller's team does not have. */
export function unknownId(kind: 'item' | 'classifier' | 'user', field = 'id'): Refusal {
  const details = [{ field, message: `is not the id of ${kind === 'item' ? 'an' : 'a'} ${kind}` }];
  return { status: 404, code: 'not_found', message: `There is no ${kind} with this id.`, details };
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

/** Section 4: ids in a body that name nothing in the caller's team. */
export function unknownReferences(details: readonly FieldProblem[]): Refusal {
  const message = 'The request refers to something that does not exist.';
  return { status: 422, code: 'unknown_reference', message, details };
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
  { makeId, dialect }: { readonly makeId: () => string; readonly dialect: Dialect },
): StoredRange[] {
  const records = new Map(current.map(({ attributeId, id }) => [attributeId, id]));
  const wanted = given.map(({ attributeId, min, max }) => ({
    id: records.get(attributeId) ?? makeId(),
    attributeId,
    min: storedNumber(min, dialect),
    max: storedNumber(max, dialect),
  }));
  if (dialect['itemUpdate.attributes'] === 'replace') return wanted;
  return united<StoredRange>(current, wanted, ({ attributeId }) => attributeId);
}

/** Section 4.2: option ids, replaced or merged. undefined leaves the assignments as they are. */
export function updatedAssignments(
  wanted: readonly WantedOptions[] | undefined,
  current: readonly string[],
  dialect: Dialect,
): readonly string[] | undefined {
  const ids = wanted?.flatMap(({ options }) => options.map(({ id }) => id));
  if (ids === undefined || dialect['itemUpdate.assignments'] === 'replace') return ids;
  return united(current, ids, (id) => id);
}

/** Section 8: numeric bounds are not shown, nor is precision. The nearest hundredth where two decimals are kept. */
export function storedNumber(value: number, dialect: Dialect): number {
  return dialect.numbers === 'exact' ? value : Number(value.toFixed(2));
}

type StoredRange = Omit<WireItemAttribute, 'itemId'>;
