/** What names are known, to find the one that was meant: these, or the keys. */
export type Names = readonly string[] | ReadonlySet<string> | ReadonlyMap<string, unknown> | object;

/** The rule says it all. */
export type Nothing = Readonly<Record<string, never>>;

/** What the system said: its code, where it has one, and its own words. */
export interface SystemCause {
  code: string | undefined;
  said: string;
}

/** Where a rule has several sentences, a value tells them apart. `of` is the path of the value; null: the whole file. */
export interface TextProblems {
  'csv-size': { most: number };
  /** The parser's. */
  'csv-syntax': { code: string };
  /** `most`: in MiB. */
  'file-size': { file: string; most: number };
  'invalid-key': { key: string };
  'invalid-value':
    | { why: 'empty'; of: string | null }
    | { why: 'other-form'; of: string | null; given: unknown; wanted: string | undefined }
    | { why: 'other-value'; of: string | null; given: unknown; allowed: readonly unknown[] }
    | { why: 'too-small'; of: string | null; least: number }
    /** `problem`: in the words of the validator. */
    | { why: 'other'; of: string | null; problem: string | undefined };
  /** `link`: of the catalog. */
  'link-outside': { link: string } | { folder: FolderName };
  /** `isAlso`: because `of` is there; `item`: that of the catalog which an override patches. */
  'missing-property': { of: string | null; missing: readonly string[]; isAlso?: boolean; item?: string };
  'more-problems': { more: number };
  'not-a-file': { file: string; isFolder: boolean };
  'not-utf8': Nothing;
  'repeated-value': { of: string | null; entry: unknown };
  'text-length': { of: string | null; length: number; most: number; isFilledIn?: boolean };
  'unknown-property': { name: string; of: string | undefined; known: Names };
  /** `code`: the system's. */
  unreadable: { file: string; code: string };
  /** `wanted`: as a schema names types. */
  'wrong-type': { of: string | null; wanted: readonly string[]; given: unknown };
}

/** A folder that no link may lead out of. */
export type FolderName = 'catalog' | 'working-folder';

export interface YamlProblems {
  'alias-limit': { most: number };
  'bad-merge': Nothing;
  'control-character': { isBinary: boolean };
  'decimal-comma': { number: string };
  /** `isLocal`: in one mapping. */
  'duplicate-key': { kind: string; key: string; isLocal?: boolean };
  'inexact-number': InexactNumber;
  'non-string-key': { type: string };
  /** `prefix`: what reserves it; absent: it may not be used. */
  'reserved-key': { key: string; prefix?: string };
  'self-alias': { alias: string };
  'several-documents': Nothing;
  'unknown-alias': { anchor: string };
  'unknown-tag': { tag: string };
  'yaml-depth': { most: number };
  'yaml-size': { most: number };
  /** `character`: the one at the place; `words`: the parser's own. */
  'yaml-syntax': { why: SyntaxMistake; character: string } | { why: 'other'; words: string };
}

/** A text that looks like a number but can't travel as one. `value`: the nearest thing to go on with. */
export type InexactNumber =
  | { readonly why: 'infinite' | 'too-large'; readonly text: string; readonly value: number }
  | { readonly why: 'leading-zero'; readonly text: string; readonly plain: string; readonly value: number }
  | { readonly why: 'inexact'; readonly text: string; readonly digits: number; readonly value: number };

export type SyntaxMistake =
  | 'block-head'
  | 'directive'
  | 'escape'
  | 'first-character'
  | 'indentation'
  | 'key-lines'
  | 'no-comma'
  | 'open-bracket'
  | 'open-quote'
  | 'quote-inside'
  | 'second-colon'
  | 'stray-bracket'
  | 'tab'
  | 'tag'
  | 'uneven-lines'
  | 'unread';

export interface CatalogProblems {
  'broken-link': { link: string };
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
  'missing-catalog': { folder: string; isFile: boolean };
  'nested-catalog': { folder: string; inner: string };
  placeholder: { text: string };
  'same-item-id': { id: string; items: readonly [string, string] };
  'same-option-name': { name: string; options: readonly [string, string] };
  'unknown-field': { field: string; known: readonly string[] };
  /** `of`: the classifier of an option; `isOutside`: the name stands outside of the catalog. */
  'unknown-reference': { kind: string; name: string; of?: string; known: Names; isOutside?: boolean };
  /** `prefix`: that of the variables that a catalog may use; `allowed`: one of these that may have been meant. */
  'variable-name': { variable: string; prefix: string; allowed: string };
}

export interface EnvironmentProblems {
  'base-url': { why: 'credentials' | 'not-http' | 'path' | 'plain-http' | 'query' };
  'credential-variable': { field: string; prefix: string };
  'environment-name': { name: string };
  'invalid-credentials':
    | { why: 'password' | 'username'; variable: string }
    /** Typed at a prompt. */
    | { why: 'empty'; part: 'password' | 'username' }
    | { why: 'too-long'; variable: string; most: number }
    | { why: 'input-too-long' | 'input-not-text' };
  /** What `only` leaves out: of an override, or although a selected item (and `more`) is assigned to it. */
  'left-out':
    | { why: 'overridden'; kind: string; key: string }
    | { why: 'assigned'; item: string; more: number; classifier: string };
  'matches-nothing': { pattern: string; known: Names };
  'missing-credentials': { variable: string; part: 'password' | 'username'; environment: string };
  'nothing-to-take': { item: string; attribute: string };
  'one-service': { isBoth: boolean };
  /** `first`: the other environment of its team. */
  'shared-team': { environment: string; first: string };
  'state-bucket-missing': Nothing;
  'state-setting': { setting: string; backend: string; known: readonly string[] };
  'state-path': { why: 'control-character' | 'ending' | 'outside' | 'local' };
  'unbound-attribute': { attribute: string; environments: readonly string[] };
  /** `isLocal`: a pattern that the name `local` fits, which no pattern selects. */
  'unknown-environment': { name: string; isPattern: boolean; isLocal?: boolean; known: readonly string[] };
  /** `count`: how often it is used. */
  'unset-variable': { variable: string; isEmpty: boolean; count: number };
  'unusable-variable': { variable: string; holds: 'control-character' | 'placeholder'; count: number };
}
