import type { ApplyReport, ChangeResult, Halt, ResultReason } from '../../apply/model.ts';
import type { Change, Guard, Plan } from '../../plan/model.ts';
import type { GuardReason } from '../../plan/reason.ts';
import type { ProbeHalt } from '../../probe/model.ts';
import { pluralize } from '../words.ts';
import { environmentProblems } from './environment-problems.ts';
import { type ExplainedDiagnostic, explained, explainProblems } from './explain-problem.ts';
import { explainReason } from './plan-reasons.ts';
import { distrustText, explainError, type ShownError } from './seen-text.ts';
import { olderThanNewest } from './sentences.ts';

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

/** `flags`: what printed commands need to mean the catalog and the environment of the plan. */
export function explainPlan(plan: Plan, flags: string): ExplainedPlan {
  return {
    ...plan,
    guards: plan.guards.map((guard) => ({ ...guard, ...explainGuard(guard, plan.environment, flags) })),
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

/** Why apply refuses a plan as a whole, in words. `begin` is the command that begins a state, by default that of apply. */
export function explainGuard(
  guard: GuardReason,
  environment: string,
  flags: string,
  begin = `trove apply${flags} --new-environment`,
): Explanation {
  const [reason, ...remedies] = guardWords(guard, environment, flags, begin);
  return { reason, remedies };
}

function guardWords(
  guard: GuardReason,
  environment: string,
  flags: string,
  begin: string,
): readonly [reason: string, ...remedies: readonly string[]] {
  const recover = (when: string) => `${when}: trove apply${flags} --recover`;
  switch (guard.code) {
    case 'no-state':
      return [
        `environment ${environment} has no state, so every record would be created anew`,
        'if it was applied before, put its state back first',
        recover('if the state is lost for good'),
        `if this environment is really new: ${begin}`,
      ];
    case 'shared-team': {
      const [reason, hint = ''] = environmentProblems['shared-team'](guard, flags);
      return [reason, hint];
    }
    case 'database-gone':
      return [
        'the database of the embedded service is gone, and the state still has its records',
        'put it back',
        `to begin again with an empty service, remove ${guard.statePath}`,
      ];
    case 'state-gone':
      return [
        'the state is gone, and the embedded service may have its records, which would be created twice',
        'put it back',
        recover('to find its records again'),
        `to begin again with an empty service, remove ${guard.dataFolder}`,
      ];
    case 'older-state':
      return [
        olderThanNewest(guard.serial, guard.newest),
        'put the newer version back: from git, or from a copy that trove state pull made',
        recover('if it is lost for good'),
        `if this one is right all the same: trove state push${flags} --force FILE`,
      ];
    case 'partial-state': {
      const more = guard.others > 0 ? ` and ${guard.others} more` : '';
      const begun = guard.begunBy === 'import' ? 'an import' : 'a probe';
      return [
        `the state was begun by ${begun}, and ${guard.first}${more}, which it does not know, would be created anew`,
        `if the team has them: trove import ADDRESS ID${flags}`,
        recover('if its state was lost'),
        `if they are really new: trove apply${flags} --new-environment`,
      ];
    }
    case 'strange-state':
      return [
        `the state knows none of the ${guard.declared} resources of this catalog, and has ${pluralize(guard.recorded, 'other')}: is it the right one?`,
        'check the catalog and the environment',
        `if all of them really are new: trove apply${flags} --confirm-new`,
      ];
    case 'limit-exceeded':
      return [
        `the plan has ${pluralize(guard.count, guard.limit === 'maxCreates' ? 'create' : 'update')}, and \`limits.${guard.limit}\` allows ${guard.allowed}`,
        'raise the limit in a reviewed change',
        'apply in parts with --target',
      ];
  }
}

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
  const reason = reasons.flatMap((each) => resultText(each as ResultReason) ?? []).join('; ');
  return { ...result, ...(error && { error: explainError(error) }), ...(reason !== '' && { reason }) };
}

export function explainHalt<H extends ProbeHalt | Halt>(halt: H): ExplainedHalt<H> {
  if ('problems' in halt) {
    const sentences = explainProblems(halt.problems, '').map(({ message }) => message);
    return { kind: halt.kind, message: sentences.join(' ') };
  }
  const error = 'error' in halt && halt.error && { error: explainError(halt.error) };
  return { ...halt, ...error } as ExplainedHalt<H>;
}

/** Undefined for the reasons of a plan, which say themselves why nothing was sent. */
function resultText(reason: ResultReason): string | undefined {
  switch (reason.code) {
    case 'look-again':
      return 'nobody knows whether it is there; the next apply looks for it again';
    case 'no-id-answered':
      return `${reason.address} has no id in the answer`;
    case 'not-created':
      return `${reason.address} was not created`;
    case 'not-repeated':
      return 'an earlier run sent its create and saw no answer, and the service does not honour ids, so it was not sent again';
    case 'not-replaced':
      return `${reason.address} was not replaced`;
    case 'nothing-found':
      return 'no item was found under an id derived from the idNamespace of the environment, so it may be another one, and nothing is created; what surely is new: --confirm-new ADDRESS';
    case 'waits-for':
      return `waits for ${reason.address} (unknown)`;
    default:
      return distrustText(reason);
  }
}
