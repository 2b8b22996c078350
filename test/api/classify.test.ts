import { describe, expect, test } from 'vitest';
import { classifyException, classifyStatus, codeOf } from '../../src/api/read-reply.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('exceptions', () => {
  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
    'ECONNRESET',
  ])('%s before anything was sent: surely not taken', (code) => {
    const failure = { reason: 'unreachable', notTaken: true, transient: true, code };
    expect(classifyException(withCode(code), false)).toEqual(failure);
  });

  test.each([
    ['ECONNRESET', 'disconnected'],
    ['UND_ERR_SOCKET', 'disconnected'],
    ['EPIPE', 'disconnected'],
    ['EHOSTUNREACH', 'disconnected'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['HPE_INVALID_CONSTANT', 'unreadable'],
    ['SOMETHING_NEW', 'disconnected'],
  ])('%s after that: %s, open', (code, reason) => {
    const failure = { reason, notTaken: false, transient: true, code };
    expect(classifyException(withCode(code), true)).toEqual(failure);
  });

  test.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'EPROTO',
  ])('%s: not taken, and repeating does not help', (code) => {
    expect(classifyException(withCode(code), false)).toMatchObject({
      reason: 'tls',
      notTaken: true,
      transient: false,
    });
  });

  test('a TLS error after the request began to leave keeps it open', () => {
    expect(classifyException(withCode('ERR_SSL_TLSV13_ALERT'), true)).toMatchObject({ notTaken: false });
  });

  test('an error without a code', () => {
    expect(classifyException('odd', true)).toEqual({
      reason: 'disconnected',
      notTaken: false,
      transient: true,
    });
  });
});

describe('the code of an error', () => {
  test('stands in its parts or causes', () => {
    const parts = new AggregateError([new Error('a'), withCode('ECONNREFUSED')]);
    expect(codeOf(new TypeError('fetch failed', { cause: parts }))).toBe('ECONNREFUSED');
  });

  test('a circle of causes has none', () => {
    const error = new Error('a');
    error.cause = new Error('b', { cause: error });
    expect(codeOf(error)).toBeUndefined();
  });
});

test.each([
  [301, 'redirect', false, false],
  [304, 'redirect', false, false],
  [400, 'status', true, false],
  [401, 'status', true, false],
  [408, 'status', false, true],
  [409, 'status', true, false],
  [425, 'status', true, true],
  [429, 'status', true, true],
  [499, 'status', false, false],
  [500, 'status', false, true],
  [501, 'status', false, false],
  [503, 'status', false, true],
  [600, 'status', false, false],
])('%i is a %s, not taken: %s, transient: %s', (status, reason, notTaken, transient) => {
  expect(classifyStatus(status)).toEqual({ reason, notTaken, transient, status });
});

test('a success status is left to its body', () => {
  expect([200, 201, 204, 299].map(classifyStatus)).toEqual([null, null, null, null]);
});
