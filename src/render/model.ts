import type { CredentialNames } from '../environment/model.ts';
import type { Plan } from '../plan/model.ts';
import type { ExplainedDiagnostic } from './messages/explain-problem.ts';
import type { ExplainedReport } from './messages/explain-report.ts';

/** An environment that could not be planned. */
export interface FailedEnvironment {
  readonly environment: string;
  readonly problems: readonly ExplainedDiagnostic[];
}

/** What became of one of several environments. Without a report nothing was sent. */
export interface AppliedEnvironment extends FailedEnvironment {
  readonly exitCode: number;
  readonly report?: ExplainedReport;
  readonly reader?: HintContext;
  /** Its events end before it does: what else happened is not known here. */
  readonly isUnfinished?: boolean;
}

/** What hints and printed commands need: the names of the credentials, and the flags that mean this environment. */
export interface HintContext {
  readonly credentials: CredentialNames;
  readonly flags: string;
  /** What the flags of this run asked for: a next one needs them again for what is left. */
  readonly askedFor?: AskedFor;
}

/** The flags that ask for changes which no later plan has by itself. */
export type AskedFor = Pick<Plan, 'reassert' | 'replace' | 'targets'>;
