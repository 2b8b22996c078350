import type { CredentialNames } from '../environment/model.ts';
import type { Plan } from '../plan/model.ts';
import type { words } from './messages/doctor.ts';
import type { ExplainedReport } from './messages/explain-plan.ts';
import type { ExplainedDiagnostic } from './messages/explain-problem.ts';

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
  /** Its events end before it does: what else happened is not known. */
  readonly isUnfinished?: boolean;
}

/** What hints and printed commands need: the names of the credentials, and the flags that mean this environment. */
export interface HintContext {
  readonly credentials: CredentialNames;
  readonly flags: string;
  /** What the flags of this run asked for: a next one needs them again for what is left. */
  readonly askedFor?: AskedFor;
}

/** The flags that ask for changes which no later plan has unless asked. */
export type AskedFor = Pick<Plan, 'reassert' | 'replace' | 'targets'>;

/** What `trove doctor` looks at, in the order in which a person would put things right. */
export const doctorChecks = [
  'node',
  'catalog',
  'environment',
  'base-url',
  'credentials',
  'service',
  'team',
  'state',
  'lock',
  'journal',
  'unknown',
  'unconfirmed',
  'imported',
  'diverged',
  'profile',
  'git',
] as const;

export type DoctorCheck = (typeof doctorChecks)[number];

/** What one check found, as data: `messages/doctor.ts` says what it is, and what to do. */
export type Finding = {
  readonly [Code in FoundCode]: {
    readonly check: DoctorCheck;
    /** `skipped`: it could not be looked at. */
    readonly status: 'ok' | 'warning' | 'error' | 'skipped';
    readonly code: Code;
  } & Found[Code];
}[FoundCode];

export type FoundCode = keyof typeof words;

/** The values of each. */
export type Found = {
  readonly [Code in FoundCode]: Parameters<(typeof words)[Code]> extends readonly [infer Values, ...unknown[]]
    ? Values
    : object;
};

/** Of the records of a state: what waits for a person or for the next run. */
export type RecordCheck = Found['wait']['of'];

/** A finding put into words. Texts are not escaped; a remedy that ends with `: trove ...` has a command to type. */
export interface ExplainedFinding extends Pick<Finding, 'check' | 'status'> {
  readonly message: string;
  readonly remedies: readonly string[];
}
