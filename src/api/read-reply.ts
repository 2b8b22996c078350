import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Redact } from '../contract/redact.ts';
import { readAnswer } from './answer.ts';
import { type Failure, type FailureReason, MAX_ANSWER_BYTES, type Reply } from './outcome.ts';
import { readRetryAfter } from './retry.ts';
import { type Asked, attempted, contradictsRefusal, firstOf, tracesOf } from './traces.ts';

export interface Answered {
  readonly status: number;
  readonly body: object;
}

interface ReplyContext {
  /** A JSON value with all that an answer may repeat: the request, and what is known of the environment. */
  readonly known: unknown;
  readonly redact: Redact;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Makes an answer or a failure of what came back, and never throws: other requests are under way, and one odd answer
 * must not end them. A status other than 2xx decides alone, also where its body broke off; a 2xx counts only with its
 * whole, documented body. Whatever else an answer to a write may be, the IDs that it names are kept.
 */
export function readReply(received: Reply, asked: Asked, context: ReplyContext): Answered | Failure {
  const { known, redact, now } = context;
  const { isDamaged, ...unpacked } = unpack(received);
  const reply = { ...received, ...unpacked };
  const { status, headers, body } = reply;
  const traces = () => tracesOf(reply, asked, redact, received.body);
  if (status === undefined) return { ...classifyException(reply.error, reply.sent), ...traces() };
  const failure = classifyStatus(status);
  if (failure) {
    const isTaken = failure.notTaken && contradictsRefusal(reply, asked);
    const retryAfterMs = readRetryAfter(firstOf(headers['retry-after']), firstOf(headers.date), now);
    const asksToWait = retryAfterMs !== undefined && { retryAfterMs };
    return { ...failure, ...traces(), ...(isTaken && CONTRADICTION), ...asksToWait };
  }
  if ('error' in reply) return { ...classifyException(reply.error, true), status, ...traces() };
  const answer = isDamaged ? undefined : attempted(() => readAnswer(asked.operation, body, redact, known));
  if (answer?.ok) return { status, body: answer.body };
  const problem = answer?.problem ?? ({ code: 'not-read' } as const);
  return { reason: 'unreadable', notTaken: false, transient: true, status, problem, ...traces() };
}

const CONTRADICTION = { notTaken: false, problem: { code: 'refusal-with-record' } } as const;

/** The part of a body that came is unpacked even if its end is missing. */
const limits = { maxOutputLength: MAX_ANSWER_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
type Unpack = (body: Buffer) => Buffer;
const gunzip: Unpack = (body) => gunzipSync(body, limits);
const unpackers = new Map<string, Unpack>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // Some services leave the wrapper out.
  ['deflate', (body) => attempted(() => inflateSync(body, limits)) ?? inflateRawSync(body, limits)],
  ['br', (body) => brotliDecompressSync(body, { ...limits, finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

/** Each costs up to as many bytes as an answer may have, and nothing else happens meanwhile. */
const MOST_CODINGS = 3;

/** Of a damaged body, or one that is too large, the part that could be unpacked. */
interface Unpacked {
  readonly body: Buffer;
  readonly isDamaged: boolean;
}

/** A service may pack its answers without being asked, and without saying so: no JSON begins as gzip does. */
function unpack({ headers, body }: Reply): Unpacked {
  const named = [headers['content-encoding'] ?? []].flat().join(',').toLowerCase().split(',');
  const declared = named.flatMap((coding) => unpackers.get(coding.trim()) ?? []).reverse();
  const rest = declared.slice(0, MOST_CODINGS).reduce(unpackedBy, { body, isDamaged: false });
  const isPacked = rest.body[0] === 0x1f && rest.body[1] === 0x8b;
  return isPacked ? unpackedBy(rest, gunzip) : rest;
}

/** What is not packed like that stays as it is. */
function unpackedBy({ body, isDamaged }: Unpacked, unpacker: Unpack): Unpacked {
  try {
    return { body: unpacker(body), isDamaged };
  } catch (error) {
    const start = startOf(unpacker, body);
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    return start ? { body: start, isDamaged: isDamaged || !isTooLarge } : { body, isDamaged };
  }
}

/** Deflate makes at most 1032 bytes of one, so that this part of a body is never too large. */
const SURE_TO_FIT = Math.floor(MAX_ANSWER_BYTES / 1032);

/** What comes of the longest start of a body that can be unpacked; undefined for what is not packed like that. */
function startOf(unpacker: Unpack, body: Buffer): Buffer | undefined {
  // Text is not packed, whatever its headers name.
  if (isUtf8(body)) return undefined;
  const partOf = (length: number) => attempted(() => unpacker(body.subarray(0, length)));
  let [good, bad] = [0, Math.min(body.length, SURE_TO_FIT)];
  let start = partOf(bad);
  if (start) return start;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const part = partOf(middle);
    if (part) [good, start] = [middle, part];
    else bad = middle;
  }
  return start && start.length > 0 ? start : undefined;
}

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'ANSWER_TIMEOUT']);
const tlsCodes =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UND_ERR_PRX_TLS|UNABLE_TO_|EPROTO$|INVALID_CA$|HOSTNAME_MISMATCH$)|SELF_SIGNED_CERT/;
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
  return { reason, notTaken: !sent, transient: !lasting.has(reason), ...(code !== undefined && { code }) };
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
  for (const part of 'cause' in error ? [...parts, error.cause] : parts) {
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
  if (tlsCodes.test(code)) return 'tls';
  if (!sent) return 'unreachable';
  if (timeouts.has(code)) return 'timeout';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'unreadable';
  return 'disconnected';
}
