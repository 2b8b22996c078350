import type { EnvironmentProblems, Names, Nothing, SystemCause } from './files.ts';

/** What a command can't do with what it was given: arguments, answers, files. */
export interface CommandProblems {
  'beyond-loopback': { host: string };
  /** The folder, as people name it. */
  'catalog-exists': { catalog: string };
  'credentials-in-argument':
    | { why: 'assignment'; variable: string }
    | { why: 'url'; place: string }
    | { why: 'password' };
  'database-folder': SystemCause;
  /** What does not fit it; or why it did not start. */
  'embedded-service': { flags: readonly string[] } | { cause: string };
  'environment-exists': Nothing;
  /** Undefined: its file or its state can't be read, or the state is gone. */
  'environment-in-use': { environment: string; records: number | undefined };
  'formats-collide': { why: 'standard-output'; format: string } | { why: 'one-file' };
  'invalid-events-file':
    | { why: 'no-event'; line: number }
    | { why: 'second-apply'; line: number; environment: string };
  /** In the words of the embedded service, which stands apart. */
  'invalid-fault': { said: string };
  'invalid-setting':
    | { why: 'id' | 'no-team' | 'variable' }
    | { why: 'base-url'; problem: EnvironmentProblems['base-url'] };
  'missing-settings': { missing: readonly ('base-url' | 'team-id')[] };
  'no-database': Nothing;
  'no-user': { environment: string };
  'not-copied': { environment: string };
  'not-embedded': { environment: string };
  'not-formatted': Nothing;
  'not-in-catalog': { catalog: string };
  'nothing-applied': Nothing;
  /** `name`: of the environment that was to be made. */
  'nothing-to-copy': { name: string };
  'nothing-to-remove': { environment: string };
  'one-environment': { why: 'several' | 'arguments'; environments: readonly string[] };
  'output-in-catalog': { folder: 'catalog' | '.git' };
  'output-without-file': { format: string };
  'page-without-file': Nothing;
  'port-in-use': { host: string; port: number };
  'same-environment': { environment: string };
  'same-state': { environment: string };
  'same-team': { environment: string };
  serve: { said: string };
  'unknown-code': { code: string; known: readonly string[] };
  'unknown-format': { format: string; known: readonly string[] };
  'unwritable-file': SystemCause & { what: 'file' | 'output' | 'step-summary' };
  /** An answer on a terminal. */
  'yes-or-no': Nothing;
}

/** Of the commands that plan, or that ask the service. `catalog`: its folder, where a command needs no other flag. */
export interface ServiceCommandProblems {
  /** `reason`: as the state has it. */
  'another-record': { why: string; reason: string; address: string; id: string };
  'database-in-use': { cause: string };
  'file-refused': { environments: readonly string[] };
  /** A create that waits for a word, or any command that writes. */
  interrupted: { isPending: boolean };
  'no-address': object;
  'no-word':
    | { why: 'one'; address: string }
    | { why: 'several'; addresses: readonly string[] }
    | { why: 'all' };
  'not-editable': object;
  'not-pending': { pending: readonly string[]; catalog: string };
  'one-password': object;
  /** `begins`: nothing is recorded yet of one that is planned. */
  'other-environment': {
    planned: readonly string[];
    named: readonly string[];
    file: string;
    catalog: string;
    begins: boolean;
  };
  'profile-known': { environment: string };
  'reserved-address': { address: string; id: string };
  'state-gone': { records: number };
  'target-with-plan': object;
  'wrong-team': { userId: string; answered: string; expected: string };
}

/** Of a saved plan, and of the addresses that a person names. */
export interface PlanProblems {
  'altered-plan': { why: 'other-files' | 'other-plan' };
  'invalid-plan-file': { why: 'not-json' | 'other-form' } | { why: 'planned-twice'; environment: string };
  'nothing-to-replace': { why: 'undeclared' | 'unrecorded' };
  /** The values are left out where they are digests. */
  'stale-plan': { what: BoundTo; was?: string | number | null; is?: string | number | null };
  'unknown-target': { why: 'moved'; to: string } | { why: 'unknown'; address: string; known: Names };
}

/** What a saved plan is bound to. */
export type BoundTo =
  | 'base-url'
  | 'catalog'
  | 'environment'
  | 'environment-file'
  | 'journal'
  | 'lineage'
  | 'serial'
  | 'team'
  | 'trove-version';
