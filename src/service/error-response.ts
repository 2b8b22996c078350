import type { Refusal } from './refusal.ts';

/** Section 7 shows no error body; ours is JSON: `{error: {status, code, message, details: [{field, message}]}}`. */
export function errorResponse({ status, code, message, details, headers }: Refusal): Response {
  return Response.json({ error: { status, code, message, details } }, { status, headers: { ...headers } });
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
