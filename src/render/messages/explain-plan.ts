import type { ApplyReport, ChangeResult, Halt, ResultReason } from '../../apply/model.ts';
import type { Change, Guard, Plan } from '../../plan/model.ts';
import { noOptions, type PlanOptions } from '../../plan/options.ts';
import type { GuardReason } from '../../plan/reason.ts';
import type { ProbeHalt } from '../../probe/model.ts';
import { pluralize } from '../words.ts';
import { environmentProblems } from './environment-problems.ts';
import { type ExplainedDiagnostic, explained, explainProblems } from './explain-problem.ts';
import { explainReason, type Subject } from './plan-reasons.ts';
import { distrusts, explainError, type ShownError } from './seen-text.ts';
import { applyCommandFor, olderThanNewest, type Table, type Words, wordsFor } from './sentences.ts';

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

interface Occasion {
  /** The command that lifts the guards, by default that of apply. */
  readonly begin?: string | undefined;
  /** An apply shows it: no other run has the state, and what has to be begun is. */
  readonly isLocked?: boolean;
}

/** `flags`: what printed commands need to mean the catalog and the environment of the plan. */
export function explainPlan(
  plan: Plan,
  flags: string,
  { begin, isLocked = false }: Occasion = {},
): ExplainedPlan {
  const { targets, confirmNew } = { ...noOptions, ...plan };
  // A recovery that has begun goes on unasked.
  const recover = plan.recover === true && plan.state.lineage === null && !isLocked;
  const asked = { targets, confirmNew, recover };
  return {
    ...plan,
    guards: plan.guards.map((guard) => ({
      ...guard,
      ...explainGuard(guard, { environment: plan.environment, flags, begin, asked }),
    })),
    changes: plan.changes.map((change) => explainChange(change, { flags, asked, isLocked })),
  };
}

function explainChange(change: Change, subject: Omit<Subject, 'address'>): ExplainedChange {
  const { address, reasons } = change;
  if (reasons === undefined) return change;
  const words = reasons.map((reason) => explainReason(reason, { ...subject, address }));
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

/** What a guard is about: the command that lifts it begins with that of apply, if `begin` names no other. */
interface Guarded {
  readonly environment: string;
  readonly flags: string;
  readonly begin?: string | undefined;
  readonly asked?: Partial<PlanOptions> | undefined;
}

/** Why apply refuses a plan as a whole, in words. */
export function explainGuard(guard: GuardReason, guarded: Guarded): Explanation {
  const { flags, asked } = guarded;
  const begin = guarded.begin ?? `${applyCommandFor(flags, asked)} --new-environment`;
  const apply = (more: Partial<PlanOptions>) => applyCommandFor(flags, asked, more);
  const [reason, ...remedies] = wordsFor(guardWords, guard.code, guard, { ...guarded, begin, apply });
  return { reason, remedies };
}

interface GuardCommands extends Guarded {
  readonly begin: string;
  readonly apply: (more: Partial<PlanOptions>) => string;
}

const RESTORE =
  "restore the state from git, or from a copy made with trove state pull (a deleted branch: see Trove's docs/state.md)";

const guardWords: Table<GuardReason, 'code', Words, [commands: GuardCommands]> = {
  'no-state': (_, { environment, apply, begin }) => [
    `environment ${environment} has no state, so every resource would be created`,
    `after an earlier apply, ${RESTORE}`,
    `if the state is lost: ${apply({ recover: true })}`,
    `for a new environment: ${begin}`,
  ],
  'state-on-runner': (_, { environment }) => [
    `the state of environment ${environment} is a file of this runner, and its IDs would be gone with it`,
    `add \`state: { backend: git }\` to environments/${environment}.yaml, and move the state there (see Trove's docs/state.md)`,
  ],
  'shared-team': (guard) => environmentProblems['shared-team'](guard),
  'database-gone': ({ statePath }) => [
    'the database of the embedded service is missing, but the state has its records',
    'restore the database',
    `to start over with an empty service, remove ${statePath} from the catalog folder`,
  ],
  'state-gone': ({ serial, remove }, { environment, apply }) => [
    serial === undefined
      ? 'the state is missing, but the embedded service may have its records, which would be created twice'
      : `the state of environment ${environment} is missing, but this machine applied to it before (serial ${serial}): its records would be created twice`,
    RESTORE,
    `if it is lost: ${apply({ recover: true })}`,
    `if the service is empty, remove ${remove} from the catalog folder to start over`,
  ],
  'older-state': ({ serial, newest }, { flags, apply }) => [
    olderThanNewest(serial, newest),
    'restore the newer version from git, or from a copy made with trove state pull',
    `if it is lost: ${apply({ recover: true })}`,
    `if this version is the right one: trove state push${flags} --force FILE`,
  ],
  'partial-state': ({ begunBy, first, others }, { flags, apply, begin }) => [
    `the state was started by ${begunBy === 'import' ? 'an import' : 'a probe'} and lacks ${first}${others > 0 ? ` and ${others} more` : ''}, which would be created`,
    `if the team has them: trove import ADDRESS ID${flags}`,
    `if its state was lost: ${apply({ recover: true })}`,
    `if they are new: ${begin}`,
  ],
  'strange-state': ({ declared, recorded }, { apply }) => [
    `the state has none of the ${declared} resources in this catalog, only ${pluralize(recorded, 'other')}: is it the right state?`,
    'check the catalog and the environment',
    `if all of them are new: ${apply({ confirmNew: 'all' })}`,
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
    'nothing is created, because no item was found: the idNamespace of the environment may be wrong; if it is right and the item is new: --recover --confirm-new ADDRESS',
  'waits-for': ({ address }) => `depends on ${address} (unknown)`,
};
