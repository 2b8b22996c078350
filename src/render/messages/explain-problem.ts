import type { Diagnostic, Related, Role, Rule } from '../../text/diagnostic.ts';
import { catalogProblems } from './catalog-problems.ts';
import { commandProblems } from './command-problems.ts';
import { environmentProblems } from './environment-problems.ts';
import { textProblems, yamlProblems } from './file-problems.ts';
import { applyProblems, makeOne, planProblems } from './plan-problems.ts';
import { concealWords, type Sentence, type Sentences } from './sentences.ts';
import { importProblems, stateCommandProblems } from './state-command-problems.ts';
import { stateProblems } from './state-problems.ts';

/** A problem with its sentences. */
export interface ExplainedDiagnostic extends Diagnostic {
  /** What is wrong and what is true now, in one sentence. */
  readonly message: string;
  /** What to do or type next. */
  readonly hint?: string;
  readonly related?: readonly (Related & { readonly message: string })[];
}

const sentences = {
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
} satisfies Sentences<Rule>;

const roles: Readonly<Record<Role, string>> = {
  anchor: 'the anchor that contains it',
  assignment: 'assigned here',
  catalog: 'in the catalog',
  'first-declared': 'first declared here',
  'first-listed': 'first listed here',
  item: 'the item in the catalog',
  maximum: 'the maximum',
  other: 'the other',
  'other-file': 'the same team, in the other file',
  selection: 'the selection for this team',
};

/** `flags`: what printed commands need to mean the catalog and the environment that the problem is of. */
export function explainProblems(problems: readonly Diagnostic[], flags = ''): readonly ExplainedDiagnostic[] {
  return problems.map((problem) =>
    'message' in problem ? (problem as ExplainedDiagnostic) : explainProblem(problem, flags),
  );
}

function explainProblem(problem: Diagnostic, flags: string): ExplainedDiagnostic {
  const { rule, values = {}, related, ...rest } = problem;
  const sentence = sentenceOf(rule as Rule, values, flags);
  const [message, hint] = rest.concealed === 'words' ? concealed(sentence) : sentence;
  const others = related?.map((other) => ({ ...other, message: roles[other.role] }));
  return {
    ...rest,
    rule,
    message,
    ...(hint !== undefined && { hint }),
    ...(others && { related: others }),
  };
}

function sentenceOf(rule: Rule, values: { readonly why?: string }, flags: string): Sentence {
  const { [rule]: own } = sentences;
  const explain = typeof own === 'function' ? own : own[values.why as keyof typeof own];
  return (explain as (values: object, flags: string) => Sentence)(values, flags);
}

/** What a hint quotes may be all of it. */
function concealed([message, hint = '']: Sentence): Sentence {
  return [concealWords(message), concealWords(hint) === hint && hint !== '' ? hint : undefined];
}

/** A problem that has its sentences from elsewhere: a guard of a plan, an event that was read. */
export function explained(
  rule: string,
  message: string,
  rest: Partial<ExplainedDiagnostic> = {},
): ExplainedDiagnostic {
  return { severity: 'error', rule, message, ...rest };
}

/** Problems of a file that should hold plans, or what an apply said. */
export function explainPlanFile(
  problems: readonly Diagnostic[],
  flags: string,
): readonly ExplainedDiagnostic[] {
  const hint = makeOne(flags);
  return explainProblems(problems, flags).map((problem) => ({ hint, ...problem }));
}

/** Problems of an environment's file that a probe could not write into. */
export function explainUnwritten(
  problems: readonly Diagnostic[],
  flags: string,
): readonly ExplainedDiagnostic[] {
  return explainProblems(problems, flags).map((problem) => ({
    ...problem,
    message: `the findings could not be written to the environment file: ${problem.message}`,
  }));
}
