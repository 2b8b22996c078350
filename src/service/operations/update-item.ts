import { UpdateItem } from '../../../generated/wire.js';
import type { UpdateItemBody, WireItem } from '../../contract/wire.ts';
import { readAssignments, type WantedOptions } from '../assignment-shapes.ts';
import {
  storedNumber,
  unknownOnUpdate,
  unknownReferences,
  updatedAssignments,
  updatedAttributes,
  updatedThumbnail,
} from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import { done, type FieldProblem, invalidBody, type Outcome, refused } from '../refusal.ts';
import { tooLong } from '../text-rules.ts';
import { repeatedAttributes, repeatedOptions, unknownAttributes, unknownOptions } from './item-references.ts';
import type { OperationHandler } from './operation.ts';
import { type BodyRules, readBody } from './read-body.ts';

/**
 * 4.2 Update Item. Refuses with 400 (body), as the dialect says of an unknown id, or with 422 (unknown options
 * or attributes).
 */
export const updateItem: OperationHandler<ItemUpdate, WireItem> = {
  readBody(data, dialect) {
    const clears = dialect['itemUpdate.nullThumbnail'] === 'clears' && hasNullThumbnail(data);
    // Section 4.2 types it as a string, so the document is asked about the other fields only.
    const read = readBody(clears ? { ...data, thumbnail: '' } : data, rules, dialect);
    if (!read.ok) return read;
    return withAssignments(clears ? { ...read.value, thumbnail: null } : read.value, dialect);
  },

  run({ teamId, id, body: { fields, wanted } }, { store, makeId, now, dialect }) {
    const found = store.items.find(teamId, id);
    const refusal = found ? undefined : unknownOnUpdate('item', id, dialect);
    if (refusal) return refused(refusal);
    const unknown = [
      ...unknownOptions(store, teamId, wanted ?? []),
      ...unknownAttributes(store, teamId, 'attributes', fields.attributes),
    ];
    if (unknown.length > 0) return refused(unknownReferences(unknown));
    const { name } = fields;
    const rollNumerator = storedNumber(fields.rollNumerator, dialect);
    const updatedAt = now();
    const blank = { id, teamId, name, rollNumerator, thumbnail: null, createdAt: updatedAt, updatedAt };
    const current = found ?? store.items.insert({ ...blank, optionIds: [], attributes: [] });
    const assigned = current.classifiers.map(({ classifierOption }) => classifierOption.id);
    const item = store.items.update({
      id,
      teamId,
      name,
      rollNumerator,
      updatedAt,
      thumbnail: updatedThumbnail(fields, current.thumbnail, dialect),
      attributes: updatedAttributes(fields.attributes, current.attributes, { makeId, dialect }),
      optionIds: updatedAssignments(wanted, assigned, dialect),
    });
    return done(item);
  },
};

function hasNullThumbnail(data: unknown): data is { thumbnail: null } {
  return typeof data === 'object' && data !== null && 'thumbnail' in data && data.thumbnail === null;
}

function withAssignments(fields: UpdateItemBody, dialect: Dialect): Outcome<ItemUpdate> {
  if (fields.classifierOptionIds === undefined) return done({ fields, wanted: undefined });
  const read = readAssignments(fields.classifierOptionIds, dialect);
  if (!read.ok) return read;
  const repeated = repeatedOptions(read.value ?? []);
  return repeated.length > 0 ? refused(invalidBody(repeated)) : done({ fields, wanted: read.value });
}

const rules: BodyRules<UpdateItemBody> = {
  validate: UpdateItem,
  known: {
    name: true,
    rollNumerator: true,
    attributes: ['attributeId', 'min', 'max'],
    thumbnail: true,
    classifierOptionIds: true,
  },
  problemsOf,
};

function problemsOf({ name, thumbnail, attributes }: UpdateItemBody): FieldProblem[] {
  return [...tooLong({ name, thumbnail }), ...repeatedAttributes('attributes', attributes)];
}

interface ItemUpdate {
  readonly fields: UpdateItemBody;
  /** undefined leaves the assignments as they are. */
  readonly wanted: readonly WantedOptions[] | undefined;
}
