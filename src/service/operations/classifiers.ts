import type { CreateClassifierBody, UpdateClassifierBody, WireClassifier } from '../../contract/wire.ts';
import { takesOptions, unknownOnUpdate, updatedOptions } from '../dialect-behavior.ts';
import { done, refused } from '../refusal.ts';
import { readBody, tooLong, unknownField } from '../request-body.ts';
import type { OperationHandler } from './operation.ts';

/** 4.3 Create Classifier. Refuses with 400 (body). */
export const createClassifier: OperationHandler<CreateClassifierBody, WireClassifier> = {
  readBody: (data, dialect) =>
    readBody<CreateClassifierBody>(data, 'CreateClassifier', dialect, ({ name }) => tooLong({ name })),

  run({ teamId, body }, { store, makeId, now, dialect }) {
    const id = makeId();
    const classifierOptions = updatedOptions(body.classifierOptions, [], {
      classifierId: id,
      makeId,
      dialect,
    });
    const dates = { createdAt: now(), updatedAt: null };
    return done(store.classifiers.insert({ ...body, ...dates, id, teamId, classifierOptions }));
  },
};

/**
 * 4.4 Update Classifier: its name, and in some dialects its options. Refuses with 400 (body) or as the dialect
 * says of an unknown id.
 */
export const updateClassifier: OperationHandler<UpdateClassifierBody, WireClassifier> = {
  readBody(data, dialect) {
    if (!hasOptions(data) || takesOptions(dialect)) {
      // Options that have an effect are held to what section 4.3 says of them.
      const schema = hasOptions(data) ? 'CreateClassifier' : 'UpdateClassifier';
      return readBody<UpdateClassifierBody>(data, schema, dialect, ({ name }) => tooLong({ name }));
    }
    const isRejected = dialect['classifierUpdate.options'] === 'rejected';
    const { classifierOptions: _, ...fields } = data;
    return readBody<UpdateClassifierBody>(fields, 'UpdateClassifier', dialect, ({ name }) => [
      ...tooLong({ name }),
      ...(isRejected ? [unknownField('classifierOptions')] : []),
    ]);
  },

  run({ teamId, id, body }, { store, makeId, now, dialect }) {
    const found = store.classifiers.find(teamId, id);
    const refusal = found ? undefined : unknownOnUpdate('classifier', id, dialect);
    if (refusal) return refused(refusal);
    const updatedAt = now();
    const current = found ?? { createdAt: updatedAt, classifierOptions: [] };
    const making = { classifierId: id, makeId, dialect };
    const write = found ? store.classifiers.update : store.classifiers.insert;
    const classifier = write({
      ...current,
      ...body,
      ...{ id, teamId, updatedAt },
      classifierOptions:
        body.classifierOptions && updatedOptions(body.classifierOptions, current.classifierOptions, making),
    });
    return done(classifier);
  },
};

function hasOptions(data: unknown): data is { readonly classifierOptions: unknown } {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'classifierOptions');
}
