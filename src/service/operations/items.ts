import type {
  CreateItemBody,
  UpdateItemBody,
  WireItem,
  WireItemAttribute,
  WireRange,
} from '../../contract/api.ts';
import { type Dialect, union } from '../dialect.ts';
import { type FieldProblem, internalError, Refusal, refuseInvalid } from '../refusal.ts';
import { readBody } from '../request-body.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Context, checkUnknownId } from './operation.ts';

/**
 * 4.1 Create Item. Refuses with 400 (body), as the dialect says of an id that exists, or with 422 (unknown
 * options or attributes). An item that is overwritten becomes what a create makes, whatever it was before.
 */
export function createItem({ teamId, data }: Call, context: Context): WireItem {
  const { store, makeId, now, dialect } = context;
  const takesId = dialect['itemCreate.clientId'] === 'honoured';
  const body = readBody<CreateItemBody>(data, 'CreateItem', dialect, (given) => [
    // An empty id could never be written in a path, so the item could never be updated.
    ...(takesId && given.id === '' ? [{ field: 'id', message: 'must not be empty' }] : []),
    ...repetitions(listed(given.classifierOptionIds, 'classifierOptionIds')),
    ...repetitions(attributesOf(given.itemAttributes, 'itemAttributes')),
  ]);
  const { classifierOptionIds: optionIds, itemAttributes, ...fields } = body;
  const id = (takesId ? fields.id : undefined) ?? makeId();
  if (store.items.find(teamId, id) !== undefined) checkExistingId(dialect);
  const wanted = { options: listed(optionIds, 'classifierOptionIds') };
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
  checkReferences(store, teamId, wanted ?? { options: [] }, attributesOf(fields.attributes, 'attributes'));
  const updatedAt = now();
  const current = found ?? { thumbnail: null, createdAt: updatedAt, classifiers: [], attributes: [] };
  const assigned = current.classifiers.map(({ classifierOption }) => classifierOption.id);
  const given = wanted?.options.map((option) => option.id);
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

/** An id in a request, and the name of its place there; of an option, also the classifier that it must belong to. */
interface Reference {
  readonly id: string;
  readonly field: string;
  readonly classifierId?: string;
}

/** What a request assigns: classifiers that it names, and options. */
interface Assignments {
  readonly classifiers?: readonly Reference[];
  readonly options: readonly Reference[];
}

/** The ids of a list, each with the name of its place: `classifierOptionIds[0]`. */
function listed(ids: readonly string[], field: string): readonly Reference[] {
  return ids.map((id, index) => ({ id, field: `${field}[${index}]` }));
}

/** The attributes that a list of ranges refers to. `list` is the name of the list in the request. */
function attributesOf(ranges: readonly WireRange[], list: string): readonly Reference[] {
  const ids = ranges.map(({ attributeId }) => attributeId);
  return listed(ids, list).map(({ id, field }) => ({ id, field: `${field}.attributeId` }));
}

/** Names every element that equals an earlier one. */
function repetitions(elements: readonly Reference[]): FieldProblem[] {
  const first = new Map<string, string>();
  return elements.flatMap(({ id, field }) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, field);
    return before === undefined ? [] : [{ field, message: `repeats ${before}` }];
  });
}

/**
 * Section 4.2: the shape of the values of `classifierOptionIds` is not shown. Gives what the object
 * assigns in the shape of the dialect; undefined where the field has no effect. Refuses with 400, naming every
 * entry of another shape and every repetition.
 */
function readAssignments(
  given: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): Assignments | undefined {
  const shape = dialect['itemUpdate.classifierOptionIds'];
  if (shape === 'ignored') return undefined;
  const entries = Object.entries(given);
  const read = entries.map(([key, value]) =>
    shapes[shape](key, value, `classifierOptionIds.${key}`, entries.length),
  );
  refuseInvalid(read.filter((one) => 'message' in one));
  const wanted = read.filter((one) => 'options' in one);
  const options = wanted.flatMap((one) => one.options);
  refuseInvalid(repetitions(options));
  return { classifiers: wanted.flatMap((one) => one.classifiers ?? []), options };
}

/** Reads one entry of an object with `count` entries. */
type Shape = (key: string, value: unknown, field: string, count: number) => Assignments | FieldProblem;

const shapes: Readonly<Record<Exclude<Dialect['itemUpdate.classifierOptionIds'], 'ignored'>, Shape>> = {
  'by-classifier': (classifierId, value, field) => {
    const classifiers = [{ id: classifierId, field }];
    if (typeof value === 'string') return { classifiers, options: [{ id: value, field, classifierId }] };
    if (!Array.isArray(value) || value.some((element) => typeof element !== 'string'))
      return { field, message: 'must be the id of an option of this classifier or a list of them' };
    return { classifiers, options: listed(value, field).map((option) => ({ ...option, classifierId })) };
  },
  'by-option': (id, value, field) =>
    value === true ? { options: [{ id, field }] } : { field, message: 'must be true' },
  'by-index': (index, value, field, count) => {
    // The keys together have no gap: "0" to "count - 1".
    const isIndex = /^(0|[1-9]\d*)$/.test(index) && Number(index) < count;
    if (!isIndex) return { field, message: 'must be an index: "0", "1" and so on' };
    if (typeof value !== 'string') return { field, message: 'must be the id of an option' };
    return { options: [{ id: value, field }] };
  },
};

/**
 * Refuses with 422 a request that refers to options or attributes that the team does not have. Those of another team
 * are answered exactly like those of nobody.
 */
function checkReferences(
  store: Store,
  teamId: string,
  { classifiers = [], options }: Assignments,
  attributes: readonly Reference[],
): void {
  const unknown = classifiers.filter(({ id }) => store.classifiers.find(teamId, id) === undefined);
  const unknownIds = new Set<string | undefined>(unknown.map(({ id }) => id));
  const strayOptions = options.filter(({ id, classifierId }) => {
    if (unknownIds.has(classifierId)) return false;
    const owner = store.classifiers.ownerOf(teamId, id);
    return owner === undefined || (classifierId ?? owner) !== owner;
  });
  const unknownAttributes = attributes.filter(({ id }) => !store.takesAttribute(teamId, id));
  const details = [
    ...unknown.map(({ field }) => ({ field, message: 'is not the id of a classifier' })),
    ...strayOptions.map(({ field, classifierId }) => ({
      field,
      message: `is not the id of an option of ${classifierId === undefined ? 'a' : 'this'} classifier`,
    })),
    ...unknownAttributes.map(({ field }) => ({ field, message: 'is not the id of an attribute' })),
  ];
  const message = 'The request refers to something that does not exist.';
  if (details.length > 0) throw new Refusal('unknown_reference', message, { details });
}
