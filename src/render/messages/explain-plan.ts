import type { ApplyReport, ChangeResult, Halt, ResultReason } from '../../apply/model.ts';
import type { Change, Guard, Plan } from '../../plan/model.ts';
import type { GuardReason } from '../../plan/reason.ts';
import type { ProbeHalt } from '../../probe/model.ts';
import { pluralize } from '../words.ts';
import { environmentProblems } from './environment-problems.ts';
import { type ExplainedDiagnostic, explained, explainProblems } from './explain-problem.ts';
import { explainReason } from './plan-reasons.ts';
import { distrusts, explainError, type ShownError } from './seen-text.ts';
import { olderThanNewest, type Table, type Words, wordsFor } from './sentences.ts';

/** A plan with its codes put into words. This is what renderers show, and what programs get as JSON. */
export interface ExplainedPlan extends Plan {
  readonly guards: readonly ExplainedGuard[];
  readonly changes: readonly ExplainedChange[];
}

/** What is true now, and what to do about it, one step each, commands as typed. */
export interface Explanation {
  readonly reason: string;
  readonly remedies: readonly string[];
}

export type ExplainedChange = Change & Partial<Explanation>;

export type ExplainedGuard = Guard & Explanation;

/**
 * `flags`: what printed commands need to mean the catalog and the environment of the plan; `begin`: the command that
 * lifts its guards, by default that of apply.
 */
export function explainPlan(plan: Plan, flags: string, begin?: string): ExplainedPlan {
  return {
    ...plan,
    guards: plan.guards.map((guard) => ({
      ...guard,
      ...explainGuard(guard, plan.environment, flags, begin),
    })),
    changes: plan.changes.map((change) => explainChange(change, flags)),
  };
}

function explainChange(change: Change, flags: string): ExplainedChange {
  const { address, reasons } = change;
  if (reasons === undefined) return change;
  const words = reasons.map((reason) => explainReason(reason, { address, flags }));
  const sentences = new Set(words.flatMap(([sentence]) => sentence ?? []));
  const remedies = [...new Set(words.flatMap(([, ...ways]) => ways))];
  return {
    ...change,
    ...(sentences.size > 0 && { reason: [...sentences].join('; ') }),
    ...(remedies.length > 0 && { remedies }),
  };
}

/** Guards as problems of their environment. */
export function guardProblems(
  guards: readonly ExplainedGuard[],
  environment: string,
): readonly ExplainedDiagnostic[] {
  const subject = `environment ${environment}`;
  return guards.map(({ code, reason, remedies }) =>
    explained(code, reason, { subject, hint: remedies.join('; ') }),
  );
}

/** Why apply refuses a plan as a whole, in words. `begin`: see `explainPlan`. */
export function explainGuard(
  guard: GuardReason,
  environment: string,
  flags: string,
  begin = `trove apply${flags} --new-environment`,
): Explanation {
  const [reason, ...remedies] = wordsFor(guardWords, guard.code, guard, environment, flags, begin);
  return { reason, remedies };
}

const guardWords: Table<GuardReason, 'code', Words, [environment: string, flags: string, begin: string]> = {
  'no-state': (_, environment, flags, begin) => [
    `environment ${environment} has no state, so every resource would be created`,
    'if it was applied before, restore its state first',
    `if the state is lost: trove apply${flags} --recover`,
    `if this environment is new: ${begin}`,
  ],
  'shared-team': (guard) => environmentProblems['shared-team'](guard),
  'database-gone': ({ statePath }) => [
    'the database of the embedded service is missing, but the state has its records',
    'restore the database',
    `to start over with an empty service, remove ${statePath}`,
  ],
  'state-gone': ({ dataFolder }, _, flags) => [
    'the state is missing, but the embedded service may have its records, which would be created twice',
    'restore the state',
    `to recover its records: trove apply${flags} --recover`,
    `to start over with an empty service, remove ${dataFolder}/service.db`,
  ],
  'older-state': ({ serial, newest }, _, flags) => [
    olderThanNewest(serial, newest),
    'restore the newer version from git, or from a copy made with trove state pull',
    `if it is lost: trove apply${flags} --recover`,
    `if this version is the right one: trove state push${flags} --force FILE`,
  ],
  'partial-state': ({ begunBy, first, others }, _, flags, begin) => [
    `the state was started by ${begunBy === 'import' ? 'an import' : 'a probe'} and lacks ${first}${others > 0 ? ` and ${others} more` : ''}, which would be created`,
    `if the team has them: trove import ADDRESS ID${flags}`,
    `if its state was lost: trove apply${flags} --recover`,
    `if they are new: ${begin}`,
  ],
  'strange-state': ({ declared, recorded }, _, flags) => [
    `the state has none of the ${declared} resources in this catalog, only ${pluralize(recorded, 'other')}: is it the right state?`,
    'check the catalog and the environment',
    `if all of them are new: trove apply${flags} --confirm-new`,
  ],
  'limit-exceeded': ({ limit, count, allowed }) => [
    `the plan has ${pluralize(count, limit === 'maxCreates' ? 'create' : 'update')}, but \`limits.${limit}\` allows ${allowed}`,
    'raise the limit in a reviewed change',
    'apply in parts with --target',
  ],
};

/** A report with its codes put into words: what renderers show and programs get as JSON, and what events tell. */
export interface ExplainedReport extends Omit<ApplyReport, 'results' | 'halt'> {
  readonly results: readonly ExplainedResult[];
  readonly halt?: ExplainedHalt;
}

export interface ExplainedResult extends Omit<ChangeResult, 'error'> {
  readonly error?: ShownError;
  /** What came of it, where there is no service error to tell it. */
  readonly reason?: string;
}

/** Why nothing more was sent: of the state and its journal in words. */
export type ExplainedHalt<H extends ProbeHalt | Halt = Halt> =
  | Exclude<H, { readonly problems: unknown } | { readonly kind: 'service' }>
  | { readonly kind: 'journal' | 'state-lost'; readonly message: string }
  | { readonly kind: 'service'; readonly error: ShownError };

export function explainReport({ results, halt, ...report }: ApplyReport): ExplainedReport {
  return { ...report, results: results.map(explainResult), ...(halt && { halt: explainHalt(halt) }) };
}

export function explainResult(result: ChangeResult): ExplainedResult {
  const { error, reasons = [] } = result;
  const outcomes = reasons.filter(({ code }) => Object.hasOwn(resultTexts, code));
  const reason = outcomes.map((each) => wordsFor(resultTexts, each.code, each)).join('; ');
  return { ...result, ...(error && { error: explainError(error) }), ...(reason !== '' && { reason }) };
}

export function explainHalt<H extends ProbeHalt | Halt>(halt: H): ExplainedHalt<H> {
  if ('problems' in halt) {
    const sentences = explainProblems(halt.problems, '').map(({ message }) => message);
    return { kind: halt.kind, message: sentences.join('; ') };
  }
  const error = 'error' in halt && halt.error && { error: explainError(halt.error) };
  return { ...halt, ...error } as ExplainedHalt<H>;
}

/** Without the reasons of a plan, which say themselves why nothing was sent. */
const resultTexts: Table<ResultReason, 'code', string> = {
  ...distrusts,
  'look-again': () => 'it may or may not exist; the next apply looks for it again',
  'no-id-answered': ({ address }) => `${address} has no ID in the response`,
  'not-created': ({ address }) => `${address} was not created`,
  'not-found': () => 'no record was found under its declared or derived ID',
  'not-repeated': () =>
    'not sent again: an earlier run sent its create without getting a response, and the service does not honor IDs',
  'not-replaced': ({ address }) => `${address} was not replaced`,
  'nothing-found': () =>
    'nothing is created: no item was found under an ID derived from the idNamespace of the environment, which may be wrong; if an item is new: --confirm-new ADDRESS',
  'waits-for': ({ address }) => `depends on ${address} (unknown)`,
};
