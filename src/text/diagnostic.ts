import type { CommandProblems, PlanProblems, ServiceCommandProblems } from './problems/commands.ts';
import type { CatalogProblems, EnvironmentProblems, TextProblems, YamlProblems } from './problems/files.ts';
import type { ImportProblems, StateCommandProblems, StateProblems } from './problems/state.ts';
import type { Location } from './source.ts';

/** One thing that is wrong, as data. `src/render/messages` says what it is, and what to do or type next. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Stable kebab-case name, for annotations, for programs and for people who search. */
  readonly rule: string;
  /** As they stand in files: only `explainProblems` conceals what may be a secret. */
  readonly values?: object;
  readonly location?: Location;
  /** The file may hold a secret: of its text, no excerpt is shown; and no words are quoted that it alone has. */
  readonly concealed?: 'excerpt' | 'words';
  /** Where there is no source text to point into: a path, a URL, an environment variable. */
  readonly subject?: string;
  /** Other ends of the problem: a duplicate's first place, say. */
  readonly related?: readonly Related[];
  /** It stands for so many problems that are not listed. */
  readonly more?: number;
}

export interface Related {
  readonly role: Role;
  readonly location: Location;
}

/** What is at another end of a problem. */
export type Role =
  | 'anchor'
  | 'assignment'
  | 'catalog'
  | 'first-declared'
  | 'first-listed'
  | 'item'
  | 'maximum'
  | 'other'
  | 'other-file'
  | 'selection';

/** What a user can cause to fail gives a Result; `throw` is for our own bugs. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function success<T>(value: T, warnings: readonly Diagnostic[] = []): Result<T> {
  return { ok: true, value, warnings };
}

/** Of more than a hundred diagnostics a `ProblemList` is made first: these are arguments. */
export function failure(...diagnostics: readonly Diagnostic[]): Result<never> {
  return { ok: false, diagnostics };
}

export function error<R extends Rule>(
  rule: R,
  values: Problems[R],
  rest: Omit<Partial<Diagnostic>, 'rule' | 'values'> = {},
): Diagnostic {
  return { severity: 'error', rule, values, ...rest };
}

export type * from './problems/commands.ts';
export type * from './problems/files.ts';
export type * from './problems/state.ts';

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
    ServiceCommandProblems,
    ImportProblems,
    PlanProblems,
    StateProblems {}

export type Rule = keyof Problems;
