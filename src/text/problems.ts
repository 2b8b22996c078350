/**
 * Every problem that a user can cause, by its rule, with the values that its sentence needs. `src/render/messages` makes
 * the sentences, so names stand here as they are in the file: not quoted, not cut.
 */
export interface Problems extends CatalogProblems, EnvironmentProblems, ServiceCommandProblems {}

export type Rule = keyof Problems;

/** What names are known, to find the one that was meant: the keys. */
export type Names = ReadonlyMap<string, unknown> | object;

/** Where a rule has several sentences, a value tells them apart. */
export interface CatalogProblems {
  'broken-link': { link: string };
  'duplicate-key': { kind: string; key: string };
  'empty-catalog': { folder: string };
  /** An override may have given one of the two. */
  'empty-range': { attribute: string; min: number; max: number; isOneFile: boolean };
  'invalid-move':
    | { why: 'repeated'; end: 'from' | 'to'; address: string }
    | { why: 'other-kind'; from: string; to: string }
    | { why: 'circle'; addresses: readonly string[] }
    | { why: 'declared'; address: string }
    | { why: 'undeclared'; address: string; known: Names };
  'link-loop': { link: string };
  'link-outside': { link: string };
  'missing-catalog': { folder: string; isFile: boolean };
  placeholder: { text: string };
  'reserved-key': { key: string; prefix: string };
  'same-item-id': { id: string; items: readonly [string, string] };
  'same-option-name': { name: string; options: readonly [string, string] };
  'unknown-field': { field: string; known: readonly string[] };
  /** `of`: the classifier of an option. */
  'unknown-reference': { kind: string; name: string; of?: string; known: Names };
  /** `prefix`: that of the variables that a catalog may use; `allowed`: one of these that may have been meant. */
  'variable-name': { variable: string; prefix: string; allowed: string };
}

export interface EnvironmentProblems {
  /** Of an override: what `only` leaves out. */
  'left-out': { kind: string; key: string };
  /** `of`: what lacks them; `item`: that of the catalog which an override patches. */
  'missing-property': { of: string; missing: readonly string[]; item: string };
  'nothing-to-take': { item: string; attribute: string };
}

/** Of the commands that plan, or that ask the service. `catalog`: its folder, where a command needs no other flag. */
export interface ServiceCommandProblems {
  /** `reason`: as the state has it. */
  'another-record': { why: string; reason: string; address: string; id: string };
  'database-in-use': { cause: string };
  'embedded-service': { cause: string };
  'file-refused': { environments: readonly string[] };
  'held-id': { id: string; address: string; holder: string };
  /** A create that waits for a word, or any command that writes. */
  interrupted: { isPending: boolean };
  /** Of a password on standard input. */
  'invalid-credentials': { why: 'too-long' | 'not-text' };
  'no-address': object;
  'no-word': { address: string };
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
  'state-gone': { records: number; dataFolder: string };
  'target-with-plan': object;
  'unusable-id': object;
  'wrong-team': { userId: string; answered: string; expected: string };
}
