import { describe, expect, test } from 'vitest';
import { classifyException, classifyStatus, codeOf } from '../../src/api/read-reply.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

/** Before a request is sent, the service can't have taken it; afterwards every error leaves that open. */
test.each<[boolean, string, boolean, string]>([
  [false, 'unreachable', true, 'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ECONNRESET'],
  [false, 'unreachable', true, 'UND_ERR_CONNECT_TIMEOUT'],
  [false, 'tls', false, 'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID'],
  [false, 'tls', false, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_SSL_WRONG_VERSION_NUMBER EPROTO'],
  [true, 'tls', false, 'ERR_SSL_TLSV13_ALERT'],
  [true, 'disconnected', true, 'ECONNRESET UND_ERR_SOCKET EPIPE EHOSTUNREACH SOMETHING_NEW'],
  [true, 'timeout', true, 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'],
  [true, 'unreadable', true, 'HPE_INVALID_CONSTANT'],
])('an exception (sent: %s) counts as %s (transient: %s): %s', (sent, reason, transient, codes) => {
  for (const code of codes.split(' '))
    expect(classifyException(withCode(code), sent)).toEqual({ reason, notTaken: !sent, transient, code });
});

test('an exception without a code counts as disconnected', () => {
  const failure = { reason: 'disconnected', notTaken: false, transient: true };
  expect(classifyException('odd', true)).toEqual(failure);
});

describe('the code of an error', () => {
  test('comes from its parts or causes', () => {
    const parts = new AggregateError([new Error('a'), withCode('ECONNREFUSED')]);
    expect(codeOf(new TypeError('fetch failed', { cause: parts }))).toBe('ECONNREFUSED');
  });

  test('is missing if its causes form a circle', () => {
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
])('%i counts as %s (not taken: %s, transient: %s)', (status, reason, notTaken, transient) => {
  expect(classifyStatus(status)).toEqual({ reason, notTaken, transient, status });
});

test('a success status is judged by its body', () => {
  expect([200, 201, 204, 299].map(classifyStatus)).toEqual([null, null, null, null]);
});
