import type {
  CreateItemBody,
  UpdateItemBody,
  WireItem,
  WireItemAttribute,
  WireRange,
} from '../../contract/wire.ts';
import { type Dialect, union } from '../dialect.ts';
import { internalError, Refusal } from '../refusal.ts';
import { readBody } from '../request-body.ts';
import { type Call, type Context, checkUnknownId } from './operation.ts';
import { attributesOf, checkReferences, listedOptions, readAssignments, repetitions } from './references.ts';

/**
 * 4.1 Create Item. Refuses with 400 (body), as the dialect says of an id that exists, or with 422 (unknown
 * options or attributes). An item that is overwritten becomes what a create makes, whatever it was before.
 */
export function createItem({ teamId, data }: Call, context: Context): WireItem {
  const { store, makeId, now, dialect } = context;
  const takesId = dialect['itemCreate.clientId'] === 'honoured';
  const body = readBody<CreateItemBody>(data, 'CreateItem', dialect, (given) => [
    // An empty id could never be written in a path, so nobody could update the item.
    ...(takesId && given.id === '' ? [{ field: 'id', message: 'must not be empty' }] : []),
    ...repetitions(listedOptions(given.classifierOptionIds, 'classifierOptionIds').options),
    ...repetitions(attributesOf(given.itemAttributes, 'itemAttributes')),
  ]);
  const { classifierOptionIds: optionIds, itemAttributes, ...fields } = body;
  const id = (takesId ? fields.id : undefined) ?? makeId();
  if (store.items.find(teamId, id) !== undefined) checkExistingId(dialect);
  const wanted = [listedOptions(optionIds, 'classifierOptionIds')];
  checkReferences(store, teamId, wanted, attributesOf(itemAttributes, 'itemAttributes'));
  const attributes = updatedAttributes(itemAttributes, [], context);
  const defaults = { thumbnail: null, createdAt: now(), updatedAt: null };
  return store.items.put({ ...defaults, ...fields, id, teamId, optionIds, attributes });
}

/** Section 4.1: creating an item with an id that the team has. */
function checkExistingId(dialect: Dialect): void {
  const value = dialect['itemCreate.existingId'];
  if (value === 500) throw internalError();
  const details = [{ field: 'id', message: 'is the id of an existing item' }];
  if (value === 409) throw new Refusal('conflict', 'An item with this id exists.', { details });
}

/**
 * 4.2 Update Item. Refuses with 400 (body), as the dialect says of an unknown id, or with 422 (unknown options
 * or attributes).
 */
export function updateItem({ teamId, id, data }: Call, context: Context): WireItem {
  const { store, now, dialect } = context;
  const { classifierOptionIds, ...fields } = readUpdate(data, dialect);
  const wanted = classifierOptionIds && readAssignments(classifierOptionIds, dialect);
  const found = store.items.find(teamId, id);
  if (found === undefined) checkUnknownId('item', id, dialect);
  checkReferences(store, teamId, wanted ?? [], attributesOf(fields.attributes, 'attributes'));
  const updatedAt = now();
  const current = found ?? { thumbnail: null, createdAt: updatedAt, classifiers: [], attributes: [] };
  const assigned = current.classifiers.map(({ classifierOption }) => classifierOption.id);
  const given = wanted?.flatMap(({ options }) => options.map((option) => option.id));
  const isMerged = dialect['itemUpdate.assignments'] === 'merge';
  return store.items.put({
    ...current,
    ...fields,
    ...{ id, teamId, updatedAt },
    thumbnail: updatedThumbnail(fields, current.thumbnail, dialect),
    attributes: updatedAttributes(fields.attributes, current.attributes, context),
    optionIds: given && isMerged ? union(assigned, given, (optionId) => optionId) : given,
  });
}

function readUpdate(data: unknown, dialect: Dialect): UpdateItemBody {
  const isNull = (data as { readonly thumbnail?: unknown } | null)?.thumbnail === null;
  const clears = isNull && dialect['itemUpdate.nullThumbnail'] === 'clears';
  // Section 4.2 types it as a string, so the document is asked about the other fields only.
  const asked = clears ? { ...(data as object), thumbnail: '' } : data;
  const body = readBody<UpdateItemBody>(asked, 'UpdateItem', dialect, ({ attributes }) =>
    repetitions(attributesOf(attributes, 'attributes')),
  );
  return clears ? { ...body, thumbnail: null } : body;
}

function updatedThumbnail(
  { thumbnail }: UpdateItemBody,
  current: string | null,
  dialect: Dialect,
): string | null {
  if (thumbnail === undefined) return dialect['itemUpdate.omittedThumbnail'] === 'kept' ? current : null;
  return thumbnail === '' && dialect['itemUpdate.emptyThumbnail'] === 'clears' ? null : thumbnail;
}

/** Section 4.2: replaced or merged, the record of an attribute that stays keeps its id. */
function updatedAttributes(
  given: readonly WireRange[],
  current: readonly WireItemAttribute[],
  { makeId, dialect }: Context,
): readonly Omit<WireItemAttribute, 'itemId'>[] {
  const records = new Map(current.map(({ attributeId, id }) => [attributeId, id]));
  const wanted = given.map(({ attributeId, min, max }) => ({
    id: records.get(attributeId) ?? makeId(),
    ...{ attributeId, min, max },
  }));
  if (dialect['itemUpdate.attributes'] === 'replace') return wanted;
  return union<(typeof wanted)[number]>(current, wanted, ({ attributeId }) => attributeId);
}
