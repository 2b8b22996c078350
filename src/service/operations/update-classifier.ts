import { CreateClassifier, UpdateClassifier } from '../../../generated/wire.js';
import type { UpdateClassifierBody, WireClassifier } from '../../contract/wire.ts';
import { unknownOnUpdate } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import { takesOptions, updatedOptions } from '../option-updates.ts';
import { done, type FieldProblem, refused } from '../refusal.ts';
import { tooLong } from '../text-rules.ts';
import { unknownMessage } from '../unknown-fields.ts';
import type { OperationHandler } from './operation.ts';
import { type BodyRules, readBody } from './read-body.ts';

/**
 * 4.4 Update Classifier: its name, and in some dialects its options. Refuses with 400 (body) or as the dialect
 * says of an unknown id.
 */
export const updateClassifier: OperationHandler<UpdateClassifierBody, WireClassifier> = {
  readBody: (data, dialect) => readBody(data, rulesFor(data, dialect), dialect),

  run({ teamId, id, body }, { store, makeId, now, dialect }) {
    const current = store.classifiers.find(teamId, id);
    const refusal = current ? undefined : unknownOnUpdate('classifier', id, dialect);
    if (refusal) return refused(refusal);
    const { name, classifierOptions: given } = body;
    const updatedAt = now();
    const { classifierOptions } =
      current ?? store.classifiers.insert({ id, teamId, name, createdAt: updatedAt, classifierOptions: [] });
    const options =
      given !== undefined && takesOptions(dialect)
        ? updatedOptions(given, classifierOptions, { classifierId: id, makeId, dialect })
        : undefined;
    return done(store.classifiers.update({ teamId, id, name, updatedAt, classifierOptions: options }));
  },
};

function rulesFor(data: unknown, dialect: Dialect): BodyRules<UpdateClassifierBody> {
  const hasOptions = typeof data === 'object' && data !== null && Object.hasOwn(data, 'classifierOptions');
  const isTaken = takesOptions(dialect);
  const isRejected = hasOptions && dialect['classifierUpdate.options'] === 'rejected';
  const rejected: FieldProblem[] = isRejected
    ? [{ field: 'classifierOptions', message: unknownMessage }]
    : [];
  return {
    // Options that have an effect are held to what section 4.3 says of them.
    validate: hasOptions && isTaken ? CreateClassifier : UpdateClassifier,
    known: { name: true, classifierOptions: isTaken ? ['name', 'dropRateMultiplier'] : true },
    problemsOf: ({ name }) => [...tooLong({ name }), ...rejected],
  };
}
