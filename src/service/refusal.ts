import { html } from '../markup/markup.ts';
import type { Dialect } from './dialect.ts';

const statuses = {
  bad_request: 400,
  invalid_body: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  unknown_reference: 422,
  internal: 500,
} as const;

/** One culprit: `itemAttributes[0].min`, `id`. The message goes on after the field's name. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Thrown for a request that can't be fulfilled, as the caller learns it. What the request wrote is undone. */
export class Refusal extends Error {
  /** Stable name of the kind of error. */
  readonly code: keyof typeof statuses;
  /** HTTP status: that of the code, unless the dialect gives another one. */
  readonly status: number;
  readonly details: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: keyof typeof statuses, message: string, more: RefusalOptions = {}) {
    super(message);
    this.code = code;
    this.status = more.status ?? statuses[code];
    this.details = more.details ?? [];
    this.headers = more.headers ?? {};
  }
}

interface RefusalOptions {
  readonly status?: number;
  readonly details?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refuses a body whose shape or values are wrong by themselves, if there is a problem. */
export function refuseInvalid(details: readonly FieldProblem[]): void {
  if (details.length > 0) throw new Refusal('invalid_body', 'The request body is not valid.', { details });
}

/** Sections 4.2, 4.4, 4.5: an id in the path that the caller's team does not have. */
export function unknownId(kind: 'item' | 'classifier' | 'user', field = 'id', status = 404): Refusal {
  const details = [{ field, message: `is not the id of ${kind === 'item' ? 'an' : 'a'} ${kind}` }];
  return new Refusal('not_found', `There is no ${kind} with this id.`, { status, details });
}

/** `problem` says what is wrong with the credentials. */
export function unauthorized(problem: string): Refusal {
  return new Refusal('unauthorized', problem, { headers: { 'WWW-Authenticate': 'Basic realm="items"' } });
}

export function wrongMethod(allowed: string): Refusal {
  return new Refusal('method_not_allowed', `This path takes ${allowed} only.`, {
    headers: { Allow: allowed },
  });
}

export function internalError(): Refusal {
  return new Refusal('internal', 'The service failed to handle the request.');
}

/**
 * Section 7 shows no error body. JSON is `{error: {status, code, message, details: [{field, message}]}}`; text and
 * HTML have the same in lines for people; empty has nothing but the status.
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
