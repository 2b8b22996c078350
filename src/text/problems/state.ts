import type { Names, Nothing, SystemCause } from './files.ts';

/** Of the file of a state, its lock and its journal. */
export interface StateProblems {
  'journal-contradiction': { why: 'impossible-event'; said: string } | ({ why: 'invalid' } & InvalidState);
  /** A bug of ours: an event that can't follow what is recorded. */
  'impossible-event': { said: string };
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
  /** Or removed, by another process. */
  'journal-replaced': Nothing;
  'state-bucket': {
    why:
      | 'busy'
      | 'denied'
      | 'foreign'
      | 'no-address'
      | 'no-bucket'
      | 'no-conditions'
      | 'no-keys'
      | 'refused'
      | 'unreachable';
    said: string;
    bucket: string;
  };
  'state-branch': GitTrouble & { remote: string; branch: string };
  'state-database': {
    why: 'busy' | 'newer' | 'no-url' | 'refused' | 'unreachable';
    said: string;
    schema: string;
    variable: string;
  };
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
  'state-server': {
    why:
      | 'busy'
      | 'denied'
      | 'foreign'
      | 'held'
      | 'insecure'
      | 'no-address'
      | 'no-lock'
      | 'refused'
      | 'unreachable';
    /** For `held`: who has the lock of the server, and its ID. */
    said: string;
    origin: string;
    /** The setting or the variable that gives the address. */
    needs: string;
  };
  'state-storage': { action: StorageAction } & SystemCause;
  'state-too-large': { maxBytes: number };
}

/** Why the branch of a state could not be read or changed. `said`: by git or the server. */
export type GitTrouble =
  | { readonly why: 'busy' | 'default-branch' | 'no-git' | 'no-remote' | 'too-large' }
  | { readonly why: 'local' | 'refused' | 'unreachable'; readonly said: string };

export interface Formats {
  found: number;
  known: number;
}

export interface RecordedId {
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
  | { flaw: 'too-much'; levels: number; values: number }
  | { flaw: 'repeated-id'; addresses: readonly [string, string]; id: string };

export interface Team {
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

/** What a command can't do with a state, or with what it should record. */
export interface StateCommandProblems {
  'address-taken': { from: string; to: string };
  /** `running`, `stepping`: a run, or a process that takes or removes the lock; `alive`: it surely runs here. */
  locked:
    | { why: 'held' | 'alive' | 'taken'; owner: Owner | undefined }
    | { why: 'running' | 'stepping'; isAlive: boolean; owner: Owner | undefined };
  'lost-id': { what: 'id'; address: string; id: string } | { what: 'create' | 'update'; address: string };
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

/** Who holds a lock. */
export interface Owner {
  readonly who: string;
  readonly operation: string;
  readonly since: string;
  readonly process: { readonly pid: number };
}

/** Of the ids that a person names. */
export interface ImportProblems {
  /** `why`: what has the id that is imported, or that a create is resolved by. */
  'held-id': {
    why: 'option' | 'pending' | 'recorded' | 'resolving' | 'pending-too';
    id: string;
    holder: string;
    address: string;
  };
  'import-file': { why: 'empty' | 'ending' };
  'import-form': { why: 'columns' | 'no-id' };
  'option-alone': { classifier: string };
  'recorded-already':
    | { why: 'other-id'; address: string; resource: string; id: string }
    | { why: 'no-option'; resource: string; option: string };
  'repeated-address': { address: string };
  'repeated-id': { addresses: readonly [string, string] };
  undeclared: { resource: string; option?: string; known: Names };
  /** `isPlaceholder`: the ID of a printed command was not replaced. */
  'unusable-id': { isPlaceholder?: boolean };
}
