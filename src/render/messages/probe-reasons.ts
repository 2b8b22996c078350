import type { Because } from '../../probe/model.ts';

/** Why a probe could not tell something, or did not try it. The environment file keeps this text as evidence. */
export function becauseText(because: Because): string {
  if (typeof because === 'string') return sentences[because];
  return `${sentences['request-unseen']}; an item ${because.id} may exist now`;
}

const sentences: Readonly<Record<Extract<Because, string>, string>> = {
  'another-record': 'another record was made under an id of its own',
  'assignments-unknown': 'the assignments at that time are not known',
  'became-other': 'it became something else',
  'changed-unanswered': 'an update that was not answered changed the assignments',
  contradiction: 'the answers contradict each other',
  'ids-ignored': 'the service ignores ids on create',
  'item-unknown': 'the item is not known as it was before',
  'item-unseen': 'what became of the item was not seen',
  'no-answer': 'no answer was seen',
  'no-attributes': 'the environment names no attributes',
  'no-option-left': 'there is no option left to assign',
  'no-shape-taken': 'no shape of classifierOptionIds was taken',
  'no-such-item': 'no item had the id that was asked for',
  'not-as-sent': 'it was answered like a create, and the item is not what was sent',
  'not-emptied': 'it replaces, and an empty object leaves something',
  'options-became-other': 'the options became something else',
  'range-missing': 'a range that was sent is not in the answer',
  'ranges-not-set': 'the ranges could not be set first',
  'request-refused': 'the request was refused',
  'request-unseen': 'the outcome of the request was not seen',
  'some-options-gone': 'some of the options that were assigned are gone',
  stopped: 'the run was stopped',
  'taken-once': 'the shape was taken once and then not',
  'thumbnail-not-set': 'a thumbnail could not be set first',
  'too-few-options': 'the probe classifier has too few options',
  'update-unseen': 'the outcome of an update was not seen',
};
