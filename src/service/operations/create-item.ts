import { CreateItem } from '../../../generated/wire.js';
import type { CreateItemBody, WireItem } from '../../contract/wire.ts';
import { listed, type WantedOptions } from '../assignment-shapes.ts';
import { clientId, existingId, storedNumber, unknownReferences, updatedAttributes } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import { done, type FieldProblem, refused } from '../refusal.ts';
import { repeatedAttributes, repeatedOptions, unknownAttributes, unknownOptions } from './item-references.ts';
import type { OperationHandler } from './operation.ts';
import { type BodyRules, readBody } from './read-body.ts';

/**
 * 4.1 Create Item. Refuses with 400 (body), as the dialect says of an id that exists, or with 422 (unknown
 * options or attributes). An item that is overwritten becomes what a create makes, whatever it was before.
 */
export const createItem: OperationHandler<CreateItemBody, WireItem> = {
  readBody: (data, dialect) => readBody(data, rulesFor(dialect), dialect),

  run({ teamId, body }, { store, makeId, now, dialect }) {
    const id = clientId(body, dialect) ?? makeId();
    const exists = store.items.find(teamId, id) !== undefined;
    const refusal = exists ? existingId(dialect) : undefined;
    if (refusal) return refused(refusal);
    const unknown = [
      ...unknownOptions(store, teamId, [wantedOptions(body)]),
      ...unknownAttributes(store, teamId, 'itemAttributes', body.itemAttributes),
    ];
    if (unknown.length > 0) return refused(unknownReferences(unknown));
    if (exists) store.items.remove(teamId, id);
    const { name, thumbnail = null, createdAt = now(), updatedAt = null } = body;
    const rollNumerator = storedNumber(body.rollNumerator, dialect);
    const item = { id, teamId, name, thumbnail, rollNumerator, createdAt, updatedAt };
    const attributes = updatedAttributes(body.itemAttributes, [], { makeId, dialect });
    return done(store.items.insert({ ...item, optionIds: body.classifierOptionIds, attributes }));
  },
};

function rulesFor(dialect: Dialect): BodyRules<CreateItemBody> {
  return {
    validate: CreateItem,
    known: {
      name: true,
      rollNumerator: true,
      classifierOptionIds: true,
      itemAttributes: ['attributeId', 'min', 'max'],
      id: true,
      thumbnail: true,
      createdAt: true,
      updatedAt: true,
    },
    problemsOf: (body) => problemsOf(body, dialect),
  };
}

function problemsOf(body: CreateItemBody, dialect: Dialect): FieldProblem[] {
  // An empty id could never be written in a path, so nobody could update the item.
  const emptyId = clientId(body, dialect) === '' ? [{ field: 'id', message: 'must not be empty' }] : [];
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
