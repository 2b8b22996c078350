import { UpdateClassifier } from '../../../generated/wire.js';
import type { UpdateClassifierBody, WireClassifier } from '../../contract/wire.ts';
import { unknownId } from '../choices.ts';
import { done, refused } from '../refusal.ts';
import { tooLong } from '../text-rules.ts';
import type { OperationHandler } from './operation.ts';
import { readBody } from './read-body.ts';

/** 4.4 Update Classifier: its name; options in the body are ignored. Refuses with 400 (body) or 404. */
export const updateClassifier: OperationHandler<UpdateClassifierBody, WireClassifier> = {
  readBody: (data) => readBody(data, UpdateClassifier, ({ name }: UpdateClassifierBody) => tooLong({ name })),

  run({ teamId, id, body }, { store, now }) {
    if (store.classifiers.find(teamId, id) === undefined) return refused(unknownId('classifier'));
    return done(store.classifiers.rename(teamId, id, body.name, now()));
  },
};
