import { CreateClassifier } from '../../../generated/wire.js';
import type { CreateClassifierBody, WireClassifier } from '../../contract/wire.ts';
import { done } from '../refusal.ts';
import { tooLong } from '../text-rules.ts';
import type { OperationHandler } from './operation.ts';
import { readBody } from './read-body.ts';

/** 4.3 Create Classifier. Refuses with 400 (body). */
export const createClassifier: OperationHandler<CreateClassifierBody, WireClassifier> = {
  readBody: (data) => readBody(data, CreateClassifier, ({ name }: CreateClassifierBody) => tooLong({ name })),

  run({ teamId, body: { name, classifierOptions } }, { store, makeId, now }) {
    const id = makeId();
    const options = classifierOptions.map((option) => ({
      id: makeId(),
      name: option.name,
      dropRateMultiplier: option.dropRateMultiplier,
      classifierId: id,
    }));
    const classifier = { id, name, teamId, createdAt: now(), updatedAt: null, classifierOptions: options };
    return done(store.classifiers.insert(classifier));
  },
};
