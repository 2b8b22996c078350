import type { StructureProblem as FieldProblem } from '../contract/json-structure.ts';
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

export type { FieldProblem };

/** Thrown for a request that can't be fulfilled, as the caller learns it. What the request wrote is undone. */
export class Refusal extends Error {
  /** Stable name of the kind of error. */
  readonly code: keyof typeof statuses;
  /** HTTP status: that of the code, unless the dialect gives another one. */
  readonly status: number;
  readonly details: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: keyof typeof statuses,
    message: string,
    { status = statuses[code], details = [], headers = {} }: Partial<Omit<Refusal, 'code' | 'message'>> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
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
  const { status, headers, code, message, details } = refusal;
  if (body === 'json')
    return Response.json({ error: { status, code, message, details } }, { status, headers });
  if (body === 'empty') return new Response(null, { status, headers });
  const lines = details.map(({ field, message: problem }) => `${field} ${problem}`);
  const list = lines.map((line) => html`<li>${line}</li>`);
  const title = html`<title>Error ${status}</title>`;
  const [type, text] =
    body === 'text'
      ? ['text/plain', `${[message, ...lines].join('\n')}\n`]
      : [
          'text/html',
          html`<!doctype html>\n${title}\n<h1>Error ${status}</h1>\n<p>${message}</p>\n<ul>${list}</ul>\n`,
        ];
  return new Response(String(text), {
    status,
    headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` },
  });
}
