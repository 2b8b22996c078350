import { html } from '../markup/markup.ts';
import type { Dialect } from './dialect.ts';
import type { Refusal } from './refusal.ts';

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
