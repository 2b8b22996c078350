import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../src/api/outcome.ts';
import { seenText } from '../../src/render/messages/seen-text.ts';
import { renderServiceError } from '../../src/render/service-error.ts';

const names = { usernameFrom: 'STAGING_USERNAME', passwordFrom: 'STAGING_PASSWORD' };

const baseUrl = 'https://game.example/api';
const refused: ServiceError = {
  operation: 'createItem',
  method: 'POST',
  path: '/items',
  baseUrl,
  reason: 'status',
  notTaken: true,
  transient: false,
  status: 401,
  words: 'Wrong password.',
  outcome: 'refused',
  attempts: 1,
  elapsedMs: 12,
};
const unseen: ServiceError = { ...refused, notTaken: false, outcome: 'unseen' };
const update = { operation: 'updateItem', method: 'PUT', path: '/items/a' } as const;

const create = 'Create Item (POST /items)';
const unusable = `the outcome of ${create} is unknown: the response is not usable:`;
const named = { problem: { code: 'empty' } as const, words: '', answeredIds: ['c1'], location: '/c1' };
const spaces = { operation: 'listUserSpaces', method: 'GET', path: '/users/u/spaces' } as const;

describe('the message of a service error', () => {
  const cases: readonly [ServiceError, string][] = [
    [refused, `${create} was refused: 401 Unauthorized - "Wrong password."`],
    [
      { ...refused, words: 'The password is [redacted].' },
      `${create} was refused: 401 Unauthorized - "The password is [redacted]." (redacted: it repeats a credential)`,
    ],
    [{ ...refused, status: 418, words: '' }, `${create} was refused: 418 I'm a Teapot`],
    [{ ...refused, status: 499 }, `${create} was refused: 499 - "Wrong password."`],
    [
      { ...refused, reason: 'unreachable', code: 'ECONNREFUSED', attempts: 6, elapsedMs: 4165 },
      `${create} was not sent: ${baseUrl} can't be reached: the connection was refused (ECONNREFUSED) (6 attempts in 4.2 s)`,
    ],
    [
      { ...refused, reason: 'tls', code: 'CERT_HAS_EXPIRED' },
      `${create} was not sent: ${baseUrl} can't be reached securely: its certificate has expired (CERT_HAS_EXPIRED)`,
    ],
    [
      { ...refused, reason: 'proxy', code: 'INVALID_HTTPS_PROXY' },
      `${create} was not sent: HTTPS_PROXY is not the address of a proxy`,
    ],
    [
      { ...unseen, status: 503, words: 'busy' },
      `the outcome of ${create} is unknown: 503 Service Unavailable - "busy"`,
    ],
    [
      { ...unseen, reason: 'unreadable', ...named },
      `${unusable} it is empty; it names the ID "c1"; it points to "/c1"`,
    ],
    [
      { ...unseen, reason: 'unreadable', status: 200, problem: { code: 'not-json' }, words: 'Welcome' },
      `${unusable} it is not JSON - "Welcome"`,
    ],
    [
      { ...refused, ...update, path: '/items/a%20b', status: 404 },
      'Update Item (PUT /items/a%20b) was refused: 404 Not Found - "Wrong password."',
    ],
    [
      { ...unseen, ...update, reason: 'disconnected', code: 'ENEW' },
      'the outcome of Update Item (PUT /items/a) is unknown: no complete response arrived: ENEW',
    ],
    [
      { ...unseen, reason: 'redirect', status: 307, location: 'https://x.example/' },
      `the outcome of ${create} is unknown: 307 Temporary Redirect, to https://x.example/; redirects are not followed`,
    ],
    [
      { ...unseen, ...spaces, reason: 'timeout' },
      'List user spaces (GET /users/u/spaces) failed: the request timed out',
    ],
  ];
  test.each(cases.map(([error, message]) => [message, error] as const))('is: %s', (message, error) => {
    expect(renderServiceError(error, names).message).toBe(message);
  });
});

describe('the hint of a service error', () => {
  test.each<[string, ServiceError, RegExp]>([
    ['credentials', refused, /STAGING_USERNAME and STAGING_PASSWORD/],
    ['the address', { ...refused, status: 404 }, /last path segment is usually api/],
    ['the conflict of an update', { ...refused, ...update, status: 409 }, /update conflicts/],
    [
      'an ID that may be wrong',
      { ...refused, ...update, path: '/items/a%20b', status: 404 },
      /^the service may have no item with ID a b: check that the ID .* check baseUrl/,
    ],
    ["an ID that can't be decoded", { ...refused, ...update, path: '/items/%', status: 404 }, /ID %:/],
    ['--parallel for too many requests', { ...refused, status: 429 }, /--parallel/],
    [
      'the address at which a service should run',
      { ...refused, reason: 'unreachable' },
      /service runs at https:\/\/game\.example/,
    ],
    ['trove resolve for an unknown outcome', { ...unseen, status: 500 }, /trove resolve/],
    ['trove resolve even if the last response was a refusal', { ...unseen, status: 409 }, /trove resolve/],
    ['an update as safe to repeat', { ...unseen, ...update, reason: 'timeout' }, /safe to repeat/],
    ['the base URL as well as trove resolve', { ...unseen, reason: 'redirect' }, /baseUrl .* trove resolve/],
  ])('names %s', (_, error, pattern) => {
    expect(renderServiceError(error, names).hint).toMatch(pattern);
  });
});

test('control characters from the service never reach the terminal', () => {
  const hostile = { ...refused, words: '\u001b[2Jgone\u202e', path: '/items/\u0007' };
  const { message, hint } = renderServiceError(hostile, names);
  expect(`${message}${hint}`).not.toMatch(/[\p{Cc}\u202e]/u);
});

test('the state keeps that a response was cut off, whatever its status', () => {
  const cutOff = { ...unseen, reason: 'disconnected', status: 200, answeredIds: ['c1'] } as const;
  const kept = seenText({ code: 'not-answered', error: cutOff }, undefined);
  expect(kept).toBe('status 200, cut off; it names the ID "c1"');
});
