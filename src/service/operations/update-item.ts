import { UpdateItem } from '../../../generated/wire.js';
import type { UpdateItemBody, WireItem } from '../../contract/wire.ts';
import {
  readAssignments,
  unknownId,
  unknownReferences,
  updatedAttributes,
  updatedThumbnail,
  type WantedOptions,
} from '../choices.ts';
import { done, type FieldProblem, invalidBody, type Outcome, refused } from '../refusal.ts';
import { tooLong } from '../text-rules.ts';
import { repeatedAttributes, repeatedOptions, unknownAttributes, unknownOptions } from './item-references.ts';
import type { OperationHandler } from './operation.ts';
import { readBody } from './read-body.ts';

/** 4.2 Update Item. Refuses with 400 (body), 404 (unknown item) or 422 (unknown options or attributes). */
export const updateItem: OperationHandler<ItemUpdate, WireItem> = {
  readBody(data) {
    const read = readBody(data, UpdateItem, problemsOf);
    return read.ok ? withAssignments(read.value) : read;
  },

  run({ teamId, id, body: { fields, wanted } }, { store, makeId, now }) {
    const current = store.items.find(teamId, id);
    if (current === undefined) return refused(unknownId('item'));
    const unknown = [
      ...unknownOptions(store, teamId, wanted ?? []),
      ...unknownAttributes(store, teamId, 'attributes', fields.attributes),
    ];
    if (unknown.length > 0) return refused(unknownReferences(unknown));
    const item = store.items.update({
      id,
      teamId,
      name: fields.name,
      rollNumerator: fields.rollNumerator,
      thumbnail: updatedThumbnail(fields, current.thumbnail),
      updatedAt: now(),
      attributes: updatedAttributes(fields.attributes, current.attributes, makeId),
      optionIds: wanted?.flatMap(({ options }) => options.map((option) => option.id)),
    });
    return done(item);
  },
};

function withAssignments(fields: UpdateItemBody): Outcome<ItemUpdate> {
  if (fields.classifierOptionIds === undefined) return done({ fields, wanted: undefined });
  const read = readAssignments(fields.classifierOptionIds);
  if (!read.ok) return read;
  const repeated = repeatedOptions(read.value);
  return repeated.length > 0 ? refused(invalidBody(repeated)) : done({ fields, wanted: read.value });
}

function problemsOf({ name, thumbnail, attributes }: UpdateItemBody): FieldProblem[] {
  return [...tooLong({ name, thumbnail }), ...repeatedAttributes('attributes', attributes)];
}

interface ItemUpdate {
  readonly fields: UpdateItemBody;
  /** undefined leaves the assignments as they are. */
  readonly wanted: readonly WantedOptions[] | undefined;
}
