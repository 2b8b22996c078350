/**
 * Every problem that a user can cause, by its rule, with the values that its sentence needs. `src/render/messages` makes
 * the sentences, so names stand here as they are in the file: not quoted, not cut.
 */
export interface Problems
  extends TextProblems,
    YamlProblems,
    CatalogProblems,
    EnvironmentProblems,
    CommandProblems,
    StateCommandProblems,
    ServiceCommandProblems {}

export type Rule = keyof Problems;

/** What names are known, to find the one that was meant: these, or the keys. */
export type Names = readonly string[] | ReadonlyMap<string, unknown> | object;

type Nothing = Readonly<Record<string, never>>;

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
  /** `prefix`: what reserves it; absent: nobody may use it. */
  'reserved-key': { key: string; prefix?: string };
  'self-alias': { alias: string };
  'several-documents': Nothing;
  'unknown-alias': { anchor: string };
  'unknown-tag': { tag: string };
  'yaml-depth': { most: number };
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
  'shared-team': { name: string; other: string };
  'state-path': { why: 'control-character' | 'ending' | 'outside' };
  'unbound-attribute': { attribute: string; environments: readonly string[] };
  'unknown-environment': { name: string; isPattern: boolean; known: readonly string[] };
  /** `count`: how often it is used. */
  'unset-variable': { variable: string; isEmpty: boolean; count: number };
  'unusable-variable': { variable: string; holds: 'control-character' | 'placeholder'; count: number };
}

/** What a command can't do with what it was given: arguments, answers, files. */
export interface CommandProblems {
  'beyond-loopback': { host: string };
  /** The folder, as people name it. */
  'catalog-exists': { catalog: string };
  'credentials-in-argument': { why: 'assignment'; variable: string } | { why: 'url'; place: string };
  'database-folder': SystemCause;
  /** What does not fit it; or why it did not start. */
  'embedded-service': { flags: readonly string[] } | { cause: string };
  'environment-exists': Nothing;
  'formats-collide': { why: 'standard-output'; format: string } | { why: 'one-file' };
  'invalid-events-file':
    | { why: 'no-event'; line: number }
    | { why: 'second-apply'; line: number; environment: string };
  'invalid-fault':
    | { why: 'missing-field' | 'extra-field'; kind: string; field: string }
    | { why: 'never-read' | 'after-commit' };
  'invalid-setting':
    | { why: 'id' | 'variable' }
    | { why: 'base-url'; problem: EnvironmentProblems['base-url'] };
  'missing-settings': { missing: readonly ('base-url' | 'team-id')[] };
  'no-database': Nothing;
  'no-user': { environment: string };
  'not-copied': { environment: string };
  'not-formatted': Nothing;
  'not-in-catalog': { catalog: string };
  /** `name`: of the environment that was to be made. */
  'nothing-to-copy': { name: string };
  'one-environment': { why: 'several' | 'arguments'; environments: readonly string[] };
  'output-in-catalog': Nothing;
  'output-without-file': { format: string };
  'page-without-file': Nothing;
  'port-in-use': { host: string; port: number };
  'same-environment': { environment: string };
  'same-state': { environment: string };
  'same-team': { environment: string };
  serve: { said: string };
  'unknown-format': { format: string; known: readonly string[] };
  'unwritable-file': SystemCause & { what: 'file' | 'output' | 'step-summary' };
  /** An answer on a terminal. */
  'yes-or-no': Nothing;
}

/** What a command can't do with a state, or with what it should record. */
export interface StateCommandProblems {
  'address-taken': { from: string; to: string };
  /** `running`, `stepping`: a run, or a process that takes or removes the lock; `alive`: it surely runs here. */
  locked:
    | { why: 'held' | 'alive' | 'taken'; owner: Owner | undefined }
    | { why: 'running' | 'stepping'; isAlive: boolean; owner: Owner | undefined };
  /** Without an id: a pending create. */
  'lost-id': { address: string; id: string | null };
  'no-ids': Nothing;
  'no-state': { environment: string };
  /** `known`: addresses of a catalog that may have been meant. */
  'not-an-address': { address: string; known?: Names };
  /** Of a file that is pushed, beside the state that is recorded, or beside the newest that this machine had. */
  'older-state': { than: 'recorded' | 'newest'; serial: number; newest: number };
  'other-kind': { from: string; to: string };
  'other-lineage': Nothing;
  /** `wanted`: to forget it; otherwise an id was named for it. */
  'pending-create': { address: string; wanted?: 'forget' };
  'unknown-address': { address: string; known: readonly string[] };
}

/** What the system said: its code, where it has one, and its own words. */
export interface SystemCause {
  code: string | undefined;
  said: string;
}

/** Who holds a lock. */
export interface Owner {
  readonly who: string;
  readonly operation: string;
  readonly since: string;
  readonly process: { readonly pid: number };
}

/** Of the commands that plan, or that ask the service. `catalog`: its folder, where a command needs no other flag. */
export interface ServiceCommandProblems {
  /** `reason`: as the state has it. */
  'another-record': { why: string; reason: string; address: string; id: string };
  'database-in-use': { cause: string };
  'file-refused': { environments: readonly string[] };
  'held-id': { id: string; address: string; holder: string };
  /** A create that waits for a word, or any command that writes. */
  interrupted: { isPending: boolean };
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
