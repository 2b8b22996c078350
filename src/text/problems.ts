/**
 * Every problem that a user can cause, by its rule, with the values that its sentence needs. `src/render/messages` makes
 * the sentences, so names stand here as they are in the file: not quoted, not cut.
 */
export interface Problems
  extends CatalogProblems,
    EnvironmentProblems,
    ImportProblems,
    PlanProblems,
    StateProblems {}

export type Rule = keyof Problems;

/** What names are known, to find the one that was meant: the keys, or the members of a set. */
export type Names = ReadonlyMap<string, unknown> | ReadonlySet<string> | object;

/** The rule says it all. */
type Nothing = Readonly<Record<string, never>>;

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
  /** `first`: the other environment of its team. */
  'shared-team': { environment: string; first: string };
}

/** Of the ids that a person names. */
export interface ImportProblems {
  /** `why`: what has the id. */
  'held-id': { why: 'option' | 'pending' | 'recorded'; id: string; holder: string; address: string };
  'import-file': { why: 'empty' | 'ending' };
  'import-form': { why: 'columns' | 'no-id' };
  'not-an-address': { address: string; known: Names };
  'option-alone': { classifier: string };
  'pending-create': { address: string };
  'recorded-already':
    | { why: 'other-id'; address: string; resource: string; id: string }
    | { why: 'no-option'; resource: string; option: string };
  'repeated-address': { address: string };
  'repeated-id': { addresses: readonly [string, string] };
  undeclared: { resource: string; option?: string; known: Names };
  'unusable-id': Nothing;
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
  | 'lineage'
  | 'serial'
  | 'team'
  | 'trove-version';

/** Of the file of a state, its lock and its journal. */
export interface StateProblems {
  'journal-contradiction': { why: 'impossible-event'; said: string } | ({ why: 'invalid' } & InvalidState);
  'journal-closed': Nothing;
  'journal-damaged': { line: number };
  /** `isNext`: this state may take it in. `serial`: what it continues. */
  'journal-elsewhere': {
    path: string;
    place: string;
    isNext: boolean;
    serial: number;
    ids: readonly RecordedId[];
  };
  'journal-format-newer': Formats;
  'journal-format-older': Formats;
  'journal-full': Nothing;
  'journal-mismatch': JournalMismatch & { ids: readonly RecordedId[] };
  'journal-not-durable': SystemCause;
  /** Or removed, by somebody else. */
  'journal-replaced': Nothing;
  'state-changed': { expected: number; found: number; isSaving: boolean };
  'state-format-newer': Formats;
  'state-format-older': Formats;
  'state-invalid': InvalidState;
  'state-lock-lost': Nothing;
  'state-moved': { before: string; now: string };
  /** `position`, `line` and `column`: as far as the parser tells where it is wrong. */
  'state-not-json':
    | { why: 'merge-conflict' | 'not-utf8' }
    | { why: 'syntax'; position?: number; line?: number; column?: number };
  'state-of-another-target': { recorded: Team; named: Team };
  'state-storage': { action: StorageAction } & SystemCause;
  'state-too-large': { maxBytes: number };
}

/** What the system said: its code, where it has one, and its own words. */
interface SystemCause {
  code: string | undefined;
  said: string;
}

interface Formats {
  found: number;
  known: number;
}

interface RecordedId {
  readonly address: string;
  readonly id: string;
}

/** Why a journal neither continues a state nor is taken in by it, with the serials of the two. */
export type JournalMismatch =
  | { why: 'state-missing'; journal: number }
  | { why: 'other-lineage' | 'other-target' }
  | { why: 'later-state' | 'not-taken-in'; journal: number; state: number }
  | { why: 'other-contents'; state: number };

/** `said`: in the words of the validator, about the property or value `about`; `more`: what else it found. */
export type InvalidState =
  | { flaw: 'schema'; place: string; said: string | undefined; about?: unknown; more: number }
  | Contradiction;

/** What the schema can't see. */
export type Contradiction =
  | { flaw: 'unusable-id'; address: string; id: string }
  | { flaw: 'repeated-entry'; address: string; status: string }
  | { flaw: 'repeated-id'; addresses: readonly [string, string]; id: string };

interface Team {
  readonly baseUrl: string;
  readonly teamId: string;
}

/** What could not be done with a file. */
export type StorageAction =
  | 'change-lock'
  | 'read-journal'
  | 'read-lock'
  | 'read-other-journal'
  | 'read-state'
  | 'release-lock'
  | 'remove-journal'
  | 'write-state';
