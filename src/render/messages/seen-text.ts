import type { AnswerProblem, Failure, ServiceError } from '../../api/outcome.ts';
import type { Distrust, Seen } from '../../apply/model.ts';
import type { Because } from '../../probe/model.ts';
import type { PendingCreate } from '../../state/model.ts';
import { linesOf } from '../terminal.ts';
import { type Table, wordsFor } from './sentences.ts';

/**
 * What the state keeps of a write that stays open: what was seen, with what was named before, by an earlier attempt of
 * it or in an earlier run: that may be all that is left of a record.
 */
export function seenText(seen: Seen, before: string | undefined): string {
  const text = textOf(seen);
  const traces = namedIn(before ?? '');
  if (before?.includes(text)) return before;
  return text.includes(traces) ? text : `${text}; ${traces}`;
}

const NAMED = /(?:; it (?:names the ID|points to )|(?:^|; )the (?:answer names (?:record|team)|record) ).*$/s;

/** What a text that `seenText` gave says of records; empty if it names none. */
export function namedIn(reason: string): string {
  return NAMED.exec(reason)?.[0].replace(/^; /, '') ?? '';
}

/** Whether a response to a pending create may be all that is left of a record. */
export function namesAny({ answer, otherId, reason = '' }: PendingCreate): boolean {
  return answer !== undefined || otherId !== undefined || namedIn(reason) !== '';
}

function textOf(seen: Seen): string {
  if (seen.code === 'not-comparable') return `the record ${seen.id} could not be compared with what was sent`;
  if (seen.code !== 'not-answered') return distrustText(seen);
  // Without the text of the answer, which may repeat anything: states are committed to git.
  const { status, reason, problem, ...named } = seen.error;
  const what = status === undefined ? reason : linesOf(`status ${status}`, ends[reason]).join(', ');
  return `${what}${problem === undefined ? '' : `, ${problemText(problem)}`}${traceText(named)}`;
}

/** How a response ended whose status arrived. */
const ends: Partial<Record<Failure['reason'], string>> = {
  disconnected: 'cut off',
  timeout: 'cut off by a timeout',
};

/** The IDs, or the place, that an answer names which can't be read as one. */
export function traceText({ answeredIds = [], location }: Pick<Failure, 'answeredIds' | 'location'>): string {
  const ids = answeredIds.map((id) => JSON.stringify(id)).join(' and ');
  const named = ids === '' ? '' : `; it names the ID${answeredIds.length > 1 ? 's' : ''} ${ids}`;
  return `${named}${location === undefined ? '' : `; it points to ${JSON.stringify(location)}`}`;
}

/** What is wrong with an answer. States keep this text, and `NAMED` finds it there. */
export const distrusts: Table<Distrust, 'code', string> = {
  'wrong-team': ({ id, answered, expected }) =>
    `the answer names team ${answered} (record ${id}), and this environment is team ${expected}`,
  'other-id': ({ id, expected }) => `the answer names record ${id}, and the request was for ${expected}`,
  'replaced-record': ({ id }) => `the answer names record ${id}, which is the one to be replaced`,
  held: ({ id, holder }) => `the answer names record ${id}, which was recorded before, for ${holder}`,
  'other-name': ({ id, name, of }) =>
    `the answer names record ${id} ${JSON.stringify(name)}, which is the name of ${of}`,
  'other-owner': ({ id, owner }) => `the answer names record ${id}, and its options are those of ${owner}`,
  'no-options': ({ id }) => `the record ${id} has none of the options that were sent`,
};

export function distrustText(distrust: Distrust): string {
  return wordsFor(distrusts, distrust.code, distrust);
}

/** Also as events and programs get it: with the problem of the answer in words. */
export type ShownError = Omit<ServiceError, 'problem'> & { readonly problem?: AnswerProblem | string };

export function explainError(error: ShownError): ShownError {
  return { ...error, ...(error.problem && { problem: problemText(error.problem) }) };
}

/** What is wrong with "it", an answer. */
export function problemText(problem: AnswerProblem | string): string {
  return typeof problem === 'string' ? problem : wordsFor(answerProblems, problem.code, problem);
}

const answerProblems: Table<AnswerProblem, 'code', string> = {
  credential: ({ field }) => `its \`${field}\` contains a credential`,
  empty: () => 'it is empty',
  'not-json': () => 'it is not JSON',
  'not-read': () => 'reading it failed',
  'not-utf8': () => 'it is not UTF-8 text',
  'refusal-with-record': () => 'it is a refusal, but names a record',
  'repeated-key': ({ field }) =>
    `${field === undefined ? 'one of its keys' : `its \`${field}\``} occurs twice`,
  'too-deep': ({ levels }) => `it is nested more than ${levels} levels deep`,
  'too-large': ({ mebibytes }) => `it is larger than ${mebibytes} MiB`,
  undocumented: ({ place, said = 'invalid' }) =>
    `it is not what the API documents${place && ` at ${place}`}: ${said}`,
  'unusable-id': () => "its ID can't be part of a path",
};

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
