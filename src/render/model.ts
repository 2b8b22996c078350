import type { CredentialNames } from '../environment/model.ts';
import type { LockOwner } from '../state/lock-owner.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
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
  /** Its events end before it does: what else happened is not known here. */
  readonly isUnfinished?: boolean;
}

/** What hints and printed commands need: the names of the credentials, and the flags that mean this environment. */
export interface HintContext {
  readonly credentials: CredentialNames;
  readonly flags: string;
}

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

/** Of the records of a state: what waits for a person or for the next run. */
export type RecordCheck = Extract<DoctorCheck, 'unknown' | 'unconfirmed' | 'imported' | 'diverged'>;

/** What one check found, as data. `messages/doctor.ts` says what it is, and what to do. */
export type Finding = {
  readonly [Code in FoundCode]: {
    readonly check: DoctorCheck;
    /** `skipped`: it could not be looked at. */
    readonly status: 'ok' | 'warning' | 'error' | 'skipped';
    readonly code: Code;
  } & Found[Code];
}[FoundCode];

export type FoundCode = keyof Found;

/** How many records a state has, and where it is. */
interface Counted {
  path: string;
  counts: Readonly<Record<'live' | 'retired' | 'imported', number>>;
}

/** All that a check can find, with the values of each. `file`: that of the environment, of which `local` needs none. */
export interface Found {
  // Whatever was looked at.
  problems: { problems: readonly Diagnostic[] };
  broken: { cause: string };
  'failed-before': { before: DoctorCheck };
  'no-environment': object;
  'no-state-read': object;

  node: { version: string };
  'old-node': { version: string; oldest: string };

  catalog: { folder: string; classifiers: number; items: number; files: number };

  environment: { file: string | undefined };

  'embedded-service': { folder: string };
  encrypted: { baseUrl: string };
  'this-machine': { baseUrl: string };
  'not-encrypted': { baseUrl: string };

  credentials: CredentialNames & { isPiped: boolean };
  'no-credentials-needed': object;
  'unusable-password': { problems: readonly Diagnostic[] };
  'unusable-credentials': { problems: readonly Diagnostic[]; file: string | undefined };

  answers: { isEmbedded: boolean };
  'no-user': { file: string | undefined };
  'no-credentials': object;
  'run-has-service': object;
  'database-in-use': object;
  'no-database': object;
  'database-gone': { statePath: string };

  team: { teamId: string; userId: string; spaces: number };
  'other-team': { userId: string; answered: string; expected: string };
  'no-spaces': { userId: string };
  'no-user-to-ask': object;
  'not-asked': object;

  'not-locked': object;
  /** `isGone`: the run that had it has surely ended. */
  locked: { owner: LockOwner | undefined; isGone: boolean };

  state: Counted & { serial: number; lineage: string };
  'state-begins': { path: string };
  'no-state': { path: string };
  'older-state': { serial: number; newest: number };
  recovering: Counted;
  partial: Counted & { by: 'import' | 'probe' };

  'empty-journal': object;
  'journal-of-run': { entries: number };
  'journal-left': { entries: number };

  'none-wait': { of: RecordCheck };
  /** `isRunning`: a run is under way that may see the outcome. */
  wait: { of: RecordCheck; count: number; isRunning: boolean };
  'nothing-recorded': object;

  'known-profile': object;
  /** `untold`: how many points the file leaves out, which nobody can tell by itself. */
  profile: { points: number; untold: number };
  /** `isFirst`: nothing is recorded yet. */
  'unset-points': { unset: number; points: number; isFirst: boolean; file: string | undefined };

  ignored: object;
  'not-ignored': object;
  'no-git': object;
}
