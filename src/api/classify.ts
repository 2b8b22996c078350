import type { Failure, FailureReason } from './outcome.ts';

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'ANSWER_TIMEOUT']);
const certificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_CRL',
  'INVALID_CA',
  'HOSTNAME_MISMATCH',
]);
// Repeating does not help against these.
const lasting = new Set<FailureReason>(['proxy', 'tls', 'interrupted', 'oversized']);
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);
// 408 and 499 come from a proxy that gave up; the service behind it may have gone on.
const unclearStatuses = new Set([408, 499]);

/**
 * What an exception of the network means. `sent` says whether the request had begun to leave this machine:
 * until then nothing can have been taken, afterwards every error leaves it open, whatever its code.
 */
export function classifyException(error: unknown, sent: boolean): Failure {
  const code = codeOf(error);
  const reason = reasonOf(code, sent);
  const transient = !lasting.has(reason);
  return { reason, notTaken: !sent, transient, ...(code === undefined ? {} : { code }) };
}

/** What a status other than 2xx means; null for 2xx, which its body decides. */
export function classifyStatus(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  const reason = status >= 300 && status < 400 ? 'redirect' : 'status';
  const notTaken = status >= 400 && status < 500 && !unclearStatuses.has(status);
  return { reason, notTaken, transient: transientStatuses.has(status), status };
}

/** The first code in an error, its parts (AggregateError) and its causes; undefined where there is none. */
export function codeOf(error: unknown, seen = new Set<unknown>()): string | undefined {
  if (typeof error !== 'object' || error === null || seen.has(error)) return undefined;
  seen.add(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  const parts = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const inner = 'cause' in error ? [...parts, error.cause] : parts;
  for (const part of inner) {
    const code = codeOf(part, seen);
    if (code !== undefined) return code;
  }
  // undici leaves the code out where its parser does not even find a status line.
  return 'name' in error && error.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
}

function reasonOf(code: string | undefined, sent: boolean): FailureReason {
  if (code === undefined) return sent ? 'disconnected' : 'unreachable';
  if (code === 'INTERRUPTED') return 'interrupted';
  if (code === 'ANSWER_TOO_LARGE') return 'oversized';
  if (code.startsWith('INVALID_HTTP')) return 'proxy';
  if (isTls(code)) return 'tls';
  if (!sent) return 'unreachable';
  if (timeouts.has(code)) return 'timeout';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'unreadable';
  return 'disconnected';
}

function isTls(code: string): boolean {
  return (
    code === 'EPROTO' || /^(CERT_|ERR_TLS_|ERR_SSL_|UND_ERR_PRX_TLS)/.test(code) || certificateCodes.has(code)
  );
}
