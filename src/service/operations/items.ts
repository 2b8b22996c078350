import type { CreateItemBody, UpdateItemBody, WireItem } from '../../contract/wire.ts';
import type { Dialect } from '../dialect.ts';
import {
  clientId,
  existingId,
  storedNumber,
  unknownOnUpdate,
  updatedAssignments,
  updatedAttributes,
  updatedThumbnail,
} from '../dialect-behavior.ts';
import { done, refused } from '../refusal.ts';
import { readBody, repetitions, tooLong } from '../request-body.ts';
import type { OperationHandler } from './operation.ts';
import {
  attributesOf,
  checkReferences,
  listedOptions,
  readAssignments,
  type WantedOptions,
} from './references.ts';

/**
 * 4.1 Create Item. Refuses with 400 (body), as the dialect says of an id that exists, or with 422 (unknown
 * options or attributes). An item that is overwritten becomes what a create makes, whatever it was before.
 */
export const createItem: OperationHandler<CreateItemBody, WireItem> = {
  readBody: (data, dialect) =>
    readBody<CreateItemBody>(data, 'CreateItem', dialect, (body) => [
      // An empty id could never be written in a path, so nobody could update the item.
      ...(clientId(body, dialect) === '' ? [{ field: 'id', message: 'must not be empty' }] : []),
      ...repetitions(assignedOptions(body).options),
      ...repetitions(attributesOf('itemAttributes', body.itemAttributes)),
    ]),

  run({ teamId, body }, { store, makeId, now, dialect }) {
    const id = clientId(body, dialect) ?? makeId();
    const exists = store.items.find(teamId, id) !== undefined;
    const { classifierOptionIds: optionIds, itemAttributes, ...fields } = body;
    const refusal =
      (exists ? existingId(dialect) : undefined) ??
      checkReferences(store, teamId, [assignedOptions(body)], attributesOf('itemAttributes', itemAttributes));
    if (refusal) return refused(refusal);
    if (exists) store.items.remove(teamId, id);
    const item = store.items.insert({
      ...{ thumbnail: null, createdAt: now(), updatedAt: null },
      ...fields,
      ...{ id, teamId, optionIds },
      rollNumerator: storedNumber(fields.rollNumerator, dialect),
      attributes: updatedAttributes(itemAttributes, [], { makeId, dialect }),
    });
    return done(item);
  },
};

function assignedOptions({ classifierOptionIds }: CreateItemBody): WantedOptions {
  return listedOptions(classifierOptionIds, 'classifierOptionIds');
}

/**
 * 4.2 Update Item. Refuses with 400 (body), as the dialect says of an unknown id, or with 422 (unknown options
 * or attributes).
 */
export const updateItem: OperationHandler<ItemUpdate, WireItem> = {
  readBody(data, dialect) {
    const read = readUpdate(data, dialect);
    if (!read.ok) return read;
    const { classifierOptionIds, ...fields } = read.value;
    if (classifierOptionIds === undefined) return done({ ...fields, wanted: undefined });
    const wanted = readAssignments(classifierOptionIds, dialect);
    return wanted.ok ? done({ ...fields, wanted: wanted.value }) : wanted;
  },

  run({ teamId, id, body: { wanted, ...fields } }, { store, makeId, now, dialect }) {
    const found = store.items.find(teamId, id);
    const refusal =
      (found ? undefined : unknownOnUpdate('item', id, dialect)) ??
      checkReferences(store, teamId, wanted ?? [], attributesOf('attributes', fields.attributes));
    if (refusal) return refused(refusal);
    const updatedAt = now();
    const current = found ?? { thumbnail: null, createdAt: updatedAt, classifiers: [], attributes: [] };
    const assigned = current.classifiers.map(({ classifierOption }) => classifierOption.id);
    const ids = wanted?.flatMap(({ options }) => options.map((option) => option.id));
    const write = found ? store.items.update : store.items.insert;
    const item = write({
      ...current,
      ...fields,
      ...{ id, teamId, updatedAt },
      rollNumerator: storedNumber(fields.rollNumerator, dialect),
      thumbnail: updatedThumbnail(fields, current.thumbnail, dialect),
      attributes: updatedAttributes(fields.attributes, current.attributes, { makeId, dialect }),
      optionIds: updatedAssignments(ids, assigned, dialect),
    });
    return done(item);
  },
};

function readUpdate(data: unknown, dialect: Dialect): ReturnType<typeof readBody<UpdateItemBody>> {
  const clears = dialect['itemUpdate.nullThumbnail'] === 'clears' && hasNullThumbnail(data);
  // Section 4.2 types it as a string, so the document is asked about the other fields only.
  const asked = clears ? { ...data, thumbnail: '' } : data;
  const read = readBody<UpdateItemBody>(asked, 'UpdateItem', dialect, ({ name, thumbnail, attributes }) => [
    ...tooLong({ name, thumbnail }),
    ...repetitions(attributesOf('attributes', attributes)),
  ]);
  return read.ok && clears ? done({ ...read.value, thumbnail: null }) : read;
}

function hasNullThumbnail(data: unknown): data is { thumbnail: null } {
  return typeof data === 'object' && data !== null && 'thumbnail' in data && data.thumbnail === null;
}

interface ItemUpdate extends Omit<UpdateItemBody, 'classifierOptionIds'> {
  /** undefined leaves the assignments as they are. */
  readonly wanted: readonly WantedOptions[] | undefined;
}
