import type { AnswerProblem, ServiceError } from '../../api/outcome.ts';

/** Also as events and programs get it: with the problem of the answer in words. */
export type ShownError = Omit<ServiceError, 'problem'> & { readonly problem?: AnswerProblem | string };

export function explainError(error: ShownError): ShownError {
  return { ...error, ...(error.problem && { problem: problemText(error.problem) }) };
}

/** What is wrong with "it", an answer. */
export function problemText(problem: AnswerProblem | string): string {
  if (typeof problem === 'string') return problem;
  switch (problem.code) {
    case 'credential':
      return `its \`${problem.field}\` holds a credential`;
    case 'empty':
      return 'it is empty';
    case 'not-json':
      return 'it is not JSON';
    case 'not-read':
      return 'reading it failed';
    case 'not-utf8':
      return 'it is not UTF-8 text';
    case 'refusal-with-record':
      return 'it says no, and names a record';
    case 'repeated-key':
      return `${problem.field === undefined ? 'one of its keys' : `its \`${problem.field}\``} is given twice`;
    case 'too-deep':
      return `it is nested more than ${problem.levels} levels deep`;
    case 'too-large':
      return `it is larger than ${problem.mebibytes} MiB`;
    case 'undocumented':
      return `it is not what the interface documents${problem.place && ` at ${problem.place}`}: ${problem.said}`;
    case 'unusable-id':
      return "its id can't be part of a path";
  }
}
