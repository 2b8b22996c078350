import type { ApplyReport, ChangeResult, Halt, ResultReason } from '../../apply/model.ts';
import type { ProbeHalt } from '../../probe/model.ts';
import { explainProblems } from './explain-problem.ts';
import { distrustText, explainError, type ShownError } from './seen-text.ts';

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
