import type { CreateItemBody, UpdateItemBody, WireItemAttribute, WireRange } from '../contract/wire.ts';
import { done, type FieldProblem, invalidBody, type Outcome, type Refusal, refused } from './refusal.ts';

/**
 * Where the interface says "not shown", this service had to choose. Every such choice is made in this file
 * (DESIGN section 8, the first value of each point), so that another choice is another value here.
 */

/** Section 4: the status code of a success is not stated. */
export const successStatus = 200;

/** Sections 2.1 and 2.2: the format of timestamps is not stated. Takes milliseconds since 1970; gives ISO 8601. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Section 4.1: what becomes of a client's `id` is not shown. It is honoured. */
export function newItemId(body: CreateItemBody, makeId: () => string): string {
  return body.id ?? makeId();
}

/** Section 4.1: creating an item with an id that exists, in any team. */
export function existingId(): Refusal {
  const details = [{ field: 'id', message: 'is the id of an existing item' }];
  return { status: 409, code: 'conflict', message: 'An item with this id exists.', details };
}

/** Sections 4.2, 4.3, 4.5: an id in the path that the caller's team does not have. */
export function unknownId(kind: 'item' | 'classifier' | 'user', field = 'id'): Refusal {
  const details = [{ field, message: `is not the id of ${kind === 'item' ? 'an' : 'a'} ${kind}` }];
  return { status: 404, code: 'not_found', message: `There is no ${kind} with this id.`, details };
}

/** Section 4: ids in a body that name nothing in the caller's team. */
export function unknownReferences(details: readonly FieldProblem[]): Refusal {
  const message = 'The request refers to something that does not exist.';
  return { status: 422, code: 'unknown_reference', message, details };
}

/** Section 4.2: an omitted thumbnail is kept, "" is stored. (null is no string, so the body was rejected.) */
export function updatedThumbnail(body: UpdateItemBody, current: string | null): string | null {
  return body.thumbnail ?? current;
}

/** Section 4.2: attributes are replaced; the record of an attribute that stays keeps its id. */
export function updatedAttributes(
  given: readonly WireRange[],
  current: readonly WireItemAttribute[],
  makeId: () => string,
): Omit<WireItemAttribute, 'itemId'>[] {
  const records = new Map(current.map(({ attributeId, id }) => [attributeId, id]));
  return given.map(({ attributeId, min, max }) => ({
    id: records.get(attributeId) ?? makeId(),
    attributeId,
    min,
    max,
  }));
}

/**
 * Section 4.2: the shape of the values of `classifierOptionIds` is not shown. Here a value is an option id or a
 * list of them, under the id of its classifier; together they replace all assignments.
 */
export function readAssignments(given: Readonly<Record<string, unknown>>): Outcome<WantedOptions[]> {
  const groups: WantedOptions[] = [];
  const problems: FieldProblem[] = [];
  for (const [classifierId, value] of Object.entries(given)) {
    const field = `classifierOptionIds.${classifierId}`;
    if (typeof value === 'string') groups.push({ classifierId, field, options: [{ id: value, field }] });
    else if (isStrings(value)) groups.push({ classifierId, field, options: listed(value, field) });
    else
      problems.push({ field, message: 'must be the id of an option of this classifier or a list of them' });
  }
  return problems.length > 0 ? refused(invalidBody(problems)) : done(groups);
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
