import type { Location } from './source.ts';

/**
 * One thing that a user can put right. `message` says what is wrong and what is true now in one sentence;
 * `hint` says what to do or type next; `related` shows the other end (a duplicate's first place, say).
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Stable kebab-case name of the rule, for annotations and for people who search. */
  readonly rule: string;
  readonly message: string;
  readonly location?: Location;
  /** A place may hold a secret: places are named, and their text is not shown. */
  readonly concealed?: boolean;
  /** Where there is no source text to point into: a path, a URL, an environment variable. */
  readonly subject?: string;
  readonly related?: readonly { readonly message: string; readonly location: Location }[];
  readonly hint?: string;
  /** It stands for so many problems that are not listed. */
  readonly more?: number;
}

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

export function error(rule: string, message: string, rest: Partial<Diagnostic> = {}): Diagnostic {
  return { severity: 'error', rule, message, ...rest };
}
