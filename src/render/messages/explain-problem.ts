import type { Diagnostic, Related, Role } from '../../text/diagnostic.ts';
import type { Rule } from '../../text/problems.ts';
import { applyProblems } from './apply-problems.ts';
import { catalogProblems } from './catalog-problems.ts';
import { commandProblems } from './command-problems.ts';
import { concealWords } from './conceal-words.ts';
import { environmentProblems } from './environment-problems.ts';
import { importProblems } from './import-problems.ts';
import { planProblems } from './plan-problems.ts';
import type { Sentence, Sentences } from './sentences.ts';
import { stateCommandProblems } from './state-command-problems.ts';
import { stateProblems } from './state-problems.ts';
import { textProblems } from './text-problems.ts';
import { yamlProblems } from './yaml-problems.ts';

/** A problem with its sentences. */
export interface ExplainedDiagnostic extends Diagnostic {
  /** What is wrong and what is true now, in one sentence. */
  readonly message: string;
  /** What to do or type next. */
  readonly hint?: string;
  readonly related?: readonly (Related & { readonly message: string })[];
}

const sentences: Sentences<Rule> = {
  ...textProblems,
  ...yamlProblems,
  ...catalogProblems,
  ...environmentProblems,
  ...applyProblems,
  ...commandProblems,
  ...stateCommandProblems,
  ...importProblems,
  ...planProblems,
  ...stateProblems,
};

const roles: Readonly<Record<Role, string>> = {
  anchor: 'the anchor that it stands in',
  assignment: 'assigned here',
  catalog: 'in the catalog',
  'first-declared': 'first declared here',
  'first-listed': 'first listed here',
  item: 'the item in the catalog',
  maximum: 'the maximum',
  other: 'the other',
  'other-file': 'the other file names it here',
  selection: 'what this team gets',
};

/** `flags`: what printed commands need to mean the catalog and the environment that the problem is of. */
export function explainProblems(
  problems: readonly Diagnostic[],
  flags: string,
): readonly ExplainedDiagnostic[] {
  return problems.map((problem) => {
    if (!isExplained(problem)) return explainProblem(problem, flags);
    const [message, hint] = concealed([problem.message, problem.hint], problem);
    const { hint: _, related, ...rest } = problem;
    const others = related?.map((other) => ({ ...other, message: roles[other.role] }));
    return { ...rest, message, ...(hint !== undefined && { hint }), ...(others && { related: others }) };
  });
}

function explainProblem(problem: Diagnostic, flags: string): ExplainedDiagnostic {
  const { rule, values = {}, related, ...rest } = problem;
  const explain = sentences[rule as Rule] as (values: object, flags: string) => Sentence;
  const [message, hint] = concealed(explain(values, flags), rest);
  const others = related?.map((other) => ({ ...other, message: roles[other.role] }));
  return {
    ...rest,
    rule,
    message,
    ...(hint !== undefined && { hint }),
    ...(others && { related: others }),
  };
}

function concealed([message, hint]: Sentence, { concealed }: Pick<Diagnostic, 'concealed'>): Sentence {
  if (concealed !== 'words') return [message, hint];
  return [concealWords(message), hint === undefined || concealWords(hint) !== hint ? undefined : hint];
}

function isExplained(problem: Diagnostic): problem is ExplainedDiagnostic {
  return 'message' in problem;
}

/** A problem that has its sentences from elsewhere: a guard of a plan, an event that was read. */
export function explained(
  rule: string,
  message: string,
  rest: Partial<ExplainedDiagnostic> = {},
): ExplainedDiagnostic {
  return { severity: 'error', rule, message, ...rest };
}
