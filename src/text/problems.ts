/**
 * Every problem that a user can cause, by its rule, with the values that its sentence needs. `src/render/messages` makes
 * the sentences, so names stand here as they are in the file: not quoted, not cut.
 */
export interface Problems extends CatalogProblems, EnvironmentProblems {}

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
