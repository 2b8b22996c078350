import { CreateClassifier } from '../../../generated/wire.js';
import type { CreateClassifierBody, WireClassifier } from '../../contract/wire.ts';
import { storedNumber } from '../choices.ts';
import { done } from '../refusal.ts';
import { tooLong } from '../text-rules.ts';
import type { OperationHandler } from './operation.ts';
import { type BodyRules, readBody } from './read-body.ts';

/** 4.3 Create Classifier. Refuses with 400 (body). */
export const createClassifier: OperationHandler<CreateClassifierBody, WireClassifier> = {
  readBody: (data, dialect) => readBody(data, rules, dialect),

  run({ teamId, body: { name, classifierOptions } }, { store, makeId, now, dialect }) {
    const id = makeId();
    const options = classifierOptions.map((option) => ({
      id: makeId(),
      name: option.name,
      dropRateMultiplier: storedNumber(option.dropRateMultiplier, dialect),
      classifierId: id,
    }));
    return done(store.classifiers.insert({ id, name, teamId, createdAt: now(), classifierOptions: options }));
  },
};

const rules: BodyRules<CreateClassifierBody> = {
  validate: CreateClassifier,
  known: { name: true, classifierOptions: ['name', 'dropRateMultiplier'] },
  problemsOf: ({ name }) => tooLong({ name }),
};
