import { html } from '../markup/markup.ts';
import type { Dialect } from './dialect.ts';

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

export const conflict: Refusal = {
  status: 409,
  code: 'conflict',
  message: 'An item with this id exists.',
  details: [{ field: 'id', message: 'is the id of an existing item' }],
};

/** Sections 4.2, 4.4, 4.5: an id in the path that the caller's team does not have. */
export function unknownId(kind: 'item' | 'classifier' | 'user', field = 'id'): Refusal {
  const details = [{ field, message: `is not the id of ${kind === 'item' ? 'an' : 'a'} ${kind}` }];
  return { status: 404, code: 'not_found', message: `There is no ${kind} with this id.`, details };
}

/** Section 4: ids in a body that name nothing in the caller's team. */
export function unknownReferences(details: readonly FieldProblem[]): Refusal {
  const message = 'The request refers to something that does not exist.';
  return { status: 422, code: 'unknown_reference', message, details };
}

export const unauthorized: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'The username or the password is wrong.',
  details: [],
  headers: { 'WWW-Authenticate': 'Basic realm="items"' },
};

export const missingCredentials: Refusal = {
  ...unauthorized,
  message: 'The request needs a header Authorization: Basic <base64 of username:password>.',
};

export const unknownPath: Refusal = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this path.',
  details: [],
};

export function wrongMethod(allowed: string): Refusal {
  const message = `This path takes ${allowed} only.`;
  return { status: 405, code: 'method_not_allowed', message, details: [], headers: { Allow: allowed } };
}

export const internalError: Refusal = {
  status: 500,
  code: 'internal',
  message: 'The service failed to handle the request.',
  details: [],
};

/**
 * Section 7 shows no error body. JSON is `{error: {status, code, message, details: [{field, message}]}}`; text and
 * HTML say the same in lines for people; empty says nothing but the status.
 */
export function errorResponse(refusal: Refusal, body: Dialect['errorBody']): Response {
  const { status, headers } = refusal;
  const { type, text } = bodies[body](refusal);
  return new Response(text, { status, headers: { ...headers, ...(type && { 'Content-Type': type }) } });
}

const bodies: Readonly<Record<Dialect['errorBody'], (refusal: Refusal) => ErrorBody>> = {
  json: ({ status, code, message, details }) => ({
    type: 'application/json',
    text: JSON.stringify({ error: { status, code, message, details } }),
  }),
  text: (refusal) => ({ type: 'text/plain; charset=utf-8', text: `${lines(refusal).join('\n')}\n` }),
  empty: () => ({ type: undefined, text: null }),
  html: (refusal) => {
    const [message, ...details] = lines(refusal);
    const list = details.map((detail) => html`<li>${detail}</li>`);
    const title = html`<title>Error ${refusal.status}</title>`;
    const page = html`<!doctype html>\n${title}\n<h1>Error ${refusal.status}</h1>\n<p>${message}</p>\n<ul>${list}</ul>\n`;
    return { type: 'text/html; charset=utf-8', text: page.toString() };
  },
};

function lines({ message, details }: Refusal): string[] {
  return [message, ...details.map(({ field, message: problem }) => `${field} ${problem}`)];
}

interface ErrorBody {
  readonly type: string | undefined;
  readonly text: string | null;
}
