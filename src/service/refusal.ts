/** What an operation gives: its answer, or why it refused and wrote nothing. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

/** A request that can't be fulfilled, as the caller is told. Section 7 shows no error body: this one is ours. */
export interface Refusal {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Stable snake_case name of the kind of error. */
  readonly code: string;
  readonly message: string;
  readonly details: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** One culprit: `itemAttributes[0].min`, `id`. The message goes on after the field's name. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(refusal: Refusal): Outcome<never> {
  return { ok: false, refusal };
}

/** The body's shape or values are wrong by themselves. */
export function invalidBody(details: readonly FieldProblem[]): Refusal {
  return { status: 400, code: 'invalid_body', message: 'The request body is not valid.', details };
}

/** The request as such can't be read. */
export function badRequest(message: string, details: readonly FieldProblem[] = []): Refusal {
  return { status: 400, code: 'bad_request', message, details };
}
