import { CreateItem } from '../../../generated/wire.js';
import type { CreateItemBody, WireItem } from '../../contract/wire.ts';
import {
  existingId,
  listed,
  newItemId,
  unknownReferences,
  updatedAttributes,
  type WantedOptions,
} from '../choices.ts';
import { done, type FieldProblem, refused } from '../refusal.ts';
import { repeatedAttributes, repeatedOptions, unknownAttributes, unknownOptions } from './item-references.ts';
import type { OperationHandler } from './operation.ts';
import { readBody } from './read-body.ts';

/** 4.1 Create Item. Refuses with 400 (body), 409 (the id exists) or 422 (unknown options or attributes). */
export const createItem: OperationHandler<CreateItemBody, WireItem> = {
  readBody: (data) => readBody(data, CreateItem, problemsOf),

  run({ teamId, body }, { store, makeId, now }) {
    const id = newItemId(body, makeId);
    if (store.items.exists(id)) return refused(existingId());
    const unknown = [
      ...unknownOptions(store, teamId, [wantedOptions(body)]),
      ...unknownAttributes(store, teamId, 'itemAttributes', body.itemAttributes),
    ];
    if (unknown.length > 0) return refused(unknownReferences(unknown));
    const { name, thumbnail = null, rollNumerator, createdAt = now(), updatedAt = null } = body;
    const item = { id, teamId, name, thumbnail, rollNumerator, createdAt, updatedAt };
    const attributes = updatedAttributes(body.itemAttributes, [], makeId);
    return done(store.items.insert({ ...item, optionIds: body.classifierOptionIds, attributes }));
  },
};

function problemsOf(body: CreateItemBody): FieldProblem[] {
  // An empty id could never be written in a path, so nobody could update the item.
  const emptyId = body.id === '' ? [{ field: 'id', message: 'must not be empty' }] : [];
  return [
    ...emptyId,
    ...repeatedOptions([wantedOptions(body)]),
    ...repeatedAttributes('itemAttributes', body.itemAttributes),
  ];
}

function wantedOptions(body: CreateItemBody): WantedOptions {
  const field = 'classifierOptionIds';
  return { field, options: listed(body.classifierOptionIds, field) };
}
